import EvalRecords

extension GateMiss {
  /// The miss in words: `test case `tides`: 0 of 3 pass, score 0, but at least 1 is needed`.
  package var words: String {
    switch self {
    case .uncheckedGuardrail(let assertion, let vacuous, let unknown):
      let reasons = [
        vacuous > 0 ? "it had nothing to check in \(vacuous.counted("attempt"))" : nil,
        unknown > 0 ? "\(unknown.counted("answer")) ended too early to tell" : nil,
      ]
      return "guardrail `\(assertion)` was never checked: "
        + reasons.compactMap(\.self).joined(separator: ", and ")
    case .caseScore(let caseID, let passed, let attempts, let score, let needed, let reducer):
      let asked = reducer.map { " by `\($0)`" } ?? ""
      return "test case `\(caseID)`: \(passed) of \(attempts) pass, "
        + "score \(Self.rounded(score))\(asked), but at least \(Self.rounded(needed)) is needed"
    case .tooFewRepeats(let caseID, let attempts, let reducer):
      return "test case `\(caseID)`: `\(reducer)` needs "
        + "\(reducer.neededRepeats.counted("repeat")), "
        + "but there \(attempts == 1 ? "is" : "are") \(attempts)"
    case .metricOutOfBounds(let metric, let value, let values, let isShare, let bound):
      func shown(_ value: Double) -> String {
        isShare ? "\(Self.rounded(value * 100)) %" : Self.rounded(value)
      }
      let found =
        values.map { "mean \(shown(value)) over \($0.counted("attempt"))" } ?? Self.rounded(value)
      let asked =
        switch bound {
        case .atLeast(let minimum): "at least \(shown(minimum)) is needed"
        case .atMost(let maximum): "at most \(shown(maximum)) is allowed"
        }
      return "metric `\(metric)`: \(found), but \(asked)"
    case .metricWithoutData(let metric, let attempts):
      return "metric `\(metric)` has no data in \(attempts.counted("attempt"))"
    case .backendErrors(let errors, let attempts):
      return
        "\(errors) of \(attempts.counted("attempt")) (more than 1 %) ended in a backend error, "
        + "or had a prompt that doesn't fit into the context"
    case .missingAnswers(let cases):
      return "\(cases.counted("test case")) \(cases == 1 ? "has" : "have") no recorded answer"
    case .metricWithoutValue(let metric, let reason):
      return "metric `\(metric)` has no value: \(reason)"
    }
  }

  /// A number with at most three decimals.
  private static func rounded(_ value: Double) -> String {
    let text = "\((value * 1000).rounded() / 1000)"
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }
}

extension GateResultRecord {
  /// Everything besides the rate for which the suite missed the gate, in words.
  package var reasons: [String] {
    guardrailHits.map { "guardrail “\(VisibleText.line($0.assertion))” failed \($0.count) ×" }
      + misses.map { VisibleText.line($0.words) }
  }

  /// The needed pass rate or score: `90 %`, with enough digits to differ from the rate.
  package var neededWords: String {
    NumberText.percent(
      neededRate, decimals: Sentence.exactDecimals(neededRate) ?? decimalsApart ?? 1)
  }

  /// The pass rate with more digits than usual, or `nil` if it differs from the needed rate anyway.
  var preciseRate: String? {
    // With a reducer, the headline shows the rate beside the score.
    guard abs(rate - plainRate) < 1e-9 else { return nil }
    return decimalsApart.map { NumberText.percent(rate, decimals: $0) }
  }

  /// The score that missed the gate, in words, or `nil` if the gate is missed for other reasons or
  /// judges the share of all attempts that passed.
  ///
  /// - Parameter reducer: The gate's reducer, or `nil` if it has none. Then the score is a share of
  ///   the attempts at the test cases without their own gates.
  package func missedScore(by reducer: CaseReducer?) -> String? {
    guard !isPassed, attempts > 0, let score, score < neededRate - 1e-12,
      abs(score - plainRate) >= 1e-9
    else { return nil }
    let percent = NumberText.percent(score, decimals: decimalsApart ?? 1)
    return switch reducer {
    case nil: "\(percent) pass without the test cases that have their own gates"
    case .mean?: "the mean score of the test cases is \(percent)"
    case let reducer?: "the mean score by `\(reducer)` is \(percent)"
    }
  }

  private var plainRate: Double { Double(passed) / Double(max(1, attempts)) }
  private var rate: Double { score ?? plainRate }

  /// The digits in which a rate that is hardly below the needed one differs from it.
  private var decimalsApart: Int? {
    guard attempts > 0, rate < neededRate, neededRate - rate < 0.001 else { return nil }
    return (2...9).first {
      NumberText.fixed(rate * 100, $0) != NumberText.fixed(neededRate * 100, $0)
    }
  }
}

extension [GateResultRecord] {
  /// The gates in a few words (`2 of 6 missed`), and whether that is bad news; `nil` if there are
  /// none.
  ///
  /// If a run stopped early, nobody knows yet whether it misses a gate without attempts.
  package func outcome(isComplete: Bool) -> (words: String, isBad: Bool)? {
    guard !isEmpty else { return nil }
    let open = isComplete ? 0 : self.count { $0.attempts == 0 }
    if open > 0 { return ("\(open) of \(count) without attempts", false) }
    let missed = self.count { !$0.isPassed }
    if missed > 0 { return ("\(missed) of \(count) missed", true) }
    return allSatisfy { !$0.requiresRate }
      ? ("none of \(count) requires a pass rate", false) : ("\(count) of \(count) reached", false)
  }
}

extension EarlyStopRecord {
  /// A description of the early stop, for a line that begins with the suite's name.
  package var words: String {
    let rule = "beta-binomial confidence sequence, α = \(alpha)"
    let sample =
      "\(passed) of \(count)" + (reducer.map { " test cases passed by `\($0)`" } ?? " passed")
    switch outcome {
    case .reached: return "stopped early: the gate is reached (\(sample), \(rule))"
    case .missed: return "stopped early: the gate is missed (\(sample), \(rule))"
    case .guardrail: return "stopped early: a guardrail was hit"
    }
  }
}
