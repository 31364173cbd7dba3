public import EvalRecords

/// The attempts of earlier runs and of the baseline, pooled into one large baseline.
///
/// Pooling is the cheapest way to gain power. Against 1,000 clean attempts, 40 attempts detect a
/// failure rate of 1 in 15 with a probability of 0.94; against 40 clean attempts, the probability
/// is only 0.13.
///
/// Only independent draws count: of several attempts that are the same draw (``Draws``), only the
/// first one counts. The nights before the last change point had a different rate, so they are left
/// out.
///
/// ```
/// run 3   ○●○○  4 draws            ┐ left out: the rate
/// run 4   ○○●○  4 draws            ┘ changed after them
/// run 7   ●●●●  4 draws            ┐
/// run 8   ●●●●  0: the same seeds  │ pooled: 8 draws
/// run 9   ●●●●  4 draws            ┘         ● passed, ○ failed
/// ```
public struct PooledHistory: Sendable {
  /// One attempt of a history.
  public struct Entry: Sendable, Hashable {
    /// The facts that decide which draw the attempt is; later nights have higher run numbers.
    public var attempt: DrawnAttempt
    /// Whether the attempt passed.
    public var passed: Bool

    /// Creates an entry.
    public init(_ attempt: DrawnAttempt, passed: Bool) {
      self.attempt = attempt
      self.passed = passed
    }

    /// Creates an entry of a request that samples, on a backend with equal answers for equal seeds.
    package init(night: Int, caseID: String, fingerprint: String, seed: UInt64, passed: Bool) {
      self.init(
        DrawnAttempt(
          caseID: caseID, fingerprint: fingerprint, run: night, seed: seed, isCached: false,
          sampling: SliceSampling(), answer: nil),
        passed: passed)
    }
  }

  /// The pooled attempts, one per draw.
  public private(set) var entries: [Entry]
  /// The number of attempts that were left out because they are the same draw as an earlier one.
  public private(set) var duplicates: Int
  /// The number of nights that were left out because the rate changed after them.
  public let droppedNights: Int
  /// The runs that are not pooled, each with the reason.
  public var omissions: [HistorySummary.Omission]
  /// The draws of all nights, including the nights that were left out.
  private(set) var draws: Draws

  /// Creates a pooled history.
  ///
  /// - Parameters:
  ///   - history: The attempts, oldest night first.
  ///   - omissions: The runs that have already been left out.
  ///   - alpha: The significance level of the change points; 0 pools all nights.
  public init(_ history: [Entry], omissions: [HistorySummary.Omission] = [], alpha: Double = 0.01) {
    var draws = Draws()
    let distinct = zip(history, draws.add(history.map(\.attempt))).filter { $1.isNew }.map(\.0)
    self.draws = draws
    duplicates = history.count - distinct.count
    var nights: [Int: HistoryPoint] = [:]
    for entry in distinct {
      nights[entry.attempt.run, default: HistoryPoint(passed: 0, count: 0)].count += 1
      if entry.passed { nights[entry.attempt.run]?.passed += 1 }
    }
    let order = nights.sorted { $0.key < $1.key }
    let change = alpha > 0 ? ChangePoint.find(order.map(\.value), alpha: alpha).last : nil
    droppedNights = change?.index ?? 0
    let first = order.dropFirst(droppedNights).first?.key ?? 0
    entries = distinct.filter { $0.attempt.run >= first }
    self.omissions = omissions
  }

  /// Adds the attempts of a later night, without another search for change points.
  ///
  /// - Parameter night: The attempts.
  package mutating func append(_ night: [Entry]) {
    let added = draws.add(night.map(\.attempt))
    entries += zip(night, added).filter { $1.isNew }.map(\.0)
    duplicates += added.count { !$0.isNew }
  }

  /// The counts of the pooled nights.
  public var total: HistoryPoint {
    HistoryPoint(passed: entries.count { $0.passed }, count: entries.count)
  }

  /// The number of nights with pooled attempts.
  public var nights: Int { Set(entries.lazy.map(\.attempt.run)).count }

  /// Returns the contents of the history, and what was left out.
  ///
  /// - Parameter past: The nights of worsenings that are over, as indices into the nights with
  ///   pooled attempts.
  func summary(without past: [Int]) -> HistorySummary {
    let runs = Set(entries.lazy.map(\.attempt.run)).sorted()
    let out = past.filter(runs.indices.contains).map { runs[$0] }
    let left = Set(out)
    return HistorySummary(
      attempts: entries.count { !left.contains($0.attempt.run) }, runs: runs.count - out.count,
      duplicates: duplicates, runsBeforeChange: droppedNights,
      omissions: omissions + (out.isEmpty ? [] : [.pastWorsening(runs: out)]))
  }

  /// Returns whether any of the attempts has the same request as a pooled attempt.
  ///
  /// If so, a worsening may have begun in an earlier run.
  func asks(_ attempts: [AttemptRecord]) -> Bool {
    let known = Set(entries.lazy.map(\.attempt.fingerprint))
    return attempts.contains { $0.details.fingerprint.map(known.contains) ?? false }
  }

  /// Searches the history and the current run for the run in which attempts began to fail more
  /// often.
  ///
  /// - Parameters:
  ///   - tonight: The counts of the current run, by test case.
  ///   - isSame: Whether the current run has the same requests as the history.
  func scan(tonight: [String: HistoryPoint], isSame: Bool) -> DriftScan {
    var nights: [Int: DriftScan.Night] = [:]
    for entry in entries {
      nights[entry.attempt.run, default: [:]][entry.attempt.caseID, default: CaseCount()]
        .add(!entry.passed)
    }
    let last = tonight.mapValues { CaseCount(hits: $0.count - $0.passed, count: $0.count) }
    let earlier = nights.sorted { $0.key < $1.key }.map(\.value)
    return DriftScan(earlier + [last], isSame: isSame)
  }

  /// Returns one table of failures and passes for each test case that the candidate and the history
  /// share, sorted by the test case's id.
  ///
  /// - Parameter candidate: The counts of each test case, keyed by id.
  func tables(candidate: [String: HistoryPoint]) -> [TwoByTwo] {
    var counts: [String: HistoryPoint] = [:]
    for entry in entries where candidate[entry.attempt.caseID] != nil {
      counts[entry.attempt.caseID, default: HistoryPoint(passed: 0, count: 0)].count += 1
      if entry.passed { counts[entry.attempt.caseID]?.passed += 1 }
    }
    return candidate.sorted { $0.key < $1.key }.compactMap { caseID, point in
      counts[caseID].map {
        TwoByTwo(point.count - point.passed, point.passed, $0.count - $0.passed, $0.passed)
      }
    }
  }

  /// Returns the one-sided p-value of "the candidate passes less often" by the exact permutation
  /// test within test cases, or 1 if the sides have no test case in common.
  ///
  /// - Parameter candidate: The counts of each test case, keyed by id.
  public func pValue(candidate: [String: HistoryPoint]) -> Double {
    let tables = tables(candidate: candidate)
    return tables.isEmpty ? 1 : Stratified.exact(tables, .greater)
  }
}
