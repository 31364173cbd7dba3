import ConstrainedDecoding
import EvalRecords
import GuidedGeneration
import LocalModels
import StructuredText
import Tokenization

/// A case's prompt, ready to be decoded from.
struct LocalPrompt {
  /// The prompt as text, chat format included.
  let text: String
  /// Its tokens.
  let tokens: [TokenID]
  /// The compiled schema.
  let automaton: TokenAutomaton
}

/// One thread's share of a local backend: a predictor, and automata of the schemas it has seen.
///
/// It is used by one thread at a time; the pool in `LocalBackend` hands it over.
final class LocalWorker: @unchecked Sendable {
  private let model: LocalModel
  private let writer: PromptWriter
  private let table: TokenTable
  private let limits: LocalLimits
  private let clock: any Clock<Duration>
  private let predictor: any TokenPredictor
  private var automata = AutomatonCache<GrammarKey>()
  private var prompts: PromptCache
  /// The schemas that were read, by their bytes: a schema is parsed once, not for every case.
  private var schemas: [[UInt8]: GenerationSchema] = [:]

  private struct GrammarKey: Hashable {
    /// The schema's bytes: strings are equal where only their normal forms differ, schemas are not.
    let schema: [UInt8]
    let whitespace: GenerationSettings.Whitespace
  }

  init(
    model: LocalModel, writer: PromptWriter, table: TokenTable, limits: LocalLimits,
    clock: any Clock<Duration>
  ) {
    self.model = model
    self.writer = writer
    self.table = table
    self.limits = limits
    self.clock = clock
    predictor = model.makePredictor(
      slots: limits.prompts + 2 * limits.repeats, contextLength: limits.contextLength)
    prompts = PromptCache(slots: 0..<limits.prompts)
  }

  /// Renders and compiles what a request asks.
  ///
  /// - Parameter request: The request.
  /// - Returns: The prompt, or why there can be none: a schema that can't be enforced, or a prompt
  ///   that fills the context.
  func prompt(of request: BackendRequest) -> Result<LocalPrompt, AttemptFailure> {
    do {
      let schema = try schema(of: request)
      let automaton = try automaton(for: schema, request)
      let pieces = writer.pieces(of: request, schema)
      let tokens = model.encode(pieces)
      guard tokens.count < predictor.contextLength else {
        return .failure(
          AttemptFailure(
            kind: .contextSizeExceeded,
            message: "the prompt has \(tokens.count) tokens, and the model's context holds "
              + "\(predictor.contextLength)"))
      }
      return .success(
        LocalPrompt(
          text: pieces.map(\.written).joined(), tokens: tokens, automaton: automaton))
    } catch {
      return .failure(
        AttemptFailure(kind: .unsupportedGenerationGuide, message: String(describing: error)))
    }
  }

  private func schema(of request: BackendRequest) throws -> GenerationSchema {
    let bytes = Array(request.schema.utf8)
    if let schema = schemas[bytes] { return schema }
    let schema = try GenerationSchema(json: JSONValue(parsing: request.schema))
    schemas[bytes] = schema
    return schema
  }

  private func automaton(
    for schema: GenerationSchema, _ request: BackendRequest
  ) throws(GrammarError) -> TokenAutomaton {
    let key = GrammarKey(
      schema: Array(request.schema.utf8), whitespace: request.settings.whitespace)
    if let automaton = automata.automaton(for: key) { return automaton }
    let options = GrammarOptions(whitespace: WhitespaceMode(request.settings.whitespace))
    let automaton = try CompiledGrammar(
      measuringFormat: schema, table: table, options: options
    ).makeAutomaton()
    automata.insert(automaton, for: key)
    return automaton
  }

  /// Answers a request once for each repeat.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - repeats: The repeats.
  ///   - isCancelled: Whether to stop; asked for every token.
  ///   - show: Gets the output of a single repeat as far as it has come; where it is given,
  ///     decisions and steps are not recorded.
  ///   - finish: Gets the answers as they finish.
  /// - Returns: What was evaluated.
  func answer(
    _ request: BackendRequest, _ repeats: [RepeatSeed], isCancelled: () -> Bool,
    show: ((String) -> Void)? = nil, finish: (BackendAnswer) -> Void
  ) -> EvaluationUse {
    func fail(_ failure: AttemptFailure, _ prompt: String) -> EvaluationUse {
      for repeatSeed in repeats where !isCancelled() {
        finish(
          BackendAnswer(
            repeatSeed: repeatSeed, output: "", stopReason: .failed, failure: failure,
            renderedPrompt: prompt))
      }
      return EvaluationUse()
    }
    let elapsed = clock.stopwatch()
    let prompt: LocalPrompt
    switch self.prompt(of: request) {
    case .success(let value): prompt = value
    case .failure(let failure): return fail(failure, request.prompt)
    }
    let checked = request.settings.mask == .on ? nil : try? schema(of: request)
    func give(_ answer: BackendAnswer) {
      finish(checked.map { answer.checked(against: $0) } ?? answer)
    }
    var use = EvaluationUse()
    let slot: Int
    let logits: [Float]
    do {
      (slot, logits) = try prompts.prepare(prompt.tokens, on: predictor, counting: &use)
    } catch {
      return fail(
        AttemptFailure(kind: .backend, message: String(describing: error)), prompt.text)
    }
    let settings = SamplingSettings(request.settings)
    let recording = DecodingRecording(
      decisions: show == nil, pressureKinds: show == nil, trace: show == nil)
    let policy = TokenizationPolicy(request.settings.tokenization, model.tokenizer)
    var automaton = prompt.automaton
    var batch = RepeatBatch(
      prompt: prompt, settings: request.settings, predictor: predictor, promptSlot: slot,
      promptLogits: logits, slots: limits.prompts..<limits.prompts + 2 * limits.repeats
    ) { repeatSeed in
      // A later repeat gets a fresh one where those before it have filled it up.
      automaton = self.automata.usable(automaton)
      return DecodingSession(
        automaton: automaton, settings: settings, seed: repeatSeed.seed,
        repeat: repeatSeed.repeatIndex, tokenization: policy,
        isMasked: request.settings.mask == .on,
        recording: recording)
    }
    // The first round also takes the time of the prompt.
    batch.run(
      repeats,
      width: limits.width(promptTokens: prompt.tokens.count, request.settings.maximumTokens),
      clock: elapsed, start: 0, isCancelled: isCancelled,
      show: show, finish: give)
    return use + batch.use
  }
}
