import Backends
import EvalRecords
import GuidedGeneration
import LanguageModelSessions
import Synchronization
import Testing

/// A provider that answers with a closure's result.
private struct ClosureModel: LanguageModel {
  typealias Channel = LanguageModelExecutorGenerationChannel
  typealias Answer =
    @Sendable (LanguageModelExecutorGenerationRequest, Channel) async throws -> Void

  final class Code: Hashable, Sendable {
    let answer: Answer
    let requests = Mutex<[LanguageModelExecutorGenerationRequest]>([])

    init(_ answer: @escaping Answer) { self.answer = answer }

    static func == (left: Code, right: Code) -> Bool { left === right }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
  }

  struct Executor: LanguageModelExecutor {
    let configuration: Code

    init(configuration: Code) { self.configuration = configuration }

    func respond(
      to request: LanguageModelExecutorGenerationRequest, model: ClosureModel,
      streamingInto channel: Channel
    ) async throws {
      configuration.requests.withLock { $0.append(request) }
      try await configuration.answer(request, channel)
    }
  }

  let executorConfiguration: Code
  var capabilities = LanguageModelCapabilities([.guidedGeneration])

  init(_ answer: @escaping Answer) { executorConfiguration = Code(answer) }

  init(text: String) {
    self.init { _, channel in
      for character in text {
        await channel.send(.response(action: .appendText(String(character), tokenCount: 1)))
      }
      await channel.send(
        .response(
          action: .updateUsage(
            input: .init(totalTokenCount: 30, cachedTokenCount: 0),
            output: .init(totalTokenCount: text.count, reasoningTokenCount: 0))))
    }
  }

  var requests: [LanguageModelExecutorGenerationRequest] {
    executorConfiguration.requests.withLock { $0 }
  }
}

@Suite("Providers as backends")
struct ProviderBackendTests {
  private static let schema = """
    {"title": "Soup", "type": "object", "additionalProperties": false, "required": ["name"],
     "properties": {"name": {"type": "string", "description": "As on the card"}}}
    """

  private func answers(
    of model: ClosureModel, settings: GenerationSettings = GenerationSettings(),
    schema: String = schema, repeats: Int = 1
  ) async -> [BackendAnswer] {
    let backend = ProviderBackend(model, id: "provider", name: "closure")
    let request = BackendRequest(
      suite: "s", variant: "v", caseID: "c", schema: schema, instructions: "Choose.",
      prompt: "What is for lunch?", settings: settings)
    var answers: [BackendAnswer] = []
    let seeds = (0..<repeats).map { RepeatSeed(repeatIndex: $0, seed: 7 + UInt64($0)) }
    for await answer in backend.answers(to: request, repeats: seeds) { answers.append(answer) }
    return answers
  }

