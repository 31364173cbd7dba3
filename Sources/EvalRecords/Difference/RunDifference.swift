/// The difference between two runs of the same suites: how many attempts pass, and which test cases
/// have a different result.
public struct RunDifference: Sendable, Hashable {
  /// The number of attempts at a test case or in a suite, and how many of them passed.
  package struct Count: Sendable, Hashable {
    package var passed = 0
    package var attempts = 0
  }

  /// A test case with a different result.
  ///
  /// `before` or `after` is `nil` if that run has no attempt at the test case.
  package struct CaseChange: Sendable, Hashable {
    package let id: String
    package let before: Count?
    package let after: Count?
    /// The first failed attempt in the later run, or `nil` if none failed.
    package let failed: AttemptRecord?
  }

  /// A suite in one variant on one backend.
  package struct Place: Sendable, Hashable {
    package let name: String
    /// The counts in the earlier run, or `nil` if that run has no attempt here.
    package let before: Count?
    package let after: Count
    /// The test cases with a different result, sorted by id.
    ///
    /// Test cases that are missing from the later run come last.
    package let cases: [CaseChange]
    /// The number of answers that differ from the earlier run's answer in the same repeat of the
    /// same test case.
    package let changedAnswers: Int
  }

  package let places: [Place]

  /// Creates a difference from the attempts of two runs.
  ///
  /// - Parameters:
  ///   - before: The attempts of the earlier run, in any order.
  ///   - after: The attempts of the later run. The difference covers only this run's suites.
  public init(from before: [AttemptRecord], to after: [AttemptRecord]) {
    func slices(_ attempts: [AttemptRecord]) -> [SliceKey: [AttemptRecord]] {
      Dictionary(grouping: attempts.filter { $0.outcome != .skipped }) {
        $0.key.slice
      }
    }
    let (old, new) = (slices(before), slices(after))
    let keys = new.keys.sorted {
      ($0.suite, $0.variant, $0.backend) < ($1.suite, $1.variant, $1.backend)
    }
    let hasBackends = Set(keys.map(\.backend)).count > 1
    places = keys.map { key in
      let hasVariants = keys.contains { $0.suite == key.suite && $0.variant != key.variant }
      let name =
        key.suite + (hasVariants ? ":\(key.variant)" : "")
        + (hasBackends ? " on \(key.backend)" : "")
      return Self.place(name, from: old[key], to: new[key] ?? [])
    }
  }

  private static func place(
    _ name: String, from before: [AttemptRecord]?, to after: [AttemptRecord]
  ) -> Place {
    let (old, new) = (counts(before ?? []), counts(after))
    let gone = old.keys.filter { new[$0] == nil }.sorted()
    var order: [String] = []
    var seen: Set<String> = []
    for attempt in after where seen.insert(attempt.key.caseID).inserted {
      order.append(attempt.key.caseID)
    }
    let cases =
      before == nil
      ? []
      : (order.sorted() + gone).compactMap { id -> CaseChange? in
        guard old[id] != new[id] else { return nil }
        let failed = after.first {
          $0.key.caseID == id && $0.outcome != .pass && $0.outcome != .skipped
        }
        return CaseChange(id: id, before: old[id], after: new[id], failed: failed)
      }
    let outputs = Dictionary(
      (before ?? []).map { ($0.key, $0.output) }, uniquingKeysWith: { first, _ in first })
    return Place(
      name: name, before: before.map { sum(counts($0)) }, after: sum(new), cases: cases,
      changedAnswers: after.count { attempt in
        outputs[attempt.key].map { $0 != attempt.output } ?? false
      })
  }

  private static func counts(_ attempts: [AttemptRecord]) -> [String: Count] {
    attempts.reduce(into: [:]) { counts, attempt in
      counts[attempt.key.caseID, default: Count()].attempts += 1
      if attempt.outcome == .pass { counts[attempt.key.caseID, default: Count()].passed += 1 }
    }
  }

  private static func sum(_ counts: [String: Count]) -> Count {
    counts.values.reduce(into: Count()) { sum, count in
      sum.passed += count.passed
      sum.attempts += count.attempts
    }
  }
}
