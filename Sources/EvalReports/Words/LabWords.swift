import EvalRecords
import EvalStatistics

extension LabSummary {
  /// Returns which edits a variant contains, such as `only the guide of CardSet.cards`, or `nil` if
  /// the lab didn't make the variant.
  func words(_ variant: String) -> String? {
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
  func words(_ question: LabResult.Question) -> String {
    switch (fate, question) {
    case (.answer, .survivors): "! survived"
    case (.answer, .culprit): "◀ to blame"
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
  var noticedWords: String {
    let most = (fate == .other ? noticed : nil).map { caseID, before, after in
      "most in \(VisibleText.line(caseID)): \(before.passed) of \(before.attempts) passed before, "
        + "\(after.passed) of \(after.attempts) after"
    }
    return [LabReport.mostTelling(trial.alone), most ?? ""].filter { !$0.isEmpty }
      .joined(separator: "; ")
  }
}

extension LabResult {
  /// The significance levels of the comparisons: `at α = 0.05`.
  var levelWords: String {
    let level = "at α = \(Self.words(alpha))"
    guard let togetherAlpha, togetherAlpha != alpha, together != nil else { return level }
    return "all edits together at α = \(Self.words(togetherAlpha)), the others \(level)"
  }

  /// A significance level with at most five decimals.
  static func words(_ alpha: Double) -> String {
    "\((alpha * 100_000).rounded() / 100_000)"
  }
}
