/// The reason why a result database could not be opened, read or written.
public struct StoreError: Error, Sendable, Hashable {
  /// The kind of problem.
  public enum Problem: Sendable, Hashable {
    /// The file can't be opened or created.
    case cannotOpen
    /// The file can be read but not written.
    case notWritable
    /// The file is damaged, or is not an SQLite database.
    case damaged
    /// The file is a database of another program.
    case foreign
    /// The file was created by a newer version of Assay.
    case newer(version: Int, supported: Int)
    /// Another process kept the file locked for too long; the reason names the process.
    case busy
    /// The disk is full.
    case full
    /// There is no such run.
    case noSuchRun(Int)
    /// The run is still in progress, in this or another process.
    case runIsActive(Int)
    /// The run already has this attempt.
    case duplicateAttempt
    /// The attempt names a suite, variant, test case or backend that its run doesn't have.
    case unknownAttemptKey
    /// The stored data can't be read as a record.
    case unreadableRecord
    /// SQLite reported another error.
    case failed
  }

  /// The problem.
  public var problem: Problem
  /// The database file.
  public var path: String
  /// The system's or SQLite's message, or further details; empty if there are none.
  public var reason: String
  /// The SQL statement that failed, or `nil` if the error didn't come from a statement.
  public var statement: String?

  /// Creates an error.
  ///
  /// - Parameters:
  ///   - problem: The kind of error.
  ///   - path: The database file.
  ///   - reason: The system's or SQLite's message.
  ///   - statement: The SQL statement that failed.
  public init(_ problem: Problem, path: String, reason: String = "", statement: String? = nil) {
    self.problem = problem
    self.path = path
    self.reason = reason
    self.statement = statement
  }
}

extension StoreError: CustomStringConvertible {
  public var description: String {
    var sentence = "\(path): \(words)"
    if !reason.isEmpty { sentence += ": \(reason)" }
    // `failed` points to a bug or to a changed database, so the statement helps to find the cause.
    // The other problems don't need the statement.
    if problem == .failed, let statement {
      sentence +=
        "; the statement was: "
        + statement.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
    return sentence
  }

  /// The problem in words, without the path and the reason.
  var words: String {
    switch problem {
    case .cannotOpen: "the result database can't be opened"
    case .notWritable: "the result database can't be written"
    case .damaged: "the file is damaged or not a result database; it was not changed"
    case .foreign: "the file is a database of another program; it was not changed"
    case .newer(let version, let supported):
      "the file has format \(version), but this program writes formats up to \(supported); "
        + "use a newer version of Assay"
    case .busy: "another process has locked the result database"
    case .full: "the disk is full; everything that was stored before is safe"
    case .noSuchRun(let id): "there is no run \(id)"
    case .runIsActive(let id): "run \(id) is still running"
    case .duplicateAttempt: "the run already has this attempt"
    case .unknownAttemptKey:
      "the attempt names a suite, variant, test case or backend that its run doesn't have"
    case .unreadableRecord: "a stored record can't be read"
    case .failed: "an operation on the result database failed"
    }
  }
}
