import ConstrainedDecoding
public import EvalRecords
public import LocalModels
import Synchronization
import Tokenization

/// Answers with a model in this process, which decodes token by token under an exact mask of the
/// schema.
///
/// The weights and the vocabulary's tables are shared; each worker has a thread, a predictor and
/// compiled automata of its own. All attempts that are asked for at a time, whatever their case, variant
/// or suite, decode in one batch per worker: they join and leave it at every step, and prompts are
/// evaluated in pieces beside them. A worker keeps its last prompts, so that what the next one begins
/// with (instructions and schema) is not evaluated again.
///
/// ```
/// answers(to:repeats:) ─► scheduler ─► worker: prompt tokens ─► predictor ┐
///                                      schema ─► automaton ─► mask ───────┴► sessions ─► texts
/// ```
///
/// Memory beside the file, which is mapped once: each worker has the vectors of 64 tokens, the
/// logits of up to 32 positions, and its share of `cacheLimit` bytes for the keys and values of prompts
/// and answers; as many attempts are decoded together as surely fit into that.
public final class LocalBackend: EvalBackend {
  public let record: BackendRecord

  private let scheduler: LocalScheduler
  private let used: Shared<EvaluationUse>

  /// The most attempts that decode together in a worker.
  public static let batchWidth = 32
  /// The most bytes of keys and values in all workers together.
  public static let cacheLimit = 1 << 30

  /// Creates a backend for a model.
  ///
  /// - Parameters:
  ///   - model: The model.
  ///   - id: The id for attempts.
  ///   - digest: The SHA-256 of the model's file.
  ///   - chatFormat: The format for conversations; nil for the format that the file names.
  ///   - toolVersion: The version of Assay, for the record.
  ///   - isToy: Whether the model only shows that the harness works.
  ///   - workers: The most workers, each of which computes on one thread.
  ///   - width: The most attempts that decode together in a worker.
  ///   - cacheLimit: The most bytes of keys and values in all workers together; a single attempt of a
  ///     worker may take what it needs.
  ///   - clock: The clock that measures how long answers take.
  public init(
    model: LocalModel, id: String = "local", digest: String?, chatFormat: ChatFormat? = nil,
    toolVersion: String, isToy: Bool,
    workers: Int = 1, width: Int = LocalBackend.batchWidth,
    cacheLimit: Int = LocalBackend.cacheLimit, clock: any Clock<Duration> = ContinuousClock()
  ) {
    let info = model.info
    let format = chatFormat ?? info.chatFormat ?? .plain
    // The toy was trained on prompts that end with the input.
    let writer = PromptWriter(format: format, cue: isToy ? nil : PromptWriter.usualCue)
    let table = TokenTable(vocabulary: model.vocabulary)
    let limits = LocalLimits(
      contextLength: model.usualContextLength, width: width,
      bytes: cacheLimit / max(1, workers), bytesPerToken: info.bytesPerToken)
    let pool = LocalWorkers {
      LocalWorker(model: model, writer: writer, table: table, limits: limits, clock: clock)
    }
    let used = Shared(EvaluationUse())
    self.used = used
    attemptsInWork = max(1, workers) * limits.width
    scheduler = LocalScheduler(workers: workers) { scheduler, number in
      pool.worker(number).work {
        scheduler.orders(for: number, load: $0, limit: limits.width)
      } count: { use in
        used.value.withLock { $0 = $0 + use }
      }
    }
    record = BackendRecord(
      id: id, model: info.name, modelDigest: digest, parameterCount: info.parameterCount,
      isToy: isToy,
      engine: "assay \(toolVersion), kernels \(LocalModel.kernelVersion), "
        + "\(info.architecture) \(info.quantization), chat format \(format.rawValue)",
      isDeterministic: true)
  }

  public let attemptsInWork: Int?

  public var evaluations: EvaluationUse? { used.value.withLock { $0 } }

  /// Nil: all settings are supported.
  public func obstacle(to settings: GenerationSettings) -> String? { nil }

  public func answers(
    to request: BackendRequest, repeats: [RepeatSeed]
  ) -> AsyncStream<BackendAnswer> {
    AsyncStream { continuation in
      submit(
        LocalOrder(
          request: request, repeats: repeats, finish: { continuation.yield($0) },
          end: { continuation.finish() }), continuation)
    }
  }

  public func progress(
    on request: BackendRequest, repeat repeatSeed: RepeatSeed
  ) -> AsyncStream<AnswerProgress> {
    AsyncStream { continuation in
      submit(
        LocalOrder(
          request: request, repeats: [repeatSeed], show: { continuation.yield(.text($0)) },
          finish: { continuation.yield(.answer($0)) }, end: { continuation.finish() }),
        continuation)
    }
  }

  /// Has an order answered until nobody reads on.
  private func submit<Element>(
    _ order: LocalOrder, _ continuation: AsyncStream<Element>.Continuation
  ) {
    continuation.onTermination = { _ in order.cancel() }
    scheduler.submit(order)
  }
}

/// The workers of a backend, each made when it is first needed.
private final class LocalWorkers: Sendable {
  private let workers: Mutex<[Int: LocalWorker]> = Mutex([:])
  private let make: @Sendable () -> LocalWorker

  init(make: @escaping @Sendable () -> LocalWorker) { self.make = make }

  func worker(_ number: Int) -> LocalWorker {
    if let worker = workers.withLock({ $0[number] }) { return worker }
    let worker = make()
    workers.withLock { $0[number] = worker }
    return worker
  }
}

/// A value that several threads change, one at a time.
private final class Shared<Value: Sendable>: Sendable {
  let value: Mutex<Value>

  init(_ value: Value) { self.value = Mutex(value) }
}
