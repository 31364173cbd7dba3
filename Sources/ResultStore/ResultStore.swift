import EvalRecords
import StructuredText
import Synchronization
import SystemBasics

/// A database of results, which keeps runs and their attempts in one SQLite file.
///
/// Each finished attempt is stored in its own transaction, so no finished attempt is lost if a run
/// is killed. The file is in WAL mode with `synchronous = NORMAL`. A commit always survives the end
/// of the process. A power failure may lose the last commits but never damages the file. The file
/// contains each distinct text (prompt, schema, output) only once, under its SHA-256.
///
/// A process holds a lock on each run that it is executing, and the kernel releases the lock when
/// the process ends. So an unfinished run without a lock is abandoned. The next store that opens
/// the file for writing marks abandoned runs as interrupted. A read-only store only reports them as
/// interrupted.
///
/// Any thread may use a store; calls take turns. Each call blocks its thread for one transaction
/// (tens of microseconds), and while another process writes, for as long as the ``LockWait``
/// allows. So a run calls its store on a queue of its own, never on Swift's cooperative thread
/// pool.
public final class ResultStore: Sendable {
  /// The way in which a file is opened.
  public enum Access: Sendable, Hashable {
    /// Opens the file for writing, creates it if it doesn't exist, and migrates it to this
    /// program's format.
    ///
    /// Before the store migrates a file, it copies the file to `<file>.format<n>.backup`, where n
    /// is the older format.
    case writing
    /// Opens an existing file for reading and never changes it.
    ///
    /// The store reads a file in an older format through a temporary copy, which it makes when it
    /// opens the file.
    case reading
  }

  /// The format that this program writes, which is the file's `user_version`.
  public static var format: Int { Schema.version }

  /// The database file.
  public let path: String
  /// The way in which the file was opened.
  public let access: Access
  /// The attempts that an earlier run left in files beside the database, and that the store added
  /// when it opened the database.
  public let pendingAdded: [PendingAttempts.Added]

  /// The state of a store, which only one thread at a time may use.
  struct State {
    var connection: Connection
    var locks: RunLocks?
    /// The runs that were begun or resumed with this store and haven't ended.
    var ownedRuns: Set<Int> = []
    /// The row ids of recently stored texts, keyed by digest.
    var textIDs: [String: Int64] = [:]
  }

  private let state: Mutex<State>

  /// Creates a store and opens its database.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - access: The way in which to open the file.
  ///   - waiting: The rule for waiting for another process's lock.
  /// - Throws: `StoreError` with the path and the reason, or `ArchiveError` if a file with pending
  ///   attempts is damaged. A damaged file is never changed.
  public init(
    path: String, access: Access = .writing, waiting: LockWait = LockWait()
  ) throws {
    self.path = path
    self.access = access
    let isReadOnly = access == .reading
    if isReadOnly, !FileManager.default.fileExists(atPath: path) {
      throw StoreError(.cannotOpen, path: path, reason: "there is no such file")
    }
    if !isReadOnly { try Self.checkSoundness(path, waiting) }
    let opened = try Connection(path: path, isReadOnly: isReadOnly, waiting: waiting)
    let connection = try SchemaKeeper(connection: opened).prepare(isReadOnly: isReadOnly)
    var state = State(
      connection: connection, locks: RunLocks(database: path, isReadOnly: isReadOnly))
    pendingAdded = isReadOnly ? [] : try PendingAttempts.add(to: &state, waiting)
    self.state = Mutex(state)
    guard !isReadOnly else { return }
    _ = WrittenDatabases.paths.withLock { $0.insert(path) }
    try markAbandonedRuns()
  }

  /// Refuses a damaged file, a device or a pipe before anything is written to it.
  ///
  /// - Complexity: Linear in the size of the file, about 0.1 s for 100 MB.
  private static func checkSoundness(_ path: String, _ waiting: LockWait) throws {
    var status = stat()
    guard stat(path, &status) == 0 else { return }
    if status.st_mode & S_IFMT != S_IFREG, status.st_mode & S_IFMT != S_IFDIR {
      throw StoreError(.cannotOpen, path: path, reason: "it is a device or a pipe, not a file")
    }
    guard status.st_mode & S_IFMT == S_IFREG, status.st_size > 0 else { return }
    // Use a read-only connection: closing a writable connection would move the write-ahead log into
    // the damaged file.
    let reader = try Connection(path: path, isReadOnly: true, waiting: waiting)
    do {
      let found = try reader.query("PRAGMA quick_check(1)") { $0.text("quick_check") }
      if let first = found.first, first != "ok" {
        throw StoreError(.damaged, path: path, reason: first)
      }
    } catch let error as StoreError where ![.damaged, .busy].contains(error.problem) {
      // If SQLite can't read the file for another reason, opening the file reports that reason.
    }
  }

  /// Calls a closure with the state while no other thread uses the state.
  func withState<Result: Sendable>(
    _ body: (inout State) throws -> Result
  ) throws -> Result {
    try state.withLock { state in try body(&state) }
  }

  /// Checks the integrity of the file.
  ///
  /// - Returns: The problems that SQLite found; empty if there are none.
  public func integrityProblems() throws -> [String] {
    try withState { state in
      let found = try state.connection.query("PRAGMA integrity_check") {
        $0.text("integrity_check")
      }
      let orphans = try state.connection.query("PRAGMA foreign_key_check") {
        "a row of \($0.text("table")) refers to a row of \($0.text("parent")) that doesn't exist"
      }
      return found.filter { $0 != "ok" } + orphans
    }
  }

  /// Marks runs as interrupted if their process has ended.
  private func markAbandonedRuns() throws {
    try withState { state in
      let open = try state.connection.query("SELECT id FROM run WHERE status = 'running'") {
        $0.integer("id")
      }
      for run in open where state.locks?.isHeldElsewhere(run) != true {
        try state.connection.run(
          "UPDATE run SET status = 'interrupted' WHERE id = ? AND status = 'running'",
          [SQLValue(run)])
      }
    }
  }
}

extension ResultStore.State {
  /// Returns the row id of a text, after inserting the text if it is new.
  ///
  /// Call this function inside a transaction.
  mutating func textID(_ body: String) throws -> Int64 {
    let digest = SHA256.hexDigest(of: body)
    if let id = textIDs[digest] { return id }
    try connection.run(
      "INSERT INTO text (digest, body) VALUES (?, ?) ON CONFLICT (digest) DO NOTHING",
      [SQLValue(digest), SQLValue(body)])
    let id: Int64
    if connection.changeCount == 1 {
      id = connection.lastInsertedID
    } else if let found = try connection.query(
      "SELECT id, body = ? AS is_same FROM text WHERE digest = ?",
      [SQLValue(body), SQLValue(digest)],
      row: { (id: Int64($0.integer("id")), isSame: $0.integer("is_same") == 1) }
    ).first {
      id = found.id
      // Somebody altered the stored text, which must not become the text of other attempts.
      if !found.isSame {
        try connection.run(
          "UPDATE text SET body = ? WHERE digest = ?", [SQLValue(body), SQLValue(digest)])
      }
    } else {
      throw StoreError(.damaged, path: connection.path, reason: "a text is missing")
    }
    if textIDs.count >= 4_096 { textIDs = [:] }
    textIDs[digest] = id
    return id
  }

  /// Runs a closure in one transaction, and drops the cached row ids of texts if the transaction
  /// fails.
  mutating func transaction<Result>(
    _ body: (inout ResultStore.State) throws -> Result
  ) throws -> Result {
    do {
      return try connection.transaction { try body(&self) }
    } catch {
      textIDs = [:]
      throw error
    }
  }
}
