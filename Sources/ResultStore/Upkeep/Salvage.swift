import EvalRecords
import StructuredText

/// A report of the parts of a damaged database that were saved and the parts that were lost.
public struct SalvageReport: Sendable, Hashable {
  /// The ids of the runs that were saved, completely or partly.
  public var runs: [Int] = []
  /// The number of attempts that were saved.
  public var attempts = 0
  /// Descriptions of the losses, one sentence for each.
  public var losses: [String] = []

  /// Creates an empty report.
  public init() {}
}

extension ResultStore {
  /// Copies everything that is still readable in a damaged file to a new database.
  ///
  /// The damaged file stays unchanged, and so do the files beside it with pending attempts, which
  /// are also copied (see ``PendingAttempts``). The salvage looks up rows one by one to get past
  /// damaged pages. A run that lost data counts as interrupted, so it never becomes a baseline. An
  /// attempt keeps the parts that can be read.
  ///
  /// - Parameters:
  ///   - path: The damaged file.
  ///   - target: An empty database.
  /// - Returns: A report of what was saved and what was lost.
  /// - Throws: `damaged` if not even the file's list of tables can be read.
  public static func salvage(from path: String, into target: ResultStore) throws -> SalvageReport {
    let source = try ResultStore(path: path, access: .reading)
    return try source.withState { state in
      var salvage = Salvage(state: state)
      try salvage.run(into: target)
      salvage.savePending(into: target)
      return salvage.report
    }
  }
}

/// The state of one salvage.
private struct Salvage {
  let state: ResultStore.State
  var report = SalvageReport()
  /// The row ids of attempts, keyed by run, in stored order.
  private var attempts: [Int: [Int]] = [:]
  /// The runs that may have lost whole attempts.
  private var harmed: Set<Int> = []

  private var connection: Connection { state.connection }

  init(state: ResultStore.State) { self.state = state }

  mutating func run(into target: ResultStore) throws {
    try connection.execute("PRAGMA cell_size_check = ON")
    let (ids, gaps) = readableIDs(of: "attempt")
    var runOfAttempt: [Int: Int] = [:]
    for id in ids {
      let run = try? connection.integer(
        "SELECT run_id FROM attempt NOT INDEXED WHERE id = ?", [SQLValue(id)])
      guard let run else { continue }
      attempts[Int(run), default: []].append(id)
      runOfAttempt[id] = Int(run)
    }
    let (runs, lostRuns) = readableIDs(of: "run")
    for gap in lostRuns { lose("\(Self.words("runs", gap)) can't be read") }
    for id in Set(attempts.keys).subtracting(runs).sorted() {
      lose(
        "run \(id) with \((attempts[id]?.count ?? 0).counted("attempt")): the run itself can't "
          + "be read"
      )
    }
    for gap in gaps {
      // Runs that are in progress at the same time store attempts alternately. So the attempts in a
      // gap belong to the runs on its two sides, or to runs with ids between theirs.
      let first = ids.last { $0 < gap.lowerBound }.flatMap { runOfAttempt[$0] } ?? 1
      let last = ids.first { $0 > gap.upperBound }.flatMap { runOfAttempt[$0] } ?? runs.last ?? 1
      for id in runs where id >= min(first, last) && id <= max(first, last) {
        harmed.insert(id)
        lose(
          "run \(id): its attempts in \(Self.words("rows", gap)) of the file can't be read")
      }
    }
    for id in runs { try save(id, into: target) }
  }

  private mutating func save(_ id: Int, into target: ResultStore) throws {
    let ids = attempts[id] ?? []
    var isWhole = true
    var run: RunRecord
    do {
      run = try ResultStore.load(id, state)
    } catch {
      guard let skeleton = skeleton(of: id, attempts: ids) else {
        lose("run \(id) with \((ids.count).counted("attempt")): its suites can't be read")
        return
      }
      run = skeleton
      isWhole = false
      lose("run \(id): schemas, prompts or test cases that can't be read are left out")
    }
    var records: [AttemptRecord] = []
    var unreadable = 0
    var partial = 0
    for attempt in ids {
      switch read(attempt) {
      case nil: unreadable += 1
      case (let record, let isComplete)?:
        records.append(record)
        if !isComplete { partial += 1 }
      }
    }
    if unreadable > 0 { lose("run \(id): \((unreadable).counted("attempt")) can't be read") }
    if partial > 0 {
      lose(
        "run \(id): texts, verdicts, decisions or steps of \((partial).counted("attempt")) "
          + "can't be read")
    }
    if !isWhole || harmed.contains(id) || unreadable + partial > 0 || run.status == .running {
      run.status = .interrupted
    }
    let copies = self.copies(of: id, run)
    let saved = try target.withState { state in
      try state.transaction { state in
        _ = try ResultStore.insert(run, id: id, into: &state)
        try ResultStore.insert(references: copies, ofRun: id, into: &state)
        var saved = 0
        for record in records {
          // Only damage can cause two attempts with the same key, or a key that names something
          // that the run doesn't have.
          if (try? ResultStore.insert(record, of: id, into: &state)) != nil { saved += 1 }
        }
        return saved
      }
    }
    if saved < records.count {
      lose(
        "run \(id): left out \((records.count - saved).counted("attempt")) in conflict with the "
          + "rest of the run")
    }
    report.runs.append(id)
    report.attempts += saved
  }

