import Foundation

/// What a session is asked.
struct TurnRequest: Sendable {
  var prompt: Prompt
  var schema: GenerationSchema?
  var options: GenerationOptions
  var context: ContextOptions
  var metadata: [String: any Sendable & Codable & Equatable] = [:]
}

/// An answer as far as it has come.
struct TurnSnapshot: Sendable {
  var content: GeneratedContent
  var entries: ArraySlice<Transcript.Entry>
  var usage: LanguageModelSession.Usage
}

extension LanguageModelSession {
  /// How often tools may be called before an answer, so that no conversation is endless.
  private static let roundLimit = 100

  /// Answers a request.
  ///
  /// ```
  /// prompt ─► executor ─► text ────────────────► response
  ///              ▲  └───► tool calls ─► tools ─┐
  ///              └────────── tool output ──────┘
  /// ```
  ///
  /// - Parameters:
  ///   - request: What is asked.
  ///   - update: Called with every snapshot.
  /// - Returns: The answer.
  func turn(
    _ request: TurnRequest, update: @Sendable (TurnSnapshot) -> Void
  ) async throws -> TurnSnapshot {
    let prompt = Transcript.Prompt(
      segments: [.text(Transcript.TextSegment(content: request.prompt.text))],
      options: request.options,
      responseFormat: request.schema.map { Transcript.ResponseFormat(schema: $0) },
      contextOptions: request.context)
    let (before, after) = try begin(.prompt(prompt))
    do {
      let snapshot = try await rounds(request, from: after, update: update)
      end(adding: snapshot.usage)
      return snapshot
    } catch {
      fail(revertingTo: before)
      throw error
    }
  }

  private func rounds(
    _ request: TurnRequest, from start: Transcript, update: @Sendable (TurnSnapshot) -> Void
  ) async throws -> TurnSnapshot {
    if request.schema != nil, !model.capabilities().contains(.guidedGeneration) {
      throw LanguageModelError.unsupportedCapability(
        .init(
          capability: .guidedGeneration,
          debugDescription: "The model does not keep to schemas."))
    }
    var transcript = start
    var usage = Usage.none
    for _ in 0..<Self.roundLimit {
      try Task.checkCancellation()
      let before = usage
      let entries = transcript[start.count...].asSlice
      let assembler = try await round(request, transcript) { assembler in
        guard assembler.hasText,
          let content = try? Self.content(assembler.text, schema: request.schema, isDone: false)
        else { return }
        var usage = before
        usage.add(assembler.usage)
        update(
          TurnSnapshot(content: content, entries: entries, usage: usage))
      }
      usage.add(assembler.usage)
      transcript.append(contentsOf: try assembler.entries())
      if assembler.calls.isEmpty {
        let content = try Self.content(assembler.text, schema: request.schema, isDone: true)
        transcript.append(.response(Self.response(content, schema: request.schema)))
        self.update(transcript)
        let snapshot = TurnSnapshot(
          content: content, entries: transcript[start.count...].asSlice, usage: usage)
        update(snapshot)
        return snapshot
      }
      self.update(transcript)
      transcript.append(contentsOf: try await outputs(of: transcript.last))
      self.update(transcript)
    }
    throw LanguageModelError.timeout(
      .init(debugDescription: "The model called tools \(Self.roundLimit) times without an answer."))
  }

  /// One request to the executor, whose events are applied as they come.
  private func round(
    _ request: TurnRequest, _ transcript: Transcript,
    update: @Sendable (ResponseAssembler) -> Void
  ) async throws -> ResponseAssembler {
    let isCalling = request.options.toolCallingMode != .disallowed
    let generation = LanguageModelExecutorGenerationRequest(
      id: UUID(), transcript: transcript, enabledTools: isCalling ? toolDefinitions : [],
      schema: request.schema, generationOptions: request.options, contextOptions: request.context,
      metadata: request.metadata)
    let channel = LanguageModelExecutorGenerationChannel()
    let model = model
    async let executor: Void = {
      defer { channel.finish() }
      try await model.respond(generation, channel)
    }()
    var assembler = ResponseAssembler()
    for try await event in channel {
      assembler.apply(event)
      update(assembler)
    }
    try await executor
    return assembler
  }

  private func outputs(of entry: Transcript.Entry?) async throws -> [Transcript.Entry] {
    guard case .toolCalls(let calls) = entry else { return [] }
    var outputs: [Transcript.Entry] = []
    for call in calls {
      let text: String
      if let tool = tools.first(where: { $0.name == call.toolName }) {
        text = try await tool.output(for: call.arguments).text
      } else {
        // The model reads that it was wrong, and may call another.
        text = "There is no tool named \(call.toolName)."
      }
      outputs.append(
        .toolOutput(
          Transcript.ToolOutput(
            id: call.id, toolName: call.toolName,
            segments: [.text(Transcript.TextSegment(content: text))])))
    }
    return outputs
  }

  // MARK: Content

  private static func content(
    _ text: String, schema: GenerationSchema?, isDone: Bool
  ) throws -> GeneratedContent {
    guard schema != nil else {
      return GeneratedContent(storage: .string(text), isComplete: isDone)
    }
    let content = try GeneratedContent(json: text)
    if isDone, !content.isComplete { throw content.incomplete(text) }
    return content
  }

  private static func response(
    _ content: GeneratedContent, schema: GenerationSchema?
  ) -> Transcript.Response {
    if let schema {
      let segment = Transcript.StructuredSegment(source: schema.name, content: content)
      return Transcript.Response(segments: [.structure(segment)])
    }
    var text = ""
    if case .string(let string) = content.storage { text = string }
    return Transcript.Response(segments: [.text(Transcript.TextSegment(content: text))])
  }
}

extension Slice<Transcript> {
  fileprivate var asSlice: ArraySlice<Transcript.Entry> { ArraySlice(self) }
}
