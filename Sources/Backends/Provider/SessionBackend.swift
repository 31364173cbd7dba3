import EvalRecords
import GuidedGeneration
import LanguageModelSessions
import Synchronization
import SystemBasics

/// Passes the requests of a session to a backend, and the backend's answers to the session.
final class SessionBackend: Hashable, Sendable {
  static let capabilities = LanguageModelCapabilities([.guidedGeneration, .toolCalling])

  private let backend: any EvalBackend
  private let settings: GenerationSettings
  private let seed: UInt64
  private let script: StubScript?
  private let contextSize: Int?
  private let answerCount = Mutex(0)

  init(
    _ backend: any EvalBackend, settings: GenerationSettings, seed: UInt64,
    script: StubScript? = nil, contextSize: Int? = nil
  ) {
    self.backend = backend
    self.settings = settings
    self.seed = seed
    self.script = script
    self.contextSize = contextSize
  }

  static func == (left: SessionBackend, right: SessionBackend) -> Bool { left === right }

  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

  nonisolated(nonsending) func respond(
    to request: LanguageModelExecutorGenerationRequest,
    streamingInto channel: LanguageModelExecutorGenerationChannel
  ) async throws {
    let form = AnswerForm(request)
    var text = GrowingText()
    var last: BackendAnswer?
    let progress = backend.progress(
      on: backendRequest(request, form), repeat: repeatSeed(request.generationOptions))
    for await step in progress {
      switch step {
      case .text(let output):
        if let soFar = form.textSoFar(output) { await text.send(soFar, to: channel) }
      case .answer(let answer): last = answer
      }
    }
    let answer = try finished(last, form)
    await channel.send(
      .response(
        action: .updateUsage(
          input: .init(totalTokenCount: answer.promptTokens, cachedTokenCount: 0),
          output: .init(totalTokenCount: answer.outputTokens, reasoningTokenCount: 0))))
    switch form.step(answer.output) {
    case .answer(let whole): await text.send(whole, to: channel)
    case .call(let name, let arguments):
      await channel.send(
        .toolCalls(
          action: .toolCall(
            id: "call-\(request.transcript.count)", name: name,
            action: .appendArguments(arguments, tokenCount: answer.outputTokens))))
    case nil:
      throw GeneratedContent.ParsingError(
        rawContent: answer.output,
        debugDescription: "the backend's answer doesn't match the schema \(form.schema.name)")
    }
  }

  private func backendRequest(
    _ request: LanguageModelExecutorGenerationRequest, _ form: AnswerForm
  ) -> BackendRequest {
    let conversation = Conversation(request.transcript)
    return BackendRequest(
      suite: "session", variant: "default", caseID: request.id.uuidString,
      schema: form.schema.debugDescription, instructions: conversation.instructions,
      history: conversation.history, prompt: conversation.prompt,
      settings: settings.changed(by: request.generationOptions),
      includesSchemaInPrompt: request.contextOptions.includeSchemaInPrompt ?? true,
      stubScript: script)
  }

  private func finished(_ last: BackendAnswer?, _ form: AnswerForm) throws -> BackendAnswer {
    guard let last else {
      try Task.checkCancellation()
      throw AttemptFailure(kind: .backend, message: "the backend gave no answer")
    }
    guard let failure = last.failure else { return last }
    throw failure.error(
      output: last.output, schema: form.schema.name, contextSize: contextSize,
      tokenCount: last.promptTokens)
  }

  /// Returns repeat 0 with the app's seed or, if the app chose none, the next repeat with the
  /// model's seed.
  private func repeatSeed(_ options: GenerationOptions) -> RepeatSeed {
    if let seed = options.sampling?.seed { return RepeatSeed(repeatIndex: 0, seed: seed) }
    let index = answerCount.withLock { count in
      defer { count += 1 }
      return count
    }
    return RepeatSeed(repeatIndex: index, seed: seed)
  }
}
