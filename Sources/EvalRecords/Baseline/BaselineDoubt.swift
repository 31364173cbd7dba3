/// A finding about an accepted run that its user should know, although the run may be accepted.
public enum BaselineDoubt: Sendable, Hashable {
  /// A suite could not be compared with its reference, so no comparison has judged the answers.
  case notCompared(suite: String)
  /// A suite is judged by other rules than its reference was, which these facts describe.
  case judgedOtherwise(suite: String, edits: [ComparisonDifference.Fact])
  /// Test cases of a suite always passed in the reference, and always fail in the run.
  case newlyFailing(suite: String, cases: [String])
}

extension BaselineDoubt {
  /// Returns the doubts about a run.
  ///
  /// - Parameters:
  ///   - run: The run.
  ///   - suites: The suites for which the run becomes the reference.
  ///   - comparisons: The comparisons of the run with its references.
  package static func doubts(
    about run: RunRecord, suites: [String], comparisons: [ComparisonRecord]
  ) -> [BaselineDoubt] {
    suites.flatMap { suite in
      let own = comparisons.filter { $0.candidate.suite == suite }
      let remark = run.details.references?.first { $0.suite == suite }?.remark
      let isOpen =
        remark?.preventsComparison == true || own.contains { $0.verdict == .notComparable }
      let failing = Set(own.flatMap(\.flips).flatMap(\.newlyFailing)).sorted()
      var edits: [ComparisonDifference.Fact] = []
      for fact in own.flatMap(\.differences).map(\.fact)
      where fact.isEditOfJudgement && !edits.contains(fact) {
        edits.append(fact)
      }
      return (isOpen ? [.notCompared(suite: suite)] : [])
        + (edits.isEmpty ? [] : [.judgedOtherwise(suite: suite, edits: edits)])
        + (failing.isEmpty ? [] : [newlyFailing(suite: suite, cases: failing)])
    }
  }
}
