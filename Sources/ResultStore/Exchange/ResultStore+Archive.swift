import EvalRecords
import StructuredText

/// The result of importing one run from an archive.
public struct ImportedRun: Sendable, Hashable {
  /// The run's id in the archive.
  public var archived: Int
  /// The run's id in the database.
  public var id: Int
  /// The number of attempts in the run.
  public var attempts: Int
  /// Whether the database already had the run, so that nothing was added.
  public var wasThere: Bool
  /// The number of planned attempts of a complete run that the archive lacks, although the run made
  /// them.
  public var lost = 0
}

/// The error for an archive that can't be read or imported, with the position of the problem.
public struct ArchiveError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The archive.
  public var path: String
  /// The line, starting at 1.
  public var line: Int
  /// The column, starting at 1.
  public var column: Int
  /// A description of the problem.
  public var problem: String

  public var description: String { "\(path):\(line):\(column): \(problem)" }
}

extension ResultStore {
  /// Writes runs and everything that belongs to them as an archive, from which `importArchive`
  /// restores the same records.
  ///
  /// - Parameters:
  ///   - ids: The runs, in the order in which to write them.
  ///   - write: A closure that receives the lines one by one, without line ends.
  public func exportArchive(runs ids: [Int], to write: (String) throws -> Void) throws {
    var written: Set<String> = []
    try write(try ArchiveLine.header.text(path: path))
    for id in ids {
      let copies = try references(ofRun: id).sorted { $0.key < $1.key }.map(\.value)
      for copy in copies where written.insert(SHA256.hexDigest(of: copy)).inserted {
        try write(try ArchiveLine.reference(copy).text(path: path))
      }
      try write(try ArchiveLine.run(try run(id)).text(path: path))
      for attempt in try attempts(run: id) {
        try write(try ArchiveLine.attempt(attempt).text(path: path))
      }
    }
  }

  /// Stores a whole run in one transaction, unless the database already has an equal run.
  ///
  /// - Parameters:
  ///   - run: The run; it keeps its id if the id is free.
  ///   - attempts: The attempts.
  ///   - isNew: Whether to store the run even if the database has an equal one.
  /// - Returns: The id, and whether the run was already there.
  public func add(
    _ run: RunRecord, _ attempts: [AttemptRecord], isNew: Bool = false
  ) throws -> ImportedRun {
    try withState { state in
      try state.transaction { state in
        try Self.add(run, attempts, isNew: isNew, into: &state)
      }
    }
  }

  /// Returns the id of a stored run that equals a run, or `nil` if there is none.
  ///
  /// What the runs were compared with makes no difference.
  public func id(ofRunLike run: RunRecord, _ attempts: [AttemptRecord]) throws -> Int? {
    try withState { state in try Self.id(ofRunLike: run, attempts, except: [], state) }
  }

  /// Imports an archive in one transaction, so that either everything is stored or nothing.
  ///
  /// A run keeps its id if the id is free. If the database already has an equal run with the same
  /// attempts, the import doesn't add the run again.
  ///
  /// - Parameters:
  ///   - lines: The lines of the archive.
  ///   - name: The archive's name, for errors.
  /// - Returns: The result for each run.
  /// - Throws: `ArchiveError` with the line number if a line is invalid, or the database's error.
  @discardableResult
  public func importArchive(
    _ lines: some Sequence<String>, name: String
  ) throws -> [ImportedRun] {
    try withState { state in
      try state.transaction { state in
        var reader = ArchiveReader(name: name, path: path)
        for line in lines { try reader.read(line, into: &state) }
        return try reader.end(into: &state)
      }
    }
  }
}

/// A run that was read from an archive but not stored.
public struct ArchivedRun: Sendable {
  /// The run, with its id in the archive.
  public var run: RunRecord
  /// The attempts.
  public var attempts: [AttemptRecord]

  /// Creates an archived run.
  public init(run: RunRecord, attempts: [AttemptRecord]) {
    self.run = run
    self.attempts = attempts
  }

