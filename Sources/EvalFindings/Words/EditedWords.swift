import EvalRecords
import EvalStatistics

extension ComparisonRecord {
  /// The edits of the rules that judge answers, such as `gate rate 0.9 → 0.1`, or `nil` if there
  /// are none.
  ///
  /// Both sides are judged by the candidate's rules.
  package var editedWords: String? {
    let facts = differences.map(\.fact)
    var parts: [String] = []
    func add(_ words: String) {
      if !parts.contains(words) { parts.append(words) }
    }
    for case .guardrails(let change, let names) in facts {
      let side = change == .removed ? "baseline" : "candidate"
      add(
        "\(names.count.counted("guardrail")) that only the \(side) has"
          + ComparisonDifference.AssertionChange.listed(names))
    }
    for case .assertions(.reweighted, let names) in facts {
      add(ComparisonDifference.AssertionChange.reweighted.leftOutWords(names))
    }
    for fact in facts {
      guard case .setting(let name, let before, let after, let cases) = fact, name.isOfJudging
      else { continue }
      let change = ComparisonDifference.Fact.setting(name: name, before: before, after: after).words
      add(cases.isEmpty ? change : "\(change) in \(cases.count.counted("test case"))")
    }
    return parts.isEmpty ? nil : VisibleText.line(parts.joined(separator: ", "))
  }

  /// The new judgement of the baseline as a sentence without a full stop, or `nil` if there was
  /// none.
  package var judgedAnewWords: String? {
    for case .judgedAnew(let rejudgement) in differences.map(\.fact) { return rejudgement.words }
    return nil
  }
}

extension Rejudgement {
  /// The new judgement as a clause: `the baseline's stored answers were judged anew …`.
  package var words: String {
    let parts = [(edited, "edited"), (removed, "removed"), (added, "new")].compactMap {
      names, change in
      names.isEmpty
        ? nil
        : "\(names.count.counted("\(change) assertion"))"
          + ComparisonDifference.AssertionChange.listed(names)
    }
    let effect =
      changedVerdicts + changedOutcomes == 0
      ? "which changed no verdict"
      : "which changed \(changedVerdicts.counted("verdict")) and the outcome of "
        + changedOutcomes.counted("attempt")
    return "the baseline's stored answers to \(cases.count.counted("test case")) were judged anew "
      + "(\(parts.joined(separator: ", "))), \(effect)"
  }
}
