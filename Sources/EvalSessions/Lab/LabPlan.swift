import EvalRecords
import EvalStatistics
import EvalSuites

/// The variants of a lab, with the edits or mutations that they try.
package struct LabPlan {
  /// One edit or mutation, with the ids of the variants that try it.
  package typealias Trial = LabRecord.Trial

  /// The question that the trials answer.
  package let question: LabResult.Question
  /// The suite with all variants, starting with the base.
  package private(set) var suite: Suite
  /// The id of the variant with all edits, or `nil` for mutations.
  package private(set) var together: String?
  /// The trials, in the order of the edits or mutations.
  package private(set) var trials: [Trial] = []
  /// The number of mutations that the plan leaves out because of its limit.
  package private(set) var omitted = 0

  /// Creates a plan that tries each edit between two variants in two ways: only this edit, and all
  /// edits except this one.
  package init(_ suite: Suite, from base: SuiteVariant, to candidate: SuiteVariant) {
    question = .culprit
    self.suite = suite
    var candidate = candidate
    candidate.stub = nil
    together = candidate.id
    self.suite.variants = [base, candidate]
    let difference = VariantDifference(from: base, to: candidate)
    guard difference.edits.count > 1 else {
      trials = difference.edits.map { Trial(title: $0.title, alone: candidate.id) }
      return
    }
    for (index, edit) in difference.edits.enumerated() {
      var trial = Trial(title: edit.title)
      do throws(LabError) {
        let alone = try difference.variant(
          making: [edit], id: "only-\(index + 1)", title: "only: \(edit.title)")
        trial.alone = alone.id
        self.suite.variants.append(alone)
      } catch {
        trial.obstacle = error.reason
      }
      let others = difference.edits.enumerated().filter { $0.offset != index }.map(\.element)
      if let without = try? difference.variant(
        making: others, id: "without-\(index + 1)", title: "all but: \(edit.title)")
      {
        trial.without = without.id
        self.suite.variants.append(without)
      }
      trials.append(trial)
    }
  }

  /// Creates a plan that tries the mutations of a variant one at a time.
  ///
  /// - Parameter limit: The maximum number of mutations.
  package init(_ suite: Suite, damaging base: SuiteVariant, limit: Int) {
    question = .survivors
    self.suite = suite
    self.suite.variants = [base]
    let mutations = GuideMutation.mutations(of: base)
    omitted = max(0, mutations.count - limit)
    for (index, mutation) in mutations.prefix(limit).enumerated() {
      var trial = Trial(title: mutation.title)
      do throws(LabError) {
        let damaged = try mutation.applied(to: base, id: "damage-\(index + 1)")
        trial.alone = damaged.id
        self.suite.variants.append(damaged)
      } catch {
        trial.obstacle = error.reason
      }
      trials.append(trial)
    }
  }

  /// Returns the comparisons of the run, which compare every other variant with the base.
  ///
  /// - Parameter rules: The margin, and the chance α of a false alarm. Each mutation is a separate
  ///   question, so each comparison gets the full α. In a search for culprits, the error to avoid
  ///   is blaming the wrong edit, so the variants with only some of the edits share α (Bonferroni).
  ///   The variant with all edits gets the full α, as in `assay compare`.
  package func comparison(_ rules: ComparisonRules) -> VariantComparison {
    let candidates = suite.variants.dropFirst().map(\.id)
    let share = question == .culprit ? Double(max(1, candidates.count - 1)) : 1
    return VariantComparison(
      baseline: suite.variants[0].id, candidates: candidates, margin: rules.margin,
      alpha: rules.alpha / share)
  }

  /// Returns the trials, for the record of the run.
  ///
  /// - Parameters:
  ///   - rules: The margin, and the chance of a false alarm.
  ///   - failsSurvivors: Whether the command fails when a mutation survives.
  package func record(_ rules: ComparisonRules, failsSurvivors: Bool) -> LabRecord {
    LabRecord(
      question: question, suite: suite.id, together: together,
      togetherAlpha: question == .culprit ? rules.alpha : nil, trials: trials,
      failsSurvivors: failsSurvivors)
  }
}
