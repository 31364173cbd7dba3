import EvalRecords
import EvalStatistics

/// The mutations or edits of a lab, with those that answer the lab's question first.
package final class LabSummary: Sendable {
  /// The lab's conclusion about a mutation or an edit.
  package enum Fate: Int, Sendable, Comparable {
    /// No test case notices the mutation, or, in a lab that compares two variants, the edit is
    /// responsible for the change.
    case answer
    /// Either the pass rate fell by more than the margin, but chance may explain the fall, or the
    /// comparison is broken or impossible.
    case undecided
    /// The suite notices the mutation, or the edit is not responsible for the change.
    case other
    /// The lab couldn't try the mutation or edit on its own.
    case notTried

    package static func < (left: Fate, right: Fate) -> Bool { left.rawValue < right.rawValue }
  }

  /// A mutation or an edit with the lab's conclusion about it.
  package struct Row: Sendable {
    package let trial: LabResult.Trial
    package let fate: Fate
    /// The texts and bounds that differ from the lab's base variant.
    package let edits: [GuideEdit]
    /// The test case whose pass rate fell most, with its tallies before and after, or `nil` if no
    /// rate fell.
    package let noticed: (caseID: String, before: Tally, after: Tally)?
  }

  package let result: LabResult
  /// The trial of all edits together, or `nil` for mutations.
  ///
  /// The lab attributes the effect of this trial to individual edits.
  package let together: Row?
  package let rows: [Row]
  /// Whether a mutation that survives makes the command fail.
  package let failsSurvivors: Bool

  /// The number of mutations or edits that answer the lab's question.
  package var answers: Int { rows.count { $0.fate == .answer } }

  init(_ result: LabResult, _ summary: RunSummary, failsSurvivors: Bool) {
    self.result = result
    self.failsSurvivors = failsSurvivors
    let slices = summary.slices
    let base = summary.run.comparison.flatMap { comparison in
      slices.first { $0.key.variant == comparison.baseline }
    }
    let (answers, undecided) = (result.answers, result.undecided)
    together = result.together.map { finding in
      Row(
        trial: LabResult.Trial(title: "all edits together", alone: finding), fate: .other,
        edits: [], noticed: nil)
    }
    rows = result.trials.map { trial -> Row in
      let fate: Fate =
        answers.contains(trial)
        ? .answer : trial.alone == nil ? .notTried : undecided.contains(trial) ? .undecided : .other
      let slice = trial.alone.flatMap { finding in
        slices.first { $0.key.variant == finding.variant }
      }
      var edits: [GuideEdit] = []
      if let old = base?.variant, let new = slice?.variant {
        edits = GuideEdit.differences(
          scope: .suite(base?.key.suite ?? "", variant: new.id), from: old, to: new)
      }
      return Row(
        trial: trial, fate: fate, edits: edits,
        noticed: base.flatMap { base in slice.flatMap { Self.noticed(base, $0) } })
    }.sorted { $0.fate < $1.fate }
  }

  /// The test case whose pass rate fell most, or `nil` if none fell.
  private static func noticed(
    _ base: SliceSummary, _ slice: SliceSummary
  ) -> (caseID: String, before: Tally, after: Tally)? {
    let before = Dictionary(first: base.cases.map { ($0.id, $0.tally) })
    let falls = slice.cases.compactMap { item in
      before[item.id].flatMap { tally -> (String, Tally, Tally, Double)? in
        guard let old = tally.rate, let new = item.tally.rate, new < old else { return nil }
        return (item.id, tally, item.tally, old - new)
      }
    }
    return falls.max { $0.3 < $1.3 }.map { ($0.0, $0.1, $0.2) }
  }
}
