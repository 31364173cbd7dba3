import EvalSuites
import Synchronization

/// The answer readers of a run, one for each schema, so that each schema is parsed only once.
final class AnswerReaders: Sendable {
  private let readers = Mutex<[String: AnswerReader]>([:])

  /// Returns the reader for answers that should match a schema.
  func reader(of schema: String) -> AnswerReader {
    readers.withLock { readers in
      if let reader = readers[schema] { return reader }
      let reader = AnswerReader(schema: schema)
      readers[schema] = reader
      return reader
    }
  }
}
