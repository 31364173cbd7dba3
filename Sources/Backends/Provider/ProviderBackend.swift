public import EvalRecords
import GuidedGeneration
public import LanguageModelSessions
import StructuredText
import SystemBasics

/// A backend for a model that implements Apple's provider protocol (OS 27).
///
/// The backend sends one request per repeat to the model's executor.
///
/// ```
/// BackendRequest ─► transcript (instructions, history, prompt) + schema + options
///                                                                 └─► executor ─► text
/// ```
///
/// The answers have no decisions and no trace, because the protocol doesn't expose probabilities.
public struct ProviderBackend: EvalBackend {
  /// The identity of the backend.
  public let record: BackendRecord

  private let model: any LanguageModel
  private let clock: any Clock<Duration>

  /// Creates a backend for a model.
  ///
  /// - Parameters:
  ///   - model: The model.
  ///   - id: The backend's id, which is stored with each attempt.
  ///   - name: The name of the model, which becomes part of `record`.
  ///   - isDeterministic: Whether the model gives equal answers to equal requests with equal seeds.
  ///   - clock: The clock for the duration of answers.
  public init(
    _ model: any LanguageModel, id: String, name: String, isDeterministic: Bool = false,
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    self.model = model
    self.clock = clock
    record = BackendRecord(
      id: id, model: name, engine: "provider \(type(of: model))", isDeterministic: isDeterministic)
  }

  /// Returns the request without its variables, which the model doesn't see.
  public func sentText(of request: BackendRequest, repeat repeatSeed: RepeatSeed) -> String {
    request.textWithoutVariables
  }

  /// Answers a request once per repeat, one repeat after the other.
  public func answers(
    to request: BackendRequest, repeats: [RepeatSeed]
  ) -> AsyncStream<BackendAnswer> {
    .working { continuation in
      for repeatSeed in repeats {
        if Task.isCancelled { break }
        continuation.yield(await answer(to: request, repeatSeed))
      }
    }
  }

  /// Answers a request once, and reports the text as the model sends it.
  public func progress(
    on request: BackendRequest, repeat repeatSeed: RepeatSeed
  ) -> AsyncStream<AnswerProgress> {
    .working { continuation in
      let answer = await answer(to: request, repeatSeed) { continuation.yield(.text($0)) }
      continuation.yield(.answer(answer))
    }
  }

  private func answer(
    to request: BackendRequest, _ repeatSeed: RepeatSeed, update: ((String) -> Void)? = nil
  ) async -> BackendAnswer {
    let elapsed = clock.stopwatch()
    var answer = BackendAnswer(
      repeatSeed: repeatSeed, output: "", stopReason: .complete, renderedPrompt: request.prompt)
    let generation: LanguageModelExecutorGenerationRequest
    do throws(SchemaReadError) {
      generation = try LanguageModelExecutorGenerationRequest(request, repeatSeed)
    } catch {
      answer.fail(AttemptFailure(kind: .unsupportedGenerationGuide, message: "\(error)"))
      return answer
    }
    answer.renderedPrompt = [generation.systemText, request.prompt].filter { !$0.isEmpty }
      .joined(separator: "\n\n")
    guard model.capabilities.contains(.guidedGeneration) else {
      answer.fail(
        AttemptFailure(
          kind: .unsupportedGenerationGuide, message: "the model doesn't support schemas"))
      return answer
    }
    let given = await model.answer(to: generation, update: update)
    answer.output = given.text
    answer.promptTokens = given.usage.input.totalTokenCount
    answer.outputTokens = given.usage.output.totalTokenCount
    answer.duration = elapsed()
    if let failure = given.failure {
      answer.fail(AttemptFailure(failure))
    } else if let tool = given.toolNames.first {
      answer.fail(
        AttemptFailure(
          kind: .malformedOutput,
          message: "the model called the tool \(tool), but the request offers no tools"))
    } else if (try? GeneratedContent(json: given.text))?.isComplete == false {
      answer.fail(
        AttemptFailure(kind: .truncated, message: "the answer ended before its value was complete"))
    }
    return answer
  }
}

extension BackendAnswer {
  fileprivate mutating func fail(_ failure: AttemptFailure) {
    self.failure = failure
    switch failure.kind {
    case .truncated: stopReason = .tokenLimit
    case .contextSizeExceeded: stopReason = .contextFull
    case .refusal: stopReason = .refusal
    default: stopReason = .failed
    }
  }
}

extension LanguageModelExecutorGenerationRequest {
  /// Creates a request for one repeat of a test case.
  ///
  /// The request's id is derived from the seed and the repeat's index.
  fileprivate init(
    _ request: BackendRequest, _ repeatSeed: RepeatSeed
  ) throws(SchemaReadError) {
    let schema: GenerationSchema
    do {
      schema = try GenerationSchema(json: JSONValue(parsing: request.schema))
    } catch let error as SchemaReadError {
      throw error
    } catch {
      throw SchemaReadError(at: "#", .invalidValue("\(error)"))
    }
    func segments(_ text: String) -> [Transcript.Segment] {
      [.text(.init(id: "text", content: text))]
    }
    let options = GenerationOptions(request.settings, seed: repeatSeed.seed)
    let context = ContextOptions(
      includeSchemaInPrompt: request.includesSchemaInPrompt
        && request.settings.outline != .none)
    var transcript = Transcript()
    if let instructions = request.instructions, !instructions.isEmpty {
      transcript.append(
        .instructions(
          .init(id: "instructions", segments: segments(instructions), toolDefinitions: [])))
    }
    for (position, turn) in request.history.enumerated() {
      let id = "turn-\(position)"
      switch turn.speaker {
      case .user: transcript.append(.prompt(.init(id: id, segments: segments(turn.text))))
      case .model: transcript.append(.response(.init(id: id, segments: segments(turn.text))))
      }
    }
    transcript.append(
      .prompt(
        .init(
          id: "prompt", segments: segments(request.prompt), options: options,
          responseFormat: .init(schema: schema), contextOptions: context)))
    self.init(
      id: UUID(seed: repeatSeed.seed, index: repeatSeed.repeatIndex), transcript: transcript,
      enabledTools: [], schema: schema, generationOptions: options, contextOptions: context,
      metadata: [:])
  }
}

extension UUID {
  /// Creates an id from a seed and the index of a repeat, so that equal runs send equal requests.
  fileprivate init(seed: UInt64, index: Int) {
    var generator = SplitMix(seed: seed ^ UInt64(truncatingIfNeeded: index))
    let (high, low) = (generator.next(), generator.next())
    func byte(_ word: UInt64, _ position: UInt64) -> UInt8 {
      UInt8(truncatingIfNeeded: word >> (8 * position))
    }
    self.init(
      uuid: (
        byte(high, 0), byte(high, 1), byte(high, 2), byte(high, 3), byte(high, 4), byte(high, 5),
        byte(high, 6), byte(high, 7), byte(low, 0), byte(low, 1), byte(low, 2), byte(low, 3),
        byte(low, 4), byte(low, 5), byte(low, 6), byte(low, 7)
      ))
  }
}
