import EvalSuites
import Synchronization

/// The readers of a run's schemas, so that each schema is read once and not once for each case.
final class AnswerReaders: Sendable {
  private let readers = Mutex<[String: AnswerReader]>([:])

  /// The reader of the answers to a schema.
  func reader(of schema: String) -> AnswerReader {
    readers.withLock { readers in
      if let reader = readers[schema] { return reader }
      let reader = AnswerReader(schema: schema)
      readers[schema] = reader
      return reader
    }
  }
}
