public import EvalRecords

/// The attempts of earlier runs and of the baseline, pooled into one large baseline.
///
/// Pooling is the cheapest way to gain power. Against 1,000 clean attempts, 40 attempts detect a
/// failure rate of 1 in 15 with a probability of 0.94; against 40 clean attempts, the probability
/// is only 0.13.
///
/// Only independent draws count. If several attempts have the same fingerprint and seed (because a
/// deterministic engine repeated an answer, an answer came from the cache, or a file was merged),
/// only the first one counts. The nights before the last change point had a different rate, so they
/// are left out.
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
    /// The number of the night; later nights have higher numbers.
    public var night: Int
    /// The id of the test case.
    public var caseID: String
    /// The request fingerprint: everything that determines the answer except the seed.
    public var fingerprint: String
    /// The seed of the attempt.
    public var seed: UInt64
    /// Whether the attempt passed.
    public var passed: Bool

    /// Creates an entry.
    public init(night: Int, caseID: String, fingerprint: String, seed: UInt64, passed: Bool) {
      self.night = night
      self.caseID = caseID
      self.fingerprint = fingerprint
      self.seed = seed
      self.passed = passed
    }

    /// The draw that this attempt represents.
    fileprivate var draw: Draw { Draw(fingerprint: fingerprint, seed: seed) }
  }

  fileprivate struct Draw: Hashable {
    var fingerprint: String
    var seed: UInt64
  }

  /// The pooled attempts, one per draw.
  public private(set) var entries: [Entry]
  /// The number of attempts that were left out because they repeat another attempt's fingerprint
  /// and seed.
  public let duplicates: Int
  /// The number of nights that were left out because the rate changed after them.
  public let droppedNights: Int
  /// The runs that are not pooled, each with the reason.
  public var omissions: [HistorySummary.Omission]
  /// The draws of all nights, including the nights that were left out.
  private let draws: Set<Draw>

  /// Creates a pooled history.
  ///
  /// - Parameters:
  ///   - history: The attempts, oldest night first.
  ///   - omissions: The runs that have already been left out.
  ///   - alpha: The significance level of the change points; 0 pools all nights.
  public init(_ history: [Entry], omissions: [HistorySummary.Omission] = [], alpha: Double = 0.01) {
    var seen: Set<Draw> = []
    let distinct = history.filter { seen.insert($0.draw).inserted }
    draws = seen
    duplicates = history.count - distinct.count
    var nights: [Int: HistoryPoint] = [:]
    for entry in distinct {
      nights[entry.night, default: HistoryPoint(passed: 0, count: 0)].count += 1
      if entry.passed { nights[entry.night]?.passed += 1 }
    }
    let order = nights.sorted { $0.key < $1.key }
    let change = alpha > 0 ? ChangePoint.find(order.map(\.value), alpha: alpha).last : nil
    droppedNights = change?.index ?? 0
    let first = order.dropFirst(droppedNights).first?.key ?? 0
    entries = distinct.filter { $0.night >= first }
    self.omissions = omissions
  }

  /// The counts of the pooled nights.
  public var total: HistoryPoint {
    HistoryPoint(passed: entries.count { $0.passed }, count: entries.count)
  }

  /// The number of nights with pooled attempts.
  public var nights: Int { Set(entries.lazy.map(\.night)).count }

  /// The contents of the history, and what was left out.
  public var summary: HistorySummary {
    HistorySummary(
      attempts: entries.count, runs: nights, duplicates: duplicates,
      runsBeforeChange: droppedNights, omissions: omissions)
  }

  /// Returns whether the history already contains the draw, so that repeating it adds no
  /// information.
  func contains(fingerprint: String, seed: UInt64) -> Bool {
    draws.contains(Draw(fingerprint: fingerprint, seed: seed))
  }

  /// Returns whether any of the attempts has the same request as a pooled attempt.
  ///
  /// If so, a worsening may have begun in an earlier run.
  func asks(_ attempts: [AttemptRecord]) -> Bool {
    let known = Set(entries.lazy.map(\.fingerprint))
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
      nights[entry.night, default: [:]][entry.caseID, default: CaseCount()].add(!entry.passed)
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
    for entry in entries where candidate[entry.caseID] != nil {
      counts[entry.caseID, default: HistoryPoint(passed: 0, count: 0)].count += 1
      if entry.passed { counts[entry.caseID]?.passed += 1 }
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
