/// Where a session has what it works with from.
enum SessionSource {
  /// It is the same for all requests.
  case fixed(SessionSetup)
  /// A profile is asked before every request.
  case profile(any LanguageModelSession.DynamicProfile)
}

/// What a session works with in one request to a model.
struct SessionSetup {
  let model: ModelRunner
  let tools: [any Tool]
  /// What the model is told of the tools; made once where the tools are fixed.
  let toolDefinitions: [Transcript.ToolDefinition]
  /// The profile that it comes from.
  let profile: ResolvedProfile?

  init(model: ModelRunner, tools: [any Tool], profile: ResolvedProfile? = nil) {
    self.model = model
    self.tools = tools
    toolDefinitions = tools.map { Transcript.ToolDefinition(tool: $0) }
    self.profile = profile
  }

  init(_ profile: ResolvedProfile, executors: ExecutorPool) {
    let model: any LanguageModel = profile.model ?? SystemLanguageModel.default
    self.init(
      model: ModelRunner(model, executors: executors), tools: profile.tools, profile: profile)
  }

  /// The entry that begins a transcript, or nil if the model is told nothing.
  func instructionsEntry(_ instructions: Instructions?) -> Transcript.Instructions? {
    if instructions == nil, tools.isEmpty { return nil }
    return Transcript.Instructions(
      segments: instructions?.content.segments ?? [],
      toolDefinitions: zip(tools, toolDefinitions).filter { $0.0.includesSchemaInInstructions }
        .map { $0.1 })
  }

  /// The options of a request, with the profile's where it says nothing.
  func options(_ options: GenerationOptions) -> GenerationOptions {
    guard let defaults = profile?.options else { return options }
    var options = options
    options.sampling = options.sampling ?? defaults.sampling
    options.temperature = options.temperature ?? defaults.temperature
    options.maximumResponseTokens = options.maximumResponseTokens ?? defaults.maximumResponseTokens
    options.toolCallingMode = options.toolCallingMode ?? defaults.toolCallingMode
    return options
  }

  /// What the model reads of a transcript.
  func visible(_ transcript: Transcript) -> Transcript {
    guard let transforms = profile?.historyTransforms, !transforms.isEmpty else {
      return transcript
    }
    var transcript = transcript
    // The innermost one was added last, and is applied first.
    let history = transforms.reversed().reduce(Array(transcript.history)) { $1($0) }
    transcript.history = history[...]
    return transcript
  }
}