  /// Reads an archive without a database.
  ///
  /// - Parameters:
  ///   - lines: The lines of the archive.
  ///   - name: The archive's name, for errors.
  /// - Returns: The runs in order.
  /// - Throws: `ArchiveError` with the line number if a line is invalid.
  public static func all(
    _ lines: some Sequence<String>, name: String
  ) throws(ArchiveError) -> [ArchivedRun] {
    var runs: [ArchivedRun] = []
    var seen: Set<AttemptKey> = []
    for (index, line) in lines.enumerated() where !line.isEmpty {
      do throws(ArchiveLine.Problem) {
        switch try ArchiveLine(text: line) {
        case .header, .reference, .baseline: continue
        case .run(let run):
          runs.append(ArchivedRun(run: run, attempts: []))
          seen = []
        case .attempt(let attempt):
          guard !runs.isEmpty else { throw ArchiveLine.Problem(words: ArchiveLine.strayAttempt) }
          guard seen.insert(attempt.key).inserted else {
            throw ArchiveLine.Problem(words: ArchiveLine.repeatedAttempt(attempt.key))
          }
          runs[runs.count - 1].attempts.append(attempt)
        }
      } catch {
        throw ArchiveError(
          path: name, line: index + 1, column: error.column, problem: error.words)
      }
    }
    return runs.map { archived in
      ArchivedRun(
        run: archived.run, attempts: archived.attempts.withFacts(of: archived.run.suites))
    }
  }
}

/// Stores the lines of an archive in a database.
private struct ArchiveReader {
  let name: String
  let path: String
  private var line = 0
  private var run: RunRecord?
  private var attempts: [AttemptRecord] = []
  /// The copies of references, keyed by digest.
  private var references: [String: String] = [:]
  private var imported: [ImportedRun] = []

  init(name: String, path: String) {
    self.name = name
    self.path = path
  }

  mutating func read(_ text: String, into state: inout ResultStore.State) throws {
    line += 1
    if text.isEmpty, line > 1 { return }
    let content: ArchiveLine
    do throws(ArchiveLine.Problem) {
      content = try ArchiveLine(text: text)
    } catch {
      throw failure(error.words, column: error.column)
    }
    if case .header = content { return }
    guard line > 1 else {
      throw failure(
        "this is not an archive: the first line is not its header; `assay export` writes one")
    }
    switch content {
    case .header: break
    case .run(let run):
      try store(into: &state)
      self.run = run
    case .attempt(let attempt):
      guard run != nil else { throw failure(ArchiveLine.strayAttempt) }
      attempts.append(attempt)
    case .reference(let copy): references[SHA256.hexDigest(of: copy)] = copy
    case .baseline: break
    }
  }

  mutating func end(into state: inout ResultStore.State) throws -> [ImportedRun] {
    try store(into: &state)
    guard line > 0 else { throw failure("the archive is empty") }
    return imported
  }

  private func failure(_ problem: String, column: Int = 1) -> ArchiveError {
    ArchiveError(path: name, line: line, column: column, problem: problem)
  }

  /// Stores the run whose lines have all been read.
  private mutating func store(into state: inout ResultStore.State) throws {
    guard var run else { return }
    self.run = nil
    defer { attempts = [] }
    attempts = attempts.withFacts(of: run.suites)
    // An imported run is not in progress, because no process on this machine executes it.
    if run.status == .running { run.status = .interrupted }
    let lost = run.lose(attempts)
    do {
      // If an archive has two equal runs, import both.
      let taken = Set(imported.map(\.id))
      let copies = (run.details.references ?? []).compactMap { record in
        record.digest.flatMap { references[$0] }.map { (record.suite, $0) }
      }
      var added = try ResultStore.add(
        run, attempts,
        references: Dictionary(copies, uniquingKeysWith: { first, _ in first }), except: taken,
        into: &state)
      added.lost = lost
      imported.append(added)
    } catch let error as StoreError
      where error.problem == .duplicateAttempt || error.problem == .unknownAttemptKey
    {
      throw failure("run \(run.id), which ends here, can't be imported: \(error.description)")
    }
  }
}

