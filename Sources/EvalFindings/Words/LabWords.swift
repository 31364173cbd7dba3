import EvalRecords
import EvalStatistics

/// Describes the results of a lab in sentences.
package enum LabWords {
  /// The result of the trials, in a few sentences.
  package static func conclusion(of result: LabResult) -> String {
    switch result.question {
    case .culprit: culprits(of: result)
    case .survivors: survivors(of: result)
    }
  }

  private static func culprits(of result: LabResult) -> String {
    guard let together = result.together else { return "Nothing was compared." }
    guard together.verdict == .regressed || together.verdict == .improved else {
      return together.verdict == .broken
        ? "With all edits together, there are too many backend errors for a comparison."
        : "There is no detectable change, so there is nothing to attribute."
    }
    let change = together.verdict == .regressed ? "regression" : "improvement"
    let answers = result.answers
    guard !answers.isEmpty else {
      return
        "No edit clearly causes the \(change) alone, and no edit is clearly necessary for it. "
        + "Different combinations of edits may cause it, or there is too little data to tell."
    }
    let names = list(answers.map { "the " + $0.title })
    guard result.isCausedAlone else {
      return "No edit alone causes the \(change). It needs \(names)."
    }
    let needed = answers.filter { trial in
      trial.without.map(result.isNecessary) ?? false
    }
    if answers.count == 1, !needed.isEmpty {
      let quantity =
        together.shown.map {
          $0.quantity == .passRate ? " of the pass rate" : " of \(VisibleText.line($0.title))"
        } ?? ""
      return "The \(change)\(quantity) comes from \(names): this edit alone causes it, and the "
        + "other edits together don’t make this quantity worse."
    }
    return
      "The \(change) comes from \(names): \(answers.count == 1 ? "this edit" : "each of them") "
      + "alone causes it."
  }

  /// A short conclusion, which counts the mutations that survived but doesn't name them.
  package static func headline(of result: LabResult) -> String {
    guard result.question == .survivors, !result.answers.isEmpty else {
      return conclusion(of: result)
    }
    return survivorCount(of: result) + "."
  }

  /// The effect of all edits together or, in a lab of mutations, the number of undecided mutations.
  ///
  /// The result is `nil` if the headline says everything.
  package static func details(of result: LabResult) -> String? {
    guard !result.answers.isEmpty else { return nil }
    guard result.question == .culprit else { return undecidedWords(of: result) }
    let words = mostTelling(result.together)
    guard let together = result.together, together.verdict == .regressed, !words.isEmpty else {
      return nil
    }
    // An edit that is to blame may make another one of these quantities worse.
    let others = together.changes.filter {
      together.decided.contains($0.quantity) && $0.quantity != together.shown?.quantity
    }.map { $0.quantity.title($0.evidence) }.distinct
    let also = others.isEmpty ? "" : " (also worse: \(list(others)))"
    return "With all edits together: \(words)\(also)."
  }

  /// The next step as an imperative sentence without a full stop, or `nil` if there is nothing to
  /// do.
  package static func step(of result: LabResult) -> String? {
    let count = result.answers.count
    guard count > 0 else { return nil }
    switch result.question {
    case .survivors:
      return
        "add a test case or an assertion that notices \(count == 1 ? "it" : "them"), or delete "
        + "the words if they do nothing"
    case .culprit:
      guard result.together?.verdict == .regressed else { return nil }
      guard count > 1 else { return "undo or reword that edit" + remainder(of: result) }
      // If each edit alone causes the change, the others still cause it when one is undone.
      return result.isCausedAlone
        ? "undo or reword \(count == 2 ? "both" : "all \(count)") of those edits"
        : "undo or reword one of those edits"
    }
  }

  /// The rest of the step if the edits that don't cause the change alone may cause it together.
  private static func remainder(of result: LabResult) -> String {
    let answers = result.answers
    guard answers.count == 1, let without = answers[0].without, result.causesChange(without)
    else { return "" }
    return "; the other edits together also cause the regression, so run the lab again without it"
  }

  private static func survivors(of result: LabResult) -> String {
    guard tried(in: result) > 0 else { return "The variant has nothing that could be mutated." }
    let undecided = undecidedWords(of: result)
    guard !result.answers.isEmpty else { return undecided ?? "The suite notices every mutation." }
    return [
      survivorCount(of: result) + ": \(list(result.answers.map(\.title))).",
      step(of: result).map { "Do next: \($0)." }, undecided,
    ].compactMap(\.self).joined(separator: " ")
  }

  private static func tried(in result: LabResult) -> Int {
    result.trials.count { $0.alone != nil }
  }

  private static func survivorCount(of result: LabResult) -> String {
    let count = result.answers.count
    return "\(count) of \(tried(in: result).counted("mutation")) survived; no test case notices "
      + (count == 1 ? "it" : "them")
  }

  private static func undecidedWords(of result: LabResult) -> String? {
    let undecided = result.undecided
    guard !undecided.isEmpty else { return nil }
    let count = tried(in: result).counted("mutation")
    let needsCases = undecided.contains { $0.alone?.needsCases == true }
    return "The suite may or may not notice \(undecided.count) of \(count): "
      + (needsCases
        ? "too few test cases changed, or no comparison was possible. More test cases may settle "
          + "it; more repeats would give the same answers."
        : "chance could explain the additional failures, or no comparison was possible. More "
          + "repeats may settle it.")
  }

  private static func list(_ names: [String]) -> String {
    let names = names.map(VisibleText.line)
    guard let last = names.last, names.count > 1 else { return names.first ?? "" }
    return names.dropLast().joined(separator: ", ") + " and " + last
  }

  /// The verdict and the most informative effect of a finding, or an empty string if there is no
  /// finding.
  package static func words(_ finding: LabResult.Finding?) -> String {
    guard let finding else { return "" }
    return [finding.verdict.words, mostTelling(finding)].filter { !$0.isEmpty }
      .joined(separator: ": ")
  }

  /// The most informative effect of a finding in words, or an empty string if there is none.
  package static func mostTelling(_ finding: LabResult.Finding?) -> String {
    guard let effect = finding?.shown else { return "" }
    let p = (effect.adjustedP ?? effect.pValue).map { ", \(NumberText.namedPValue($0))" }
    return "\(VisibleText.line(effect.title)) \(effect.sidesWords)" + (p ?? "")
  }
}

