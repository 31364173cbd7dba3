import EvalRecords
import SystemBasics

/// The finished attempts that could not be stored, and that wait in files beside the database.
///
/// ```
/// results.sqlite.pending-12.jsonl      the attempts of run 12, as an archive (see `ArchiveLine`)
/// ```
///
/// Another process had locked the database, or the disk was full. The next store that opens the
/// database for writing adds the attempts and deletes the file. Adding them twice changes nothing,
/// so the store may be killed between the two steps.
public enum PendingAttempts {
  /// The attempts that were added from one file.
  public struct Added: Sendable, Hashable {
    /// The file.
    public let file: String
    /// The run's id.
    public let run: Int
    /// The number of attempts in the file.
    public let attempts: Int
  }

  /// Returns the files that wait beside a database, sorted by name.
  public static func files(beside database: String) -> [String] {
    let folder = database.lastIndex(of: "/").map { database[...$0] } ?? ""
    let start = database.dropFirst(folder.count) + ".pending-"
    let names = try? FileManager.default.contentsOfDirectory(
      atPath: folder.isEmpty ? "." : String(folder))
    return (names ?? []).sorted().filter { $0.hasPrefix(start) && $0.hasSuffix(".jsonl") }
      .map { folder + $0 }
  }

  /// Writes attempts to a file beside a database; the file gets its name only when it is complete.
  ///
  /// - Parameters:
  ///   - attempts: The attempts.
  ///   - run: The run, which this process executes.
  ///   - database: The path of the database.
  /// - Returns: The path of the file.
  /// - Throws: `StoreError` with the file's path if the file can't be written.
  public static func write(
    _ attempts: [AttemptRecord], of run: RunRecord, beside database: String
  ) throws -> String {
    let lines =
      try [ArchiveLine.header, .run(run)].map { try $0.text(path: database) }
      + attempts.map { try ArchiveLine.attempt($0).text(path: database) }
    // Nobody else writes attempts of this run, because only one process at a time executes it.
    let file = "\(database).pending-\(run.id).jsonl"
    let unfinished = try SchemaKeeper.newFile(beside: file)
    defer { unlink(unfinished) }
    guard let stream = fopen(unfinished, "w") else { throw SchemaKeeper.failure(file) }
    let bytes = Array(lines.joined(separator: "\n").utf8) + [0x0A]
    let isWritten =
      fwrite(bytes, 1, bytes.count, stream) == bytes.count && fflush(stream) == 0
      && fsync(fileno(stream)) == 0
    let failure = SchemaKeeper.failure(file)
    guard fclose(stream) == 0, isWritten else { throw failure }
    guard rename(unfinished, file) == 0 else { throw SchemaKeeper.failure(file) }
    return file
  }

  /// Adds the attempts of every file beside the database, and deletes the files.
  ///
  /// - Throws: `ArchiveError` if a file is damaged; the file stays.
  static func add(to state: inout ResultStore.State, _ waiting: LockWait) throws -> [Added] {
    var added: [Added] = []
    for file in files(beside: state.connection.path) {
      let descriptor = open(file, O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else {
        // Another process has added the attempts in the meantime.
        if errno == ENOENT { continue }
        throw SchemaKeeper.failure(file)
      }
      defer { close(descriptor) }
      // Take turns with other processes, so that none of them deletes a file that it hasn't read.
      do throws(LockTimeout) {
        try waiting.lock(descriptor, path: file)
      } catch {
        throw StoreError(.busy, path: file, reason: error.holder?.description ?? "")
      }
      var (opened, current) = (stat(), stat())
      guard fstat(descriptor, &opened) == 0, stat(file, &current) == 0,
        opened.st_ino == current.st_ino, opened.st_dev == current.st_dev
      else { continue }
      for archived in try read(file) {
        let run = try state.transaction { try add(archived, from: file, into: &$0) }
        added.append(Added(file: file, run: run, attempts: archived.attempts.count))
      }
      unlink(file)
    }
    return added
  }

  /// Reads a file.
  ///
  /// - Throws: `ArchiveError` if the file is damaged.
  static func read(_ file: String) throws(ArchiveError) -> [ArchivedRun] {
    var problem = damage(file, "a run and its pending attempts are expected")
    if let data = FileManager.default.contents(atPath: file),
      let text = String(validating: data, as: UTF8.self)
    {
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      do throws(ArchiveError) {
        let runs = try ArchivedRun.all(lines.lazy.map { String($0) }, name: file)
        if !runs.isEmpty { return runs }
      } catch {
        problem = damage(file, error.problem, line: error.line, column: error.column)
      }
    } else {
      problem = damage(file, "the file can't be read as UTF-8 text")
    }
    throw problem
  }

  private static func damage(
    _ file: String, _ problem: String, line: Int = 1, column: Int = 1
  ) -> ArchiveError {
    ArchiveError(
      path: file, line: line, column: column,
      problem: problem + "; mend the file, or move it away to give up its attempts")
  }

  /// Adds the attempts that the database doesn't have yet.
  ///
  /// Call this function inside a transaction.
  ///
  /// - Returns: The run's id. If the database doesn't have the run, it gets the whole run.
  static func add(
    _ archived: ArchivedRun, from file: String, into state: inout ResultStore.State
  ) throws -> Int {
    var run = archived.run
    let known = try state.connection.integer(
      "SELECT count(*) FROM run WHERE id = ? AND started_at = ? AND label = ?",
      [SQLValue(run.id), SQLValue(run.startedAt), SQLValue(run.label)])
    guard known == 1 else {
      run.status = .interrupted
      return try ResultStore.add(run, archived.attempts, into: &state).id
    }
    for (index, attempt) in archived.attempts.enumerated() {
      let key = attempt.key
      let stored = try state.connection.integer(
        """
        SELECT count(*) FROM attempt WHERE run_id = ? AND suite_id = ? AND variant_id = ?
          AND backend_id = ? AND case_id = ? AND repeat_index = ? AND outcome <> 'skipped'
        """,
        [
          SQLValue(run.id), SQLValue(key.suite), SQLValue(key.variant), SQLValue(key.backend),
          SQLValue(key.caseID), SQLValue(key.repeatIndex),
        ])
      guard stored == 0 else { continue }
      do {
        try ResultStore.insert(attempt, of: run.id, into: &state)
      } catch let error as StoreError where error.problem == .unknownAttemptKey {
        // The first attempt is on the third line, after the header and the run.
        throw damage(file, error.words, line: index + 3)
      }
    }
    return run.id
  }
}
