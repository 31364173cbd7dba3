import ConstrainedDecoding
public import EvalRecords
import GuidedGeneration
public import LocalModels
import StructuredText
import Synchronization
import Tokenization

/// Answers requests with a model that decodes in this process, token by token under an exact mask
/// of the schema.
///
/// All workers share the weights and the vocabulary's tables; each worker has a separate thread,
/// predictor and set of compiled automata. A worker decodes all its current attempts in one batch,
/// even if they have different test cases, variants or suites. Attempts can join and leave the
/// batch at every step, and the same steps evaluate prompts piece by piece. A worker keeps its last
/// prompts, so it doesn't reevaluate what the next prompt has in common with them (instructions and
/// schema).
///
/// ```
/// answers(to:repeats:) ─► scheduler ─► worker: prompt tokens ─► predictor ┐
///                                      schema ─► automaton ─► mask ───────┴► sessions ─► texts
/// ```
///
/// The model's file is mapped into memory once. In addition, each worker has memory for the vectors
/// of 64 tokens and for the logits of up to 32 positions. The workers share `cacheLimit` bytes for
/// keys and values equally. A worker decodes only as many attempts together as fit into its share,
/// but a single attempt may take as much as it needs.
public final class LocalBackend: EvalBackend {
  /// The identity of the backend.
  public let record: BackendRecord

  /// The program's code and the instruction set of this machine, or `nil` if the code isn't known.
  public let engineBuild: String?

  private let table: TokenTable
  private let scheduler: LocalScheduler
  private let used: Shared<EvaluationUse>

  /// The maximum number of attempts that a worker decodes together.
  public static let batchWidth = 32
  /// The maximum number of bytes for the keys and values of all workers.
  public static let cacheLimit = 2 << 30

  /// Creates a backend for a model.
  ///
  /// - Parameters:
  ///   - model: The model.
  ///   - tables: The tables of the model's vocabulary, or `nil` to compute them.
  ///   - id: The id of the backend, which its attempts record.
  ///   - digest: The SHA-256 of the model's file, or `nil` if it isn't known.
  ///   - chatFormat: The format for conversations. `nil` selects the format of the file's template,
  ///     or `plain` if the template's format isn't known.
  ///   - toolVersion: The version of Assay, which becomes part of `record`.
  ///   - build: An identifier of the program's code, or `nil` if it isn't known.
  ///   - isToy: Whether the model is a toy, which only serves to show that the harness works.
  ///   - workers: The maximum number of workers, and of threads. Each worker computes on its own
  ///     thread, and also uses the threads of idle workers.
  ///   - width: The maximum number of attempts that a worker decodes together.
  ///   - cacheLimit: The maximum number of bytes for the keys and values of all workers. If a
  ///     worker decodes only one attempt, the attempt may take as much as it needs.
  ///   - contextLength: The maximum number of tokens in a prompt and its answer together, or `nil`
  ///     for the model's `usualContextLength`.
  ///   - cue: The last line of prompts that show the schema: `nil` for the usual line, or an empty
  ///     string for none.
  ///   - drafts: The earlier answers to draft from, or `nil` to draft nothing. Drafts save time in
  ///     narrow batches. They never change answers.
  ///   - clock: The clock for the duration of answers.
  ///   - processorTime: Returns the processor time of the current thread in seconds, to measure the
  ///     time of each phase. `nil` measures nothing.
  /// - Throws: `MissingControlTokens` if the vocabulary lacks control tokens of the format.
  public init(
    model: LocalModel, tables: VocabularyTables? = nil, id: String = "local", digest: String?,
    chatFormat: ChatFormat? = nil,
    toolVersion: String, build: String? = nil, isToy: Bool,
    workers: Int = 1, width: Int = LocalBackend.batchWidth,
    cacheLimit: Int = LocalBackend.cacheLimit, contextLength: Int? = nil, cue: String? = nil,
    drafts: AnswerDrafts? = AnswerDrafts(),
    clock: any Clock<Duration> = ContinuousClock(),
    processorTime: (@Sendable () -> Double)? = nil
  ) throws(MissingControlTokens) {
    let info = model.info
    let template = try model.chatTemplate(chatFormat)
    // The toy was trained on prompts that end with the input.
    let usualCue = isToy ? nil : PromptWriter.usualCue
    let writer = PromptWriter(
      template: template, cue: cue.map { $0.isEmpty ? nil : $0 } ?? usualCue)
    let table = (tables ?? VocabularyTables(of: model)).table
    self.table = table
    let limits = LocalLimits(
      contextLength: contextLength ?? model.usualContextLength, width: width,
      bytes: cacheLimit / max(1, workers), bytesPerToken: info.bytesPerToken)
    let time = clock.stopwatch()
    let pool = LocalWorkers {
      LocalWorker(
        model: model, writer: writer, table: table, limits: limits, drafts: drafts, time: time,
        timer: processorTime.map { PhaseTimer(now: $0) })
    }
    let used = Shared(EvaluationUse())
    self.used = used
    engineBuild = build.map { "\($0), \(InstructionSet.best.rawValue)" }
    attemptsInWork = max(1, workers) * limits.width
    scheduler = LocalScheduler(workers: workers) { scheduler, number in
      pool.worker(number).work {
        scheduler.orders(for: number, load: $0, limit: limits.width)
      } threads: {
        scheduler.threadsPerWorker
      } count: { use in
        used.value.withLock { $0 = $0 + use }
      }
    }
    record = BackendRecord(
      id: id, model: info.name, modelDigest: digest, parameterCount: info.parameterCount,
      isToy: isToy,
      engine: "assay \(toolVersion), kernels \(LocalModel.kernelVersion), "
        + "\(info.architecture) \(info.quantization), chat format \(template.format.rawValue)"
        + (contextLength.map { ", context \($0)" } ?? "")
        + (cue.map { $0.isEmpty ? ", no cue" : ", cue \($0)" } ?? ""),
      isDeterministic: true)
  }