  @Test("each repeat's request has the schema, the instructions, the prompt and a separate seed")
  func requests() async {
    let model = ClosureModel(text: #"{"name": "Leek"}"#)
    let answers = await answers(
      of: model, settings: GenerationSettings(temperature: 0.5, topP: 0.9, maximumTokens: 50),
      repeats: 2)
    #expect(answers.map(\.output) == [#"{"name": "Leek"}"#, #"{"name": "Leek"}"#])
    #expect(answers.map(\.repeatSeed.repeatIndex) == [0, 1])
    #expect(answers.map(\.promptTokens) == [30, 30])
    #expect(answers.allSatisfy { $0.failure == nil && $0.stopReason == .complete })
    #expect(
      answers[0].renderedPrompt == """
        Choose.

        Answer with JSON of type Soup.
        Soup {
          name: string // As on the card
        }

        What is for lunch?
        """)
    let request = model.requests[1]
    #expect(
      request.generationOptions
        == GenerationOptions(
          samplingMode: .random(probabilityThreshold: 0.9, seed: 8), temperature: 0.5,
          maximumResponseTokens: 50))
    #expect(request.schema?.name == "Soup")
    #expect(
      request.transcript.map(\.description)
        == ["(Instructions) Choose.", "(Prompt) What is for lunch?"])
    #expect(model.requests[0].id != request.id)
  }

  @Test("the backend sends a conversation as a transcript, and reports the answer as it arrives")
  func progress() async {
    let model = ClosureModel { _, channel in
      await channel.send(.response(action: .appendText("{\"name\": ", tokenCount: 1)))
      await channel.send(.response(action: .appendText("\"Le", tokenCount: 1)))
      await channel.send(
        .response(action: .replaceTextSegment("{\"name\": \"Pea\"}", tokenCount: 1)))
    }
    let request = BackendRequest(
      suite: "s", variant: "v", caseID: "c", schema: Self.schema, instructions: "Choose.",
      history: [ConversationTurn(.user, "Soup?"), ConversationTurn(.model, "Leek.")],
      prompt: "And now?", settings: GenerationSettings())
    var texts: [String] = []
    var answers: [String] = []
    let backend = ProviderBackend(model, id: "provider", name: "closure")
    for await step in backend.progress(on: request, repeat: RepeatSeed(repeatIndex: 0, seed: 1)) {
      switch step {
      case .text(let text): texts.append(text)
      case .answer(let answer): answers.append(answer.output)
      }
    }
    #expect(texts == ["{\"name\": ", "{\"name\": \"Le", "{\"name\": \"Pea\"}"])
    #expect(answers == ["{\"name\": \"Pea\"}"])
    #expect(
      model.requests[0].transcript.map(\.description)
        == [
          "(Instructions) Choose.", "(Prompt) Soup?", "(Response) Leek.", "(Prompt) And now?",
        ])
  }

  static let errors: [(any Error, AttemptFailure.Kind, StopReason)] = [
    (
      LanguageModelError.refusal(.init(explanation: "no", debugDescription: "refused")), .refusal,
      .refusal
    ),
    (
      LanguageModelError.guardrailViolation(.init(debugDescription: "unsafe")), .refusal, .refusal
    ),
    (
      LanguageModelError.contextSizeExceeded(
        .init(contextSize: 1, tokenCount: 2, debugDescription: "long")), .contextSizeExceeded,
      .contextFull
    ),
    (LanguageModelError.timeout(.init(debugDescription: "late")), .timeout, .failed),
    (
      LanguageModelSession.GenerationError.rateLimited(.init(debugDescription: "busy")),
      .rateLimited, .failed
    ),
    (
      LanguageModelSession.GenerationError.decodingFailure(.init(debugDescription: "bad")),
      .malformedOutput, .failed
    ),
    (
      GeneratedContent.ParsingError(rawContent: #"{"na"#, debugDescription: "short"), .truncated,
      .tokenLimit
    ),
    (CancellationError(), .backend, .failed),
  ]

  @Test("a provider's error becomes a failure of the matching kind, and the text so far is kept")
  func failures() async {
    for (error, kind, reason) in Self.errors {
      let model = ClosureModel { _, channel in
        await channel.send(.response(action: .appendText("{", tokenCount: 1)))
        throw error
      }
      let answer = await answers(of: model)[0]
      #expect(answer.failure?.kind == kind, "\(error)")
      #expect(answer.stopReason == reason, "\(error)")
      #expect(answer.output == "{")
    }
  }

  @Test(
    "an attempt fails if its answer is cut off or calls a tool, or if the model can't use schemas")
  func unusable() async {
    #expect(await answers(of: ClosureModel(text: #"{"name": "Le"#))[0].failure?.kind == .truncated)
    let caller = ClosureModel { _, channel in
      await channel.send(
        .toolCalls(
          action: .toolCall(
            id: "1", name: "menu", action: .appendArguments("{}", tokenCount: 1))))
    }
    #expect(await answers(of: caller)[0].failure?.kind == .malformedOutput)
    // The runner checks every answer against its schema, so the backend returns even a wrong
    // answer.
    let wrong = await answers(of: ClosureModel(text: #"{"name": 3}"#))[0]
    #expect(wrong.failure == nil)
    #expect(wrong.output == #"{"name": 3}"#)
    var free = ClosureModel(text: "Leek")
    free.capabilities = LanguageModelCapabilities([])
    #expect(await answers(of: free)[0].failure?.kind == .unsupportedGenerationGuide)
    #expect(free.requests.isEmpty)
    let bad = await answers(of: ClosureModel(text: "{}"), schema: #"{"type": "tuple"}"#)[0]
    #expect(bad.failure?.kind == .unsupportedGenerationGuide)
  }
}
