import GuidedGeneration
import SystemBasics

/// A request to a session, which the session answers in one turn.
struct TurnRequest: Sendable {
  var prompt: Prompt
  var schema: GenerationSchema?
  var options: GenerationOptions
  var context: ContextOptions
  var metadata: [String: GeneratedContent] = [:]
  /// What the stream knows about the request, or `nil` if nothing is streamed.
  var watch: StreamWatch?
}

/// A snapshot of an answer in progress.
struct TurnSnapshot: Sendable {
  var content: GeneratedContent
  var entries: ArraySlice<Transcript.Entry>
  var usage: LanguageModelSession.Usage
}

extension LanguageModelSession {
  /// The maximum number of rounds in a turn, so that no turn runs forever.
  private static let roundLimit = 100

  /// Answers a request, in as many rounds as the model needs.
  ///
  /// A round is one request to the executor. If the model calls tools, the next round sends their
  /// outputs.
  ///
  /// ```
  /// prompt ─► executor ─► text ────────────────► response
  ///              ▲  └───► tool calls ─► tools ─┐
  ///              └────────── tool output ──────┘
  /// ```
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - update: A closure that receives every snapshot, or `nil` if the caller doesn't need the
  ///     snapshots.
  /// - Returns: The last snapshot, which is the complete answer.
  func turn(
    _ request: TurnRequest, update: (@Sendable (TurnSnapshot) -> Void)? = nil
  ) async throws -> TurnSnapshot {
    let before = try begin()
    var policy: TranscriptErrorHandlingPolicy?
    do {
      let snapshot = try await SessionPropertyValues.$current.withValue(properties) {
        let setup = await nextSetup()
        policy = setup.profile?.errorHandlingPolicy
        try await ask(request, setup)
        return try await rounds(request, update: update)
      }
      end(adding: snapshot.usage)
      return snapshot
    } catch {
      if let watch = request.watch, watch.isAbandoned {
        abandon(with: watch.partial, revertingTo: before, policy: policy)
      } else {
        fail(revertingTo: before, policy: policy)
      }
      throw error
    }
  }

  /// Appends the prompt to the transcript, and runs the profile's actions for prompts.
  private func ask(_ request: TurnRequest, _ setup: SessionSetup) async throws {
    let prompt = Transcript.Prompt(
      metadata: request.metadata, segments: request.prompt.content.segments,
      options: setup.options(request.options),
      responseFormat: request.schema.map { Transcript.ResponseFormat(schema: $0) },
      contextOptions: request.context)
    try add([.prompt(prompt)])
    for action in setup.profile?.events.onPrompt ?? [] { try await action(prompt) }
  }

  private func rounds(
    _ request: TurnRequest, update: (@Sendable (TurnSnapshot) -> Void)?
  ) async throws -> TurnSnapshot {
    var entries: [Transcript.Entry] = []
    var usage = Usage.none
    let id = GenerationID()
    @Sendable func content(
      _ text: String, schema: GenerationSchema?, isDone: Bool
    ) throws -> GeneratedContent {
      try Self.content(text, schema: schema, isDone: isDone).identified(id)
    }
    for _ in 0..<Self.roundLimit {
      try Task.checkCancellation()
      let setup = await nextSetup()
      let (usageBefore, entriesBefore) = (usage, entries[...])
      request.watch?.note(nil)
      let assembler = try await round(request, setup) { assembler in
        guard let update, assembler.hasText,
          let content = try? content(assembler.text, schema: request.schema, isDone: false)
        else { return }
        request.watch?.note(assembler.response(content, schema: request.schema))
        update(
          TurnSnapshot(
            content: content, entries: entriesBefore, usage: usageBefore.adding(assembler.usage)))
      }
      usage.add(assembler.usage)
      if let reasoning = assembler.reasoningEntry {
        entries.append(.reasoning(reasoning))
        try add([.reasoning(reasoning)])
        for action in setup.profile?.events.onReasoning ?? [] { try await action(reasoning) }
      }
      for entry in assembler.dataEntries {
        guard try await setup.model.supportsDataEntryType(entry.contentType) else {
          throw LanguageModelError.unsupportedTranscriptContent(
            .init(
              unsupportedContent: [.data(entry)],
              debugDescription: "The model sent data of the type \(entry.contentType), which it "
                + "doesn't support."))
        }
        entries.append(.data(entry))
        try add([.data(entry)])
      }
      guard let calls = try assembler.callsEntry() else {
        let content = try content(assembler.text, schema: request.schema, isDone: true)
        let response = assembler.response(content, schema: request.schema)
        entries.append(.response(response))
        try add([.response(response)])
        for action in setup.profile?.events.onResponse ?? [] { try await action(response) }
        let snapshot = TurnSnapshot(content: content, entries: entries[...], usage: usage)
        update?(snapshot)
        return snapshot
      }
      // Free text that comes with tool calls is a response to the user. If the request has a
      // schema, the session drops the text, because it is only the beginning of a value.
      if request.schema == nil, !assembler.text.isEmpty {
        let content = try content(assembler.text, schema: nil, isDone: true)
        entries.append(.response(assembler.response(content, schema: nil)))
        try add([entries[entries.count - 1]])
      }
      entries.append(.toolCalls(calls))
      try add([.toolCalls(calls)])
      for output in try await outputs(of: calls, setup) { entries.append(.toolOutput(output)) }
    }
    throw LanguageModelError.timeout(
      .init(
        debugDescription:
          "The model called tools for \(Self.roundLimit) rounds without answering."))
  }