extension LabSummary {
  /// Returns which edits a variant contains, such as `only the guide of CardSet.cards`, or `nil` if
  /// the lab didn't make the variant.
  package func words(_ variant: String) -> String? {
    if together?.trial.alone?.variant == variant { return "all edits together" }
    for trial in result.trials {
      let title = VisibleText.line(trial.title)
      if trial.alone?.variant == variant {
        return result.question == .culprit ? "only the \(title)" : title
      }
      if trial.without?.variant == variant { return "all edits except the \(title)" }
    }
    return nil
  }
}

extension LabSummary.Row {
  /// The lab's conclusion about this mutation or edit, in a few words.
  package func words(_ question: LabResult.Question) -> String {
    switch (fate, question) {
    case (.answer, .survivors): "! survived"
    case (.answer, .culprit): "◀ to blame"
    case (.undecided, _) where trial.alone?.needsCases == true: "? too few test cases to tell"
    case (.undecided, _): "? too few attempts to tell"
    case (.other, .survivors): "✓ noticed"
    case (.other, .culprit) where isClear: "≈ not to blame: it changed another quantity"
    case (.other, .culprit): "≈ not to blame"
    case (.notTried, _): "– not tried"
    }
  }

  /// Whether the edit alone clearly changed a quantity.
  private var isClear: Bool {
    trial.alone.map { $0.verdict == .regressed || $0.verdict == .improved } ?? false
  }

  /// The quantity that a mutation changed, and the test case whose pass rate fell most: `P(not
  /// unclear) at $ 65.3 % → 100.0 %; most in tides: 5 of 5 passed before, 0 of 5 after`.
  ///
  /// If the suite didn't notice the mutation, the text shows how far it is from noticing it.
  package var noticedWords: String {
    let most = (fate == .other ? noticed : nil).map { caseID, before, after in
      "most in \(VisibleText.line(caseID)): \(before.passed) of \(before.attempts) passed before, "
        + "\(after.passed) of \(after.attempts) after"
    }
    return [LabWords.mostTelling(trial.alone), most ?? ""].filter { !$0.isEmpty }
      .joined(separator: "; ")
  }
}

extension LabResult {
  /// The significance levels of the comparisons: `at α = 0.05`.
  package var levelWords: String {
    let level = "at α = \(Self.words(alpha))"
    guard let togetherAlpha, togetherAlpha != alpha, together != nil else { return level }
    return "all edits together at α = \(Self.words(togetherAlpha)), the others \(level)"
  }

  /// A significance level with at most five decimals.
  package static func words(_ alpha: Double) -> String {
    "\((alpha * 100_000).rounded() / 100_000)"
  }
}

extension LabResult {
  /// Whether each of the edits that answer the lab's question causes the change on its own.
  fileprivate var isCausedAlone: Bool {
    answers.allSatisfy { $0.alone.map(causesChange) ?? false }
  }
}