  /// Returns the copies of a run's references, keyed by suite id.
  private mutating func copies(of id: Int, _ run: RunRecord) -> [String: String] {
    var copies: [String: String] = [:]
    for suite in (run.details.references ?? []) where suite.digest != nil {
      let copy = try? connection.query(
        """
        SELECT t.body FROM reference r JOIN text t ON t.id = r.copy_text
        WHERE r.run_id = ? AND r.suite_id = ?
        """, [SQLValue(id), SQLValue(suite.suite)]
      ) { $0.text("body") }.first
      copies[suite.suite] = copy
      if copy == nil {
        lose("run \(id): the copy of what \(suite.suite) was compared with can't be read")
      }
    }
    return copies
  }

  /// Reads the readable parts of an attempt, and returns whether the attempt is complete.
  private func read(_ id: Int) -> (AttemptRecord, isComplete: Bool)? {
    func load(_ parts: ResultStore.AttemptParts) -> AttemptRecord? {
      (try? ResultStore.loadAttempts(where: "a.id = ?1", [SQLValue(id)], parts, connection))?.first
    }
    if let whole = load(.all) { return (whole, true) }
    var readable: ResultStore.AttemptParts = []
    for part in [ResultStore.AttemptParts.texts, .verdicts, .decisions, .traces]
    where load(part) != nil {
      readable.insert(part)
    }
    return load(readable).map { ($0, false) }
  }

  /// Returns a run with only the test cases that its attempts name, to replace a run whose test
  /// cases can't all be read.
  private func skeleton(of id: Int, attempts: [Int]) -> RunRecord? {
    guard
      var run = (try? ResultStore.load(id, state, parts: .texts))
        ?? (try? ResultStore.load(id, state, parts: []))
    else { return nil }
    var seen: Set<[String]> = []
    for attempt in attempts {
      let names = try? connection.query(
        "SELECT suite_id, case_id FROM attempt NOT INDEXED WHERE id = ?", [SQLValue(attempt)]
      ) { [$0.text("suite_id"), $0.text("case_id")] }.first
      guard let names, seen.insert(names).inserted,
        let suite = run.suites.firstIndex(where: { $0.id == names[0] })
      else { continue }
      let record = try? ResultStore.loadCases(
        of: id, where: "AND c.suite_id = ?2 AND c.id = ?3", values: names.map { SQLValue($0) },
        connection
      ).first?.record
      run.suites[suite].cases.append(
        record
          ?? CaseRecord(
            id: names[1], title: names[1], tags: [], variables: .object([:]),
            expectedBranches: [], assertions: []))
    }
    return run
  }

  /// Returns the words for a range of ids, for example `rows 3 to 5` or `all rows from 3 on`.
  private static func words(_ name: String, _ ids: ClosedRange<Int>) -> String {
    ids.upperBound == .max
      ? "all \(name) from \(ids.lowerBound) on"
      : "\(name) \(ids.lowerBound) to \(ids.upperBound)"
  }

  /// Returns the row ids of a table, skipping pages that can't be read.
  ///
  /// The row ids ascend, so after an unreadable row, this function searches for the next readable
  /// row, first in growing steps and then by bisection.
  ///
  /// - Returns: The ids, and the ranges in which no id can be read. If nothing after a row can be
  ///   read, the last range ends with the largest integer.
  private func readableIDs(of table: String) -> (ids: [Int], gaps: [ClosedRange<Int>]) {
    let sql = "SELECT id FROM \(table) NOT INDEXED WHERE id > ? ORDER BY id LIMIT 1"
    /// Returns the next row id, or `nil` after the last row.
    func next(after id: Int) throws -> Int? {
      try connection.integer(sql, [SQLValue(id)]).map { Int($0) }
    }
    var ids: [Int] = []
    var gaps: [ClosedRange<Int>] = []
    var last = 0
    while true {
      do {
        guard let id = try next(after: last) else { return (ids, gaps) }
        ids.append(id)
        last = id
      } catch {
        // A search that starts after the damaged rows succeeds; a search that starts within them
        // fails.
        func isBehind(_ id: Int) -> Bool {
          do {
            _ = try next(after: id)
            return true
          } catch {
            return false
          }
        }
        var step = 1
        while !isBehind(last + step) {
          step *= 2
          guard step < 1 << 40 else { return (ids, gaps + [last + 1 ... .max]) }
        }
        var (unreadable, readable) = (last + step / 2, last + step)
        while readable - unreadable > 1 {
          let middle = unreadable + (readable - unreadable) / 2
          if isBehind(middle) { readable = middle } else { unreadable = middle }
        }
        gaps.append(last + 1...readable)
        last = readable
      }
    }
  }

  /// Adds the attempts that wait beside the damaged file.
  mutating func savePending(into target: ResultStore) {
    for file in PendingAttempts.files(beside: connection.path) {
      do {
        for archived in try PendingAttempts.read(file) {
          let run = try target.withState { state in
            try state.transaction { try PendingAttempts.add(archived, from: file, into: &$0) }
          }
          report.attempts += archived.attempts.count
          if !report.runs.contains(run) { report.runs.append(run) }
        }
      } catch {
        lose("\(error)")
      }
    }
  }

  private mutating func lose(_ sentence: String) { report.losses.append(sentence) }
}