  /// Runs one round: sends a request to the executor, and applies the executor's events as they
  /// arrive.
  private func round(
    _ request: TurnRequest, _ setup: SessionSetup, update: @Sendable (ResponseAssembler) -> Void
  ) async throws -> ResponseAssembler {
    let generation = try generationRequest(request, setup)
    try await checkData(in: generation.transcript, setup)
    let channel = LanguageModelExecutorGenerationChannel()
    let model = setup.model
    async let executor: Void = {
      defer { channel.finish() }
      try await model.respond(to: generation, streamingInto: channel)
    }()
    var assembler = ResponseAssembler()
    for try await event in channel {
      assembler.apply(event)
      update(assembler)
    }
    try await executor
    return assembler
  }

  /// Checks that the model supports the data in a transcript.
  ///
  /// - Throws: `LanguageModelError.unsupportedTranscriptContent` if it doesn't.
  private func checkData(in transcript: Transcript, _ setup: SessionSetup) async throws {
    for entry in transcript {
      for case .attachment(let attachment) in entry.segments {
        guard case .data(let data) = attachment.content else { continue }
        if try await setup.model.supportsDataAttachmentType(data.contentType) { continue }
        throw LanguageModelError.unsupportedTranscriptContent(
          .init(
            unsupportedContent: [entry],
            debugDescription: "The model doesn't support data of the type \(data.contentType)."))
      }
    }
  }

  /// Builds the request for the executor.
  ///
  /// - Throws: `LanguageModelError` if the model lacks a capability that the request needs, or if a
  ///   guide can't be enforced.
  private func generationRequest(
    _ request: TurnRequest, _ setup: SessionSetup
  ) throws -> LanguageModelExecutorGenerationRequest {
    let options = setup.options(request.options)
    let transcript = setup.visible(transcript)
    func require(_ capability: LanguageModelCapabilities.Capability, _ reason: String) throws {
      if setup.model.capabilities.contains(capability) { return }
      throw LanguageModelError.unsupportedCapability(
        .init(capability: capability, debugDescription: reason))
    }
    if let schema = request.schema {
      try require(.guidedGeneration, "The model doesn't support schemas.")
      if let guide = schema.unsupportedGuide {
        throw LanguageModelError.unsupportedGenerationGuide(
          .init(schemaName: schema.name, debugDescription: guide.description))
      }
    }
    let hasAttachment = transcript.flatMap(\.segments).contains {
      if case .attachment(let it) = $0, case .image = it.content { true } else { false }
    }
    if hasAttachment { try require(.vision, "The model doesn't support images.") }
    var context = request.context
    context.reasoningLevel = context.reasoningLevel ?? setup.profile?.reasoningLevel
    return LanguageModelExecutorGenerationRequest(
      id: UUID(), transcript: transcript,
      enabledTools: options.toolCallingMode == .disallowed ? [] : setup.toolDefinitions,
      schema: request.schema, generationOptions: options, contextOptions: context,
      metadata: request.metadata)
  }

  /// Calls tools concurrently and appends their outputs to the transcript in the order of the
  /// calls.
  private func outputs(
    of calls: Transcript.ToolCalls, _ setup: SessionSetup
  ) async throws -> [Transcript.ToolOutput] {
    let events = setup.profile?.events
    for call in calls {
      for action in events?.onToolCall ?? [] { try await action(call) }
    }
    let tools = setup.tools
    let contents = try await withThrowingTaskGroup(of: (Int, PromptContent).self) { group in
      for (position, call) in calls.enumerated() {
        let tool = tools.first { $0.name == call.toolName }
        group.addTask {
          // If no tool has this name, the output says so, and the model may call another tool in
          // the next round.
          let content =
            try await tool?.output(for: call.arguments).content
            ?? PromptContent(text: "There is no tool named \(call.toolName).")
          return (position, content)
        }
      }
      return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
    }
    var outputs: [Transcript.ToolOutput] = []
    for (position, call) in calls.enumerated() {
      let output = Transcript.ToolOutput(
        id: call.id, toolName: call.toolName, segments: contents[position]?.segments ?? [])
      try add([.toolOutput(output)])
      for action in events?.onToolOutput ?? [] { try await action(call, output) }
      outputs.append(output)
    }
    return outputs
  }

  private static func content(
    _ text: String, schema: GenerationSchema?, isDone: Bool
  ) throws -> GeneratedContent {
    guard schema != nil else {
      return GeneratedContent(text: text, isComplete: isDone)
    }
    let content = try GeneratedContent(json: text)
    if isDone, !content.isComplete { throw content.incomplete(text) }
    return content
  }
}
