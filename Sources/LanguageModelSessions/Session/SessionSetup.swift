import GuidedGeneration

/// The source of a session's setup.
enum SessionSource {
  /// The setup is the same for all requests.
  case fixed(SessionSetup)
  /// The session evaluates a profile before every request to a model.
  case profile(any LanguageModelSession.DynamicProfile)
}

/// The model, the tools and the profile of a request.
struct SessionSetup {
  let model: ModelRunner
  let tools: [any Tool]
  /// The definitions of the tools.
  ///
  /// If the tools are fixed, the session builds the definitions only once.
  let toolDefinitions: [Transcript.ToolDefinition]
  /// The profile that the setup comes from.
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

  /// Returns the instructions entry for the beginning of a transcript, or `nil` if there are
  /// neither instructions nor tools.
  func instructionsEntry(_ instructions: Instructions?) -> Transcript.Instructions? {
    if instructions == nil, tools.isEmpty { return nil }
    return Transcript.Instructions(
      segments: instructions?.content.segments ?? [],
      toolDefinitions: zip(tools, toolDefinitions).filter { $0.0.includesSchemaInInstructions }
        .map { $0.1 })
  }

  /// Returns the options of a request, taking each option that the request doesn't set from the
  /// profile.
  func options(_ options: GenerationOptions) -> GenerationOptions {
    guard let defaults = profile?.options else { return options }
    var options = options
    options.sampling = options.sampling ?? defaults.sampling
    options.temperature = options.temperature ?? defaults.temperature
    options.maximumResponseTokens = options.maximumResponseTokens ?? defaults.maximumResponseTokens
    options.toolCallingMode = options.toolCallingMode ?? defaults.toolCallingMode
    return options
  }

  /// Returns a transcript as the model reads it, with the profile's transforms applied.
  func visible(_ transcript: Transcript) -> Transcript {
    guard let transforms = profile?.historyTransforms, !transforms.isEmpty else {
      return transcript
    }
    var transcript = transcript
    // The list begins with the outermost transform, but the innermost transform is applied first.
    let history = transforms.reversed().reduce(Array(transcript.history)) { $1($0) }
    transcript.history = Transcript.HistoryView(history)
    return transcript
  }
}
