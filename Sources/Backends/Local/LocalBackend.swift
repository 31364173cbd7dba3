import ConstrainedDecoding
import Dispatch
public import EvalRecords
import GuidedGeneration
public import LocalModels
import StructuredText
import Synchronization
import Tokenization

/// Answers with a model in this process, decoding token by token under an exact mask of the schema.
///
/// The weights and the vocabulary's tables are shared; each worker has a predictor and compiled
/// automata of its own. A worker keeps its last prompts, so that what the next one begins with
/// (instructions and schema) is not evaluated again, and decodes the repeats of a case together.
///
/// ```
/// answers(to:repeats:) ─► a worker from the pool ─► prompt tokens ─► predictor ┐
///                                 schema ─► automaton ─► mask ─────────────────┴► sessions ─► texts
/// ```
///
/// Memory beside the file, which is mapped once: each worker has the vectors of 64 tokens, the
/// logits of up to 32 positions, four prompts, and up to `cacheLimit` bytes of keys and values for
/// answers; as many repeats are decoded together as fit into that.
public final class LocalBackend: EvalBackend {
  public let record: BackendRecord

  private let model: LocalModel
  private let writer: PromptWriter
  private let table: TokenTable
  private let limits: LocalLimits
  private let clock: any Clock<Duration>
  private let queue = DispatchQueue(label: "assay.local", attributes: .concurrent)
  private let idle: Mutex<[LocalWorker]> = Mutex([])
  private let used = Mutex(EvaluationUse())

  /// The most repeats of a case that are decoded together.
  public static let batchWidth = 32
  /// The most bytes of keys and values that a worker's answers take together.
  public static let cacheLimit = 512 << 20

  /// Opens a backend on a model.
  ///
  /// - Parameters:
  ///   - model: The model.
  ///   - id: The id that attempts carry.
  ///   - digest: The SHA-256 of the model's file.
  ///   - chatFormat: How a conversation is written; the format that the file names where it is nil.
  ///   - toolVersion: The version of Assay, for the record.
  ///   - isToy: Whether the model only shows that the harness works.
  ///   - repeats: The most repeats of a case that are decoded together.
  ///   - cacheLimit: The most bytes of keys and values that the answers of a worker take together;
  ///     a single answer may take what it needs.
  ///   - clock: The clock that measures how long answers take.
  public init(
    model: LocalModel, id: String = "local", digest: String?, chatFormat: ChatFormat? = nil,
    toolVersion: String, isToy: Bool, repeats: Int = LocalBackend.batchWidth,
    cacheLimit: Int = LocalBackend.cacheLimit, clock: any Clock<Duration> = ContinuousClock()
  ) {
    let info = model.info
    self.model = model
    self.clock = clock
    let format = chatFormat ?? info.chatFormat ?? .plain
    // The toy was trained on prompts that end with the input.
    writer = PromptWriter(format: format, cue: isToy ? nil : PromptWriter.usualCue)
    table = TokenTable(vocabulary: model.vocabulary)
    limits = LocalLimits(
      contextLength: model.usualContextLength, repeats: repeats,
      byteLimit: cacheLimit, bytesPerToken: info.bytesPerToken)
    record = BackendRecord(
      id: id, model: info.name, modelDigest: digest, parameterCount: info.parameterCount,
      isToy: isToy,
      engine: "assay \(toolVersion), kernels \(LocalModel.kernelVersion), "
        + "\(info.architecture) \(info.quantization), chat format \(format.rawValue)",
      isDeterministic: true)
  }

  public var evaluations: EvaluationUse? { used.withLock { $0 } }

  /// Nothing is in the way.
  public func obstacle(to settings: GenerationSettings) -> String? { nil }

  public func answers(
    to request: BackendRequest, repeats: [RepeatSeed]
  ) -> AsyncStream<BackendAnswer> {
    working { worker, isCancelled, give in
      worker.answer(request, repeats, isCancelled: isCancelled, finish: give)
    }
  }

  public func progress(
    on request: BackendRequest, repeat repeatSeed: RepeatSeed
  ) -> AsyncStream<AnswerProgress> {
    working { worker, isCancelled, give in
      worker.answer(
        request, [repeatSeed], isCancelled: isCancelled, show: { give(.text($0)) },
        finish: { give(.answer($0)) })
    }
  }

  /// A stream of what a worker gives, which stops when nobody reads on.
  private func working<Element: Sendable>(
    _ work:
      @escaping @Sendable (LocalWorker, () -> Bool, @escaping (Element) -> Void) -> EvaluationUse
  ) -> AsyncStream<Element> {
    AsyncStream { continuation in
      let isCancelled = CancellationFlag()
      continuation.onTermination = { _ in isCancelled.set() }
      // Decoding computes for seconds: it has threads of its own, so that it never holds one of
      // the few that run everything else.
      queue.async { [self] in
        let worker = takeWorker()
        let use = work(worker, { isCancelled.isSet }, { continuation.yield($0) })
        used.withLock { $0 = $0 + use }
        idle.withLock { $0.append(worker) }
        continuation.finish()
      }
    }
  }

  private func takeWorker() -> LocalWorker {
    if let worker = idle.withLock({ $0.popLast() }) { return worker }
    return LocalWorker(
      model: model, writer: writer, table: table, limits: limits, clock: clock)
  }
}

/// A flag that is set once, from any thread.
private final class CancellationFlag: Sendable {
  private let flag = Atomic<Bool>(false)

  var isSet: Bool { flag.load(ordering: .relaxed) }

  func set() { flag.store(true, ordering: .relaxed) }
}
