import Backends
import EvalFindings
import EvalRecords
import EvalSessions
import LocalModels
import StructuredText
import SystemBasics
import Tokenization

/// The tests that `assay doctor` runs on a model file: its speed, and one decoded answer.
struct ModelCheckup {
  let model: LocalModel
  let chatFormat: ChatFormat?

  /// Tokens per second on one thread.
  struct Speed {
    var prompt: Double
    var decoding: Double
  }

  /// Measures how fast the model reads a prompt and decodes an answer.
  ///
  /// Each measurement takes about a second, or one step if the step takes longer.
  func speed() throws -> Speed {
    let limit = model.info.vocabularySize
    let most = max(1, min(64, model.usualContextLength / 2))
    let tokens = (0..<most).map { TokenID(($0 * 7919 + 11) % limit) }
    let predictor = model.makePredictor(slots: 1, contextLength: most * 2)
    func evaluate(_ tokens: [TokenID]) throws {
      if predictor.length(ofSlot: 0) + tokens.count > predictor.contextLength {
        predictor.rewind(slot: 0, to: 0)
      }
      try predictor.evaluate([PredictorInput(slot: 0, tokens: tokens, wanted: .last)]) { _, _, _ in
      }
    }
    // The first evaluation also reads the file, so don't time it.
    try evaluate([tokens[0]])
    let decoding = try Self.rate(of: 1) { try evaluate([tokens[0]]) }
    // Limit the prompt to as many tokens as the model decodes in a second. The model reads a prompt
    // faster than it decodes, so one step then takes less than a second.
    let size = max(1, min(most, Int(decoding)))
    let prompt = try Self.rate(of: size) { try evaluate(Array(tokens.prefix(size))) }
    return Speed(prompt: prompt, decoding: decoding)
  }

  /// Repeats a step for about a second, and returns the number of tokens per second.
  ///
  /// - Parameters:
  ///   - tokens: The number of tokens that one step evaluates.
  ///   - step: The step.
  private static func rate(of tokens: Int, _ step: () throws -> Void) rethrows -> Double {
    let clock = ContinuousClock()
    let start = clock.now
    var count = 0
    while start.duration(to: clock.now) < .seconds(1) {
      try step()
      count += tokens
    }
    return Double(count) / (start.duration(to: clock.now) / .seconds(1))
  }

  /// Decodes an answer to a built-in prompt, constrained by a small schema.
  func answer() async throws(MissingControlTokens) -> BackendAnswer? {
    let backend = try LocalBackend(
      model: model, digest: nil, chatFormat: chatFormat, toolVersion: AssayProgram.version,
      isToy: false)
    let request = BackendRequest(
      suite: "doctor", variant: "doctor", caseID: "order", schema: Self.schema,
      instructions: "You extract the order from the text.",
      prompt: "Please bring three green teas to the table by the window.",
      settings: GenerationSettings(isGreedy: true, maximumTokens: 64))
    for await answer in backend.answers(
      to: request, repeats: [RepeatSeed(repeatIndex: 0, seed: 1)])
    {
      return answer
    }
    return nil
  }

  /// The schema of the answer: an object with a choice and a bounded number.
  private static let schema = """
    {"title": "Order", "type": "object", "additionalProperties": false,
     "properties": {
       "drink": {"type": "string", "enum": ["coffee", "tea", "water"],
         "description": "What to drink."},
       "count": {"type": "integer", "minimum": 1, "maximum": 9, "description": "How many cups."}},
     "required": ["drink", "count"], "x-order": ["drink", "count"]}
    """

  /// Returns a description of the answer, or the failure if there is no usable answer.
  static func words(for answer: BackendAnswer?) -> Result<String, SessionFailure> {
    guard let answer else {
      return .failure(SessionFailure(.cannotRun, "the model gave no answer to the test case"))
    }
    if let failure = answer.failure {
      return .failure(
        SessionFailure(.cannotRun, "the model failed at the test case: \(failure.message)"))
    }
    guard let value = try? JSONValue(parsing: answer.output), case .object = value else {
      return .failure(
        SessionFailure(
          .cannotRun, "the answer to the test case is not JSON: \(VisibleText.line(answer.output))")
      )
    }
    return .success(
      "\(answer.output) (\(answer.promptTokens) tokens read, \(answer.outputTokens) written)"
    )
  }
}
