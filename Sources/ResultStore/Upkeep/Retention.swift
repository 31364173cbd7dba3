import EvalRecords

/// A rule that decides which runs a database keeps.
public struct Retention: Sendable, Hashable {
  /// The reason for keeping a run that the rule alone would remove.
  public enum Reason: Sendable, Hashable {
    /// A file or another run refers to the run.
    case referenced
    /// The run is the first complete run of a suite without a baseline, so later runs are compared
    /// with it.
    case first
    /// A run that is kept reuses answers of the run.
    case reused
    /// The run is still in progress.
    case running
  }

  /// The number of newest runs to keep, or `nil` if only the start time counts.
  public var newest: Int?
  /// The earliest start time of the runs to keep, ISO 8601 in UTC, or `nil` if only the number
  /// counts.
  public var since: String?

  /// Creates a rule that keeps a run if it is among the `newest` runs, or if it started at or after
  /// `since`.
  public init(newest: Int? = nil, since: String? = nil) {
    self.newest = newest
    self.since = since
  }

  /// The runs to remove, and the runs that are exceptions to the rule.
  public struct Plan: Sendable, Hashable {
    /// The runs to remove, in ascending order of ids.
    public var removed: [RunHead] = []
    /// The runs that the rule alone would remove, with the reasons for keeping them.
    public var spared: [Spared] = []

    /// Keeps the runs whose answers other kept runs reuse.
    fileprivate mutating func spareReused(keeping all: Set<Int>, _ reuse: [Int: ReuseRecord]) {
      while true {
        let kept = all.subtracting(removed.map(\.id))
        let origins = kept.flatMap { reuse[$0]?.origins ?? [] }
        // Another database may have used the number of an origin for another run.
        let used = removed.filter { run in
          origins.contains { $0.run == run.id && $0.startedAt == run.startedAt }
        }
        guard !used.isEmpty else { break }
        removed.removeAll(where: used.contains)
        spared += used.map { Spared(run: $0, reason: .reused) }
      }
      spared.sort { $0.run.id < $1.run.id }
    }

    /// A run that the rule alone would remove.
    public struct Spared: Sendable, Hashable {
      /// The run.
      public var run: RunHead
      /// The reason for keeping the run.
      public var reason: Reason
    }
  }

  /// Applies the rule.
  ///
  /// - Parameters:
  ///   - runs: The runs, in ascending order of ids.
  ///   - referenced: The ids of runs that a file or another run refers to.
  ///   - first: The ids of the first runs of suites without a baseline.
  ///   - others: The ids of runs that aren't among `runs` and are kept.
  ///   - reuse: The answers that runs reused, keyed by the id of the run.
  public func plan(
    runs: [RunHead], referenced: Set<Int> = [], first: Set<Int> = [], others: [Int] = [],
    reuse: [Int: ReuseRecord] = [:]
  ) -> Plan {
    guard newest != nil || since != nil else { return Plan() }
    let newestIDs = Set(runs.suffix(max(0, newest ?? 0)).map(\.id))
    var plan = Plan()
    for run in runs where !newestIDs.contains(run.id) {
      if let since, run.startedAt >= since { continue }
      if run.status == .running {
        plan.spared.append(.init(run: run, reason: .running))
      } else if referenced.contains(run.id) {
        plan.spared.append(.init(run: run, reason: .referenced))
      } else if first.contains(run.id) {
        plan.spared.append(.init(run: run, reason: .first))
      } else {
        plan.removed.append(run)
      }
    }
    plan.spareReused(keeping: Set(runs.map(\.id) + others), reuse)
    return plan
  }
}
