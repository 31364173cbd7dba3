import ConstrainedDecoding
import EvalRecords
import GuidedGeneration
import LocalModels
import StructuredText
import Tokenization

/// The prompt of a test case, ready for decoding.
struct LocalPrompt {
  /// The prompt as text, including the chat format.
  let text: String
  /// The parts of the text that look like control tokens, or `nil` if there are none.
  let lookalikes: [Range<Int>]?
  /// The tokens of the text.
  let tokens: [TokenID]
  /// The compiled schema.
  let automaton: TokenAutomaton
  /// The schema by which answers that were generated without a mask are checked.
  let schema: GenerationSchema
}

/// A worker of a local backend, with a predictor, the automata of recently used schemas, and a
/// batch of the attempts that it is decoding.
///
/// `LocalScheduler` guarantees that only one thread at a time uses a worker.
final class LocalWorker: @unchecked Sendable {
  let model: LocalModel
  let limits: LocalLimits
  let predictor: LlamaPredictor
  let slots: SlotPool
  var automata = AutomatonCache<GrammarKey>()
  var prompts: PromptShelf
  /// The orders whose prompts still have to be evaluated, in order of arrival.
  var arrivals: [Arrival] = []
  /// The batches of the test cases that are being decoded.
  var batches: [CaseBatch] = []
  var use = EvaluationUse()
  /// The earlier answers to draft from, or `nil` to draft nothing.
  let drafts: AnswerDrafts?
  /// Returns the seconds since an arbitrary moment.
  let time: () -> Double
  /// Measures the processor time of each phase, or `nil` to measure nothing.
  let timer: PhaseTimer?
  private let writer: PromptWriter
  private let table: TokenTable
  private let grammarLimits: GrammarLimits
  /// The parsed schemas, keyed by their bytes, so that the worker parses each schema only once.
  private var schemas: [[UInt8]: GenerationSchema] = [:]

  struct GrammarKey: Hashable {
    /// The schema's bytes.
    ///
    /// A string wouldn't do, because two strings can be equal although their bytes differ: Unicode
    /// has several forms for some characters.
    let schema: [UInt8]
    let whitespace: GenerationSettings.Whitespace
  }

  init(
    model: LocalModel, writer: PromptWriter, table: TokenTable, limits: LocalLimits,
    grammarLimits: GrammarLimits = GrammarLimits(), drafts: AnswerDrafts?,
    time: @escaping () -> Double, timer: PhaseTimer?
  ) {
    self.model = model
    self.writer = writer
    self.table = table
    self.limits = limits
    self.grammarLimits = grammarLimits
    self.drafts = drafts
    self.time = time
    self.timer = timer
    predictor = model.makePredictor(slots: limits.slots, contextLength: limits.contextLength)
    slots = SlotPool(0..<limits.slots)
    prompts = PromptShelf(predictor: predictor, slots: slots, mostIdle: limits.idlePrompts)
  }

  /// Returns the rendered prompt and the compiled schema of a request.
  ///
  /// - Parameter request: The request.
  /// - Returns: The prompt, or a failure if the schema can't be enforced or the prompt fills the
  ///   context.
  func prompt(of request: BackendRequest) -> Result<LocalPrompt, AttemptFailure> {
    do {
      let schema = try schema(from: request.schema)
      let automaton = try automaton(for: schema, request)
      let pieces = writer.pieces(of: request, schema)
      let tokens = model.encode(pieces)
      guard tokens.count < predictor.contextLength else {
        return .failure(
          AttemptFailure(
            kind: .promptTooLong,
            message: "the prompt has \(tokens.count) tokens, but the model's context holds "
              + "\(predictor.contextLength); shorten the prompt, or use a model with a `context` "
              + "of more than \(tokens.count)"))
      }
      let lookalikes = model.lookalikes(in: pieces)
      return .success(
        LocalPrompt(
          text: pieces.map(\.written).joined(), lookalikes: lookalikes.isEmpty ? nil : lookalikes,
          tokens: tokens, automaton: automaton,
          schema: request.settings.mask == .on
            ? schema : try self.schema(from: request.answerSchema)))
    } catch {
      return .failure(
        AttemptFailure(kind: .unsupportedGenerationGuide, message: String(describing: error)))
    }
  }

  private func schema(from text: String) throws -> GenerationSchema {
    let bytes = Array(text.utf8)
    if let schema = schemas[bytes] { return schema }
    let schema = try GenerationSchema(json: JSONValue(parsing: text))
    schemas[bytes] = schema
    return schema
  }

  private func automaton(
    for schema: GenerationSchema, _ request: BackendRequest
  ) throws(GrammarError) -> TokenAutomaton {
    let key = GrammarKey(
      schema: Array(request.schema.utf8), whitespace: request.settings.whitespace)
    if let automaton = automata.automaton(for: key) { return automaton }
    let automaton = try CompiledGrammar(
      of: schema, request, table: table, limits: grammarLimits
    ).makeAutomaton()
    automata.insert(automaton, for: key)
    return automaton
  }
}

extension CompiledGrammar {
  /// Compiles the schema of a request.
  init(
    of schema: GenerationSchema, _ request: BackendRequest, table: TokenTable,
    limits: GrammarLimits = GrammarLimits()
  ) throws(GrammarError) {
    try self.init(
      measuringFormat: schema, table: table,
      options: GrammarOptions(
        whitespace: WhitespaceMode(request.settings.whitespace), limits: limits))
  }
}