extension ResultStore {
  /// Stores a whole run, unless the database has an equal run.
  ///
  /// Call this function inside a transaction.
  ///
  /// - Parameters:
  ///   - run: The run.
  ///   - attempts: The attempts.
  ///   - references: The copies of the run's references, keyed by suite id.
  ///   - taken: The ids of runs to ignore in the search for an equal run, because this import has
  ///     already matched or stored them.
  ///   - isNew: Whether to store the run even if the database has an equal one.
  ///   - state: The database.
  static func add(
    _ run: RunRecord, _ attempts: [AttemptRecord], references: [String: String] = [:],
    except taken: Set<Int> = [], isNew: Bool = false, into state: inout State
  ) throws -> ImportedRun {
    var added = ImportedRun(archived: run.id, id: 0, attempts: attempts.count, wasThere: true)
    if !isNew, let id = try id(ofRunLike: run, attempts, except: taken, state) {
      added.id = id
      return added
    }
    let isFree =
      try state.connection.integer("SELECT count(*) FROM run WHERE id = ?", [SQLValue(run.id)])
      == 0 && run.id > 0
    var run = run
    run.takeServedNames(from: attempts)
    added.id = try insert(run, id: isFree ? run.id : nil, into: &state)
    added.wasThere = false
    try insert(references: references, ofRun: added.id, into: &state)
    for attempt in attempts { try insert(attempt, of: added.id, into: &state) }
    return added
  }

  /// Returns the id of an equal run, which may differ from the id of the given run, or `nil` if
  /// there is no equal run.
  static func id(
    ofRunLike run: RunRecord, _ attempts: [AttemptRecord], except taken: Set<Int>, _ state: State
  ) throws -> Int? {
    let path = state.connection.path
    let candidates = try state.connection.query(
      """
      SELECT id FROM run r WHERE label = ? AND started_at = ?
        AND (SELECT count(*) FROM attempt a WHERE a.run_id = r.id) = ? ORDER BY id <> ?, id
      """,
      [
        SQLValue(run.label), SQLValue(run.startedAt), SQLValue(attempts.count), SQLValue(run.id),
      ]
    ) { $0.integer("id") }.filter { !taken.contains($0) }
    // Compare texts instead of records, because NaN doesn't equal itself. Neither what a run was
    // compared with nor that it was accepted makes it another run: if shards are merged twice, the
    // first references count.
    func texts(_ run: RunRecord, _ attempts: [AttemptRecord]) throws -> [String] {
      var run = run
      run.id = 0
      run.takeServedNames(from: attempts)
      run.details.baselineRule = nil
      run.details.references = nil
      run.details.judging = nil
      run.details.acknowledgements = nil
      run.details.vanishedBaselines = nil
      run.details.acceptances = nil
      return try [ArchiveLine.run(run).text(path: path)]
        + attempts.map { try ArchiveLine.attempt($0).text(path: path) }
    }
    guard !candidates.isEmpty else { return nil }
    let wanted = try texts(run, attempts)
    return try candidates.first { id in
      try texts(
        try load(id, state), try loadAttempts(of: id, AttemptFilter(), state.connection))
        == wanted
    }
  }
}

extension RunRecord {
  /// Marks a complete run as interrupted if its archive lacks attempts, for example because the end
  /// of the file is missing.
  ///
  /// - Parameter attempts: The attempts in the archive.
  /// - Returns: The number of attempts that are missing.
  fileprivate mutating func lose(_ attempts: [AttemptRecord]) -> Int {
    guard status == .complete else { return 0 }
    let missing = plannedAttempts(missingIn: attempts).missing
    guard missing > 0 else { return 0 }
    status = .interrupted
    details.ending = "the imported file lacks \(missing.counted("attempt"))"
    return missing
  }
}
