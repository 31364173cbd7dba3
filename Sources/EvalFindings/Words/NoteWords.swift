import EvalRecords

extension EffectNote {
  package var words: String {
    switch self {
    case .notComparable: return "not comparable"
    case .errors(let side, let errors, let attempts):
      return
        "\(errors) of \(attempts.counted("attempt")) of the \(side.rawValue) ended in a backend "
        + "error"
    case .undecided(let need): return need.words
    case .flips(let worse, let better, let pairs):
      return "flips in \(pairs.counted("pair")): \(worse) for the worse, \(better) for "
        + "the better"
    case .equalOutputs(let count):
      return count == 1
        ? "the output is the same on both sides" : "all \(count) outputs are the same on both sides"
    case .notJudged(let pairs, let count):
      return "\(pairs) of \(count.counted("pair")) have no value to judge"
    case .casesAsSample(let pValue):
      return
        "p = \(Self.rounded(pValue)), two-sided, if the test cases are a sample of inputs"
    case .direction(let rose, let fell, let cases):
      return "rose in \(rose) and fell in \(fell) of \(cases.counted("test case"))"
    case .largestShift(let caseID, let before, let after):
      return "most in \(caseID): \(Self.rounded(before)) → \(Self.rounded(after))"
    case .withoutDecision(let cases, let count):
      return "no probability was measured in \(cases) of \(count.counted("test case"))"
    case .unresolved(let decisions, let lost, let cases, let limit):
      let loss = lost > 0 ? ", and with them \(lost) of \(cases.counted("test case"))" : ""
      return "left out because more than \(limit) is unresolved: "
        + "\(decisions.counted("decision"))\(loss)"
    case .draws(let count, let attempts):
      return
        "\(count.counted("draw")) in \(attempts.counted("attempt")): identical answers count once"
    case .concentrated(let cases):
      return "the change is concentrated in \(Self.named(cases))"
    case .fewCasesWithinMargin(let pValue, let cases):
      return "a far change in \(Self.named(cases)) (p = \(Self.rounded(pValue))), but the mean "
        + "change is within the margin"
    case .sampledText(let draws, let canDecide):
      return "depends on sampled text: "
        + (canDecide
          ? "judged by the spread of \(draws.counted("draw")) of each test case or more"
          : "with one draw of each test case, it can only be suspected")
    case .excluded(let worsening):
      return "a worsening of more than \(Self.points(worsening)) is excluded"
    case .toExclude(let worsening, let more):
      return "\(more.counted("more test case")) would exclude a worsening of more than "
        + Self.points(worsening)
    case .visible(let worsening):
      return "a worsening of \(Self.points(worsening)) would have been found with a probability "
        + "of 80 %"
    case .suspected(let pValue):
      return
        "suspected: p = \(Self.rounded(pValue)) for this test alone; more draws are needed "
        + "to confirm it"
    case .movedDraws(let pValue):
      return "these test cases got worse by more than chance explains (p = "
        + "\(Self.rounded(pValue))), but no more than a harmless edit can move test cases"
    case .aboutTheseCases:
      return "the verdict and the interval are about these test cases, not about inputs like them"
    case .contradicted: return "the answers contradict these probabilities"
    case .since(let nights):
      return nights == 0
        ? "the drop began tonight" : "the drop has lasted for \((nights + 1).counted("night"))"
    case .history(let summary): return summary.words
    case .knownDraws(let count):
      return count == 1
        ? "1 of the candidate's attempts is already in the history"
        : "\(count) of the candidate's attempts are already in the history"
    }
  }

  /// The number of test cases, the first five of them with their changes.
  private static func named(_ cases: [CaseShift]) -> String {
    let shown = cases.prefix(5).map {
      "\($0.id) (\(NumberText.percent($0.before)) → \(NumberText.percent($0.after)))"
    }
    let more = cases.count > 5 ? " and \(cases.count - 5) more" : ""
    let count = cases.count < 10 ? cases.count.counted("test case") : "10 test cases or more"
    return "\(count): \(shown.joined(separator: ", "))\(more)"
  }

  /// A change in percentage points, with one decimal unless that decimal is 0.
  private static func points(_ change: Double) -> String {
    let text = NumberText.fixed(change * 100, 1)
    return "\(text.hasSuffix(".0") ? String(text.dropLast(2)) : text) points"
  }

  /// A number with at most four digits after the point.
  private static func rounded(_ value: Double) -> String {
    "\((value * 10_000).rounded() / 10_000)"
  }
}

extension EffectNote.Need {
  /// A clause about the evidence that a verdict would need.
  package var words: String {
    switch self {
    case .repeats(let more): "needs at least \(more.counted("more repeat")) of each test case"
    case .timesCases(let factor): "needs about \(factor) times as many test cases"
    case .cases(let more):
      "needs at least \(more.counted("more test case")) (more repeats of the same test cases add "
        + "little here)"
    case .beyondRepeats(let factor): "even \(factor) times the repeats would probably not decide it"
    case .beyondCases(let factor):
      "even \(factor) times the test cases would probably not decide it"
    case .atMargin:
      "the mean shift is at the margin, so more test cases would probably not decide it"
    case .sampling: "needs at least 2 draws of each test case, from requests that sample"
    case .freshRepeats: "more fresh repeats (--fresh) would tell more"
    }
  }
}

extension HistorySummary {
  /// A description of the attempts that the pooled history includes and the runs that it leaves
  /// out.
  package var words: String {
    func counted(_ value: Int, _ noun: String) -> String {
      "\(NumberText.grouped(value)) \(value == 1 ? noun : noun + "s")"
    }
    let repeated = duplicates > 0 ? " (\(counted(duplicates, "duplicate")) left out)" : ""
    var parts = [
      "\(counted(attempts, "attempt")) of \(runs.counted("run")) with the same guides, "
        + "model and options, each seed counted once\(repeated)"
    ]
    if runsBeforeChange > 0 {
      parts.append("without \(runsBeforeChange.counted("run")) from before the rate changed")
    }
    return (parts + omissions.map(\.words)).joined(separator: ", ")
  }
}

extension HistorySummary.Omission {
  fileprivate var words: String {
    switch self {
    case .otherRequest(let runs): Self.words(runs, "other guides, models or options")
    case .otherJudgement(let runs): Self.words(runs, "other assertions or inputs")
    case .part(let runs): Self.words(runs, "only a part of the suite")
    case .pastWorsening(let runs): Self.words(runs, "worse than the runs before and after")
    }
  }

  private static func words(_ runs: [Int], _ other: String) -> String {
    guard runs.count != 1 else { return "run \(runs[0]) left out (\(other))" }
    let last = runs.last.map { "; the last is run \($0)" } ?? ""
    return "\(runs.count) runs left out (\(other)\(last))"
  }
}
