public import EvalRecords

/// The attempts of earlier runs and of the baseline as one large baseline, which is the cheapest power
/// there is: 40 runs catch a 1-in-15 failure with a chance of 0.94 against 1,000 clean ones, and of
/// 0.13 against 40.
///
/// Only attempts that are independent draws count: of several with the same fingerprint and seed
/// (a deterministic engine asked again, an answer from the cache, a merged file) the first one.
/// Nights before the last change point are another rate and left out.
///
/// ```
/// run 3   ●●●●  4 draws            ┐ left out: the rate
/// run 4   ●●○●  4 draws            ┘ changed after them
/// run 7   ●●●●  4 draws            ┐
/// run 8   ●●●●  0: the same seeds  │ pooled: 8 draws
/// run 9   ●●●●  4 draws            ┘
/// ```
public struct PooledHistory: Sendable {
  /// One attempt of a history.
  public struct Entry: Sendable, Hashable {
    /// The number of the night, ascending.
    public var night: Int
    /// The case.
    public var caseID: String
    /// What was asked of what: everything that determines the answer but the seed.
    public var fingerprint: String
    /// The seed.
    public var seed: UInt64
    /// Whether it passed.
    public var passed: Bool

    /// Creates an entry.
    public init(night: Int, caseID: String, fingerprint: String, seed: UInt64, passed: Bool) {
      self.night = night
      self.caseID = caseID
      self.fingerprint = fingerprint
      self.seed = seed
      self.passed = passed
    }

    /// The draw that the attempt is.
    fileprivate var draw: Draw { Draw(fingerprint: fingerprint, seed: seed) }
  }

  fileprivate struct Draw: Hashable {
    var fingerprint: String
    var seed: UInt64
  }

  /// What is pooled.
  public private(set) var entries: [Entry]
  /// How many entries repeated another one's fingerprint and seed.
  public let duplicates: Int
  /// How many nights were left out for a change of the rate after them.
  public let droppedNights: Int
  /// What became of runs that are not pooled.
  public var omissions: [HistorySummary.Omission]
  /// The draws of all nights, those that were left out among them.
  private let draws: Set<Draw>

  /// Pools a history.
  ///
  /// - Parameters:
  ///   - history: The attempts, the oldest night first.
  ///   - omissions: What was left out of it before.
  ///   - alpha: The significance level of change points; 0 to pool everything.
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

  /// What the pooled nights counted.
  public var total: HistoryPoint {
    HistoryPoint(passed: entries.count { $0.passed }, count: entries.count)
  }

  /// The nights that have pooled attempts.
  public var nights: Int { Set(entries.lazy.map(\.night)).count }

  /// What was pooled, and what was left out.
  public var summary: HistorySummary {
    HistorySummary(
      attempts: entries.count, runs: nights, duplicates: duplicates,
      runsBeforeChange: droppedNights, omissions: omissions)
  }

  /// Whether an attempt is one of the history's own draws, which says nothing new.
  func contains(fingerprint: String, seed: UInt64) -> Bool {
    draws.contains(Draw(fingerprint: fingerprint, seed: seed))
  }

  /// The tables of failures and passes of a candidate and of the history, one for each case that both
  /// have, in the order of ids.
  ///
  /// - Parameter candidate: What each case counted, by its id.
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

  /// The one-sided p-value of "the candidate passes less often", by the exact test within cases;
  /// 1 where no case is on both sides.
  ///
  /// - Parameter candidate: What each case counted, by its id.
  public func pValue(candidate: [String: HistoryPoint]) -> Double {
    let tables = tables(candidate: candidate)
    return tables.isEmpty ? 1 : Stratified.exact(tables, .greater)
  }
}