  /// The maximum number of attempts that all workers together decode at the same time.
  public let attemptsInWork: Int?

  /// The model's work so far.
  public var evaluations: EvaluationUse? { used.value.withLock { $0 } }

  /// Returns all members of the request that shape an answer.
  ///
  /// The stub's answers, the variables and the schema by which answers are judged don't.
  public func sentText(of request: BackendRequest, repeat repeatSeed: RepeatSeed) -> String {
    var sent = request
    (sent.suite, sent.variant, sent.caseID) = ("", "", "")
    // Without a mask, an answer ends where its value does, by the schema that judges it.
    if sent.settings.mask == .on { sent.judgedSchema = nil }
    sent.stubScript = nil
    sent.variables = JSONObject()
    // The reflection of a structure contains every stored property, so none can be forgotten.
    return String(reflecting: sent)
  }

  /// Returns the reason why the engine can't enforce the schema of a request, or `nil` if it can.
  ///
  /// The engine supports all settings.
  public func obstacle(to request: BackendRequest) -> String? {
    do {
      let schema = try GenerationSchema(json: JSONValue(parsing: request.schema))
      _ = try CompiledGrammar(of: schema, request, table: table)
      return nil
    } catch {
      return "can't enforce the schema: \(error)"
    }
  }

  /// Answers a request once per repeat.
  ///
  /// The repeats are decoded in one batch.
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

  /// Answers a request once, and reports the text after every step.
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

  /// Submits an order, and cancels it if its stream is no longer read.
  private func submit<Element>(
    _ order: LocalOrder, _ continuation: AsyncStream<Element>.Continuation
  ) {
    continuation.onTermination = { _ in order.cancel() }
    scheduler.submit(order)
  }
}

/// The tables of a model's vocabulary, from which a local backend computes masks.
public struct VocabularyTables: Sendable {
  let table: TokenTable

  /// Computes the tables, which takes some 50 ms of processor time for 50,000 tokens.
  public init(of model: LocalModel) { table = TokenTable(vocabulary: model.vocabulary) }
}

/// The workers of a backend, each created when it is first needed.
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

/// A value that several threads share, with a lock.
private final class Shared<Value: Sendable>: Sendable {
  let value: Mutex<Value>

  init(_ value: Value) { self.value = Mutex(value) }
}
