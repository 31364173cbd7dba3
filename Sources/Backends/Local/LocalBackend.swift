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
/// automata of its own. A worker keeps the tokens of its last prompt, so that what the next one
/// begins with (instructions and schema, or the whole prompt for a repeat) is not evaluated again.
///
/// ```
/// answers(to:repeats:) ─► a worker from the pool ─► prompt tokens ─► predictor ┐
///                                 schema ─► automaton ─► mask ─────────────────┴► session ─► text
/// ```
public final class LocalBackend: EvalBackend {
  public let record: BackendRecord

  private let model: LocalModel
  private let format: ChatFormat
  private let table: TokenTable
  private let contextLength: Int
  private let queue = DispatchQueue(label: "assay.local", attributes: .concurrent)
  private let idle: Mutex<[LocalWorker]> = Mutex([])

  /// Opens a backend on a model.
  ///
  /// - Parameters:
  ///   - model: The model.
  ///   - id: The id that attempts carry.
  ///   - digest: The SHA-256 of the model's file.
  ///   - chatFormat: How a conversation is written; the format that the file names where it is nil.
  ///   - toolVersion: The version of Assay, for the record.
  ///   - isToy: Whether the model only shows that the harness works.
  public init(
    model: LocalModel, id: String = "local", digest: String?, chatFormat: ChatFormat? = nil,
    toolVersion: String, isToy: Bool
  ) {
    let info = model.info
    self.model = model
    format = chatFormat ?? info.chatFormat ?? .plain
    table = TokenTable(vocabulary: model.vocabulary)
    contextLength = min(info.contextLength, LocalModel.usualContextLength)
    record = BackendRecord(
      id: id, model: info.name, modelDigest: digest, parameterCount: info.parameterCount,
      isToy: isToy,
      engine: "assay \(toolVersion), \(info.architecture) \(info.quantization), "
        + "chat format \(format.rawValue)",
      isDeterministic: true)
  }

  public func answers(
    to request: BackendRequest, repeats: [RepeatSeed]
  ) -> AsyncStream<BackendAnswer> {
    AsyncStream { continuation in
      let isCancelled = CancellationFlag()
      continuation.onTermination = { _ in isCancelled.set() }
      // Decoding computes for seconds: it has threads of its own, so that it never holds one of
      // the few that run everything else.
      queue.async { [self] in
        let worker = takeWorker()
        let prompt = worker.prompt(of: request)
        for repeatSeed in repeats {
          if isCancelled.isSet { break }
          switch prompt {
          case .success(let prompt):
            continuation.yield(
              worker.answer(prompt, request, repeatSeed) { isCancelled.isSet })
          case .failure(let failure):
            continuation.yield(
              BackendAnswer(
                repeatSeed: repeatSeed, output: "", stopReason: .failed, failure: failure,
                renderedPrompt: request.prompt))
          }
        }
        idle.withLock { $0.append(worker) }
        continuation.finish()
      }
    }
  }

  private func takeWorker() -> LocalWorker {
    if let worker = idle.withLock({ $0.popLast() }) { return worker }
    return LocalWorker(
      model: model, format: format, table: table, contextLength: contextLength)
  }
}

/// A flag that is set once, from any thread.
private final class CancellationFlag: Sendable {
  private let flag = Atomic<Bool>(false)

  var isSet: Bool { flag.load(ordering: .relaxed) }

  func set() { flag.store(true, ordering: .relaxed) }
}
