import EvalRecords

/// Which attempts of a plan reuse stored answers, and which of these are computed anew to prove
/// that the stored ones are right.
package struct ReusePlan: Sendable {
  /// The stored attempts to reuse, keyed by the planned attempts.
  package private(set) var reused: [AttemptKey: ReusableAttempt] = [:]
  /// The stored attempts that the run computes anew and compares.
  package private(set) var audited: [AttemptKey: ReusableAttempt] = [:]

  /// The usual share of the reusable attempts that is computed anew.
  package static let usualShare = 0.05

  /// Creates a plan that reuses nothing.
  package init() {}

  /// Divides the reusable attempts into those to reuse and those to audit.
  ///
  /// From each suite on each backend, the audit draws a share of the attempts, at least one. It
  /// draws the repeats of a test case one after another, because they share its prompt. The draw
  /// depends on the date, so each night audits others.
  ///
  /// - Parameters:
  ///   - reusable: The stored attempts, keyed by the planned attempts.
  ///   - date: The date of the run.
  ///   - share: The share to audit, from 0 to 1.
  package init(
    _ reusable: [AttemptKey: ReusableAttempt], date: String, share: Double = usualShare
  ) {
    struct Group: Hashable {
      var suite: String
      var backend: String
    }
    let groups = Dictionary(grouping: reusable.keys) {
      Group(suite: $0.suite, backend: $0.backend)
    }
    reused = reusable
    for keys in groups.values {
      let count = max(1, min(keys.count, Int((share * Double(keys.count)).rounded())))
      let drawn = keys.map { (rank: Self.rank($0, date), key: $0) }
        .sorted { ($0.rank, $0.key.repeatIndex) < ($1.rank, $1.key.repeatIndex) }.prefix(count)
      for (_, key) in drawn { audited[key] = reused.removeValue(forKey: key) }
    }
  }

  /// Returns a text by which the audit of a date orders test cases.
  private static func rank(_ key: AttemptKey, _ date: String) -> String {
    RequestFingerprints.digest([date, key.suite, key.backend, key.caseID, key.variant])
  }

  /// Whether nothing is reused.
  package var isEmpty: Bool { reused.isEmpty && audited.isEmpty }

  /// The result of an audit.
  package struct Audit: Sendable, Hashable {
    /// The number of attempts that were compared.
    package var count = 0
    /// The attempts that differ.
    package var differences: [ReuseRecord.Difference] = []

    /// Whether the stored answers may be reused: some were compared, and all of them are equal.
    package var isPassed: Bool { count > 0 && differences.isEmpty }
  }

  /// Compares the audited attempts with the stored ones.
  ///
  /// An attempt that ended with an error of the backend proves nothing.
  ///
  /// - Parameter made: The attempts that the run computed.
  package func audit(_ made: some Sequence<AttemptRecord>) -> Audit {
    var audit = Audit()
    for attempt in made {
      guard let stored = audited[attempt.key], attempt.outcome != .skipped,
        !attempt.isBackendError
      else { continue }
      audit.count += 1
      if let part = ReuseRecord.Difference.Part.first(stored.attempt, attempt) {
        audit.differences.append(
          ReuseRecord.Difference(attempt: attempt.key, origin: stored.origin, part: part))
      }
    }
    return audit
  }
}
