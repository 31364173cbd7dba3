import EvalRecords

extension EffectMethod {
  /// A description of the test, the interval and the adjustment.
  package var words: String {
    var parts: [String] = []
    if let test {
      parts.append(test.words + (direction.map { ", one-sided (\($0.rawValue))" } ?? ""))
    }
    parts.append(interval.words)
    if let adjustment { parts.append(adjustment.words) }
    return parts.joined(separator: "; ")
  }
}

extension EffectMethod.Test {
  fileprivate var words: String {
    switch self {
    case .mcNemar: "exact McNemar test on flips of equal seeds"
    case .withinCases: "exact permutation test within test cases (the seeds differ)"
    case .againstHistory: "exact permutation test within test cases against the pooled history"
    case .drawsAndCases(let isPaired, let cases, let margin):
      (isPaired
        ? "exact McNemar test on flips of equal seeds"
        : "exact permutation test within test cases (the seeds differ)")
        + ", and sign-flip permutation over \(cases.counted("test case")), "
        + "mean change beyond \(margin)"
    case .sequential(let flips):
      "sequential test on \(flips.counted("flip")), valid even if the results stopped the run early"
    case .concentratedRise(let threshold):
      "sum of the two largest rises among the test cases minus the sum of the two largest falls, "
        + "above \(threshold)"
    case .measured(let cases, let margin, let permutesDraws, nil):
      permutesDraws
        ? "permutation test of the draws’ log odds within test cases, with 0.4 of the level, and "
          + "in addition sign-flip permutation of them over \(cases.counted("test case")), mean "
          + "change beyond \(margin)"
        : "sign-flip permutation over \(cases.counted("test case")), mean change beyond "
          + "\(margin), with 0.8 of the level"
    case .measured(let cases, _, let permutesDraws, let scale?):
      (permutesDraws
        ? "permutation test of the draws within test cases, with 0.1 of the level, and " : "")
        + "largest rises of log odds among \(cases.counted("test case")), compared with harmless "
        + "changes with a standard deviation of \(NumberText.fixed(scale, 1)), with 0.2 of the "
        + "level"
    case .driftScan(let nights):
      "exact permutation test within test cases: all nights since a change against all nights "
        + "before it, adjusted for \(nights.counted("possible night")) of the change"
    case .signFlip(let cases, let draws, let margin):
      (draws.map { "sign-flip permutation, \(NumberText.grouped($0)) draws," }
        ?? "exact sign-flip permutation")
        + " over \(cases.counted("test case")), mean shift beyond \(margin)"
    }
  }
}

extension EffectMethod.Interval {
  fileprivate var words: String {
    switch self {
    case .newcombePaired: "Newcombe interval of paired rates"
    case .newcombe: "Newcombe interval"
    case .clusteredChange:
      "the wider of Newcombe's interval and the t interval of the test cases' changes"
    case .invertedPermutation: "interval by inverting the permutation test"
    case .theseCases: "interval for exactly these test cases, from the exact test's p-value"
    case .boundedMean:
      "t interval of the test cases’ shifts, with an allowance for inputs unlike all of them"
    }
  }
}

extension EffectMethod.Adjustment {
  /// The heading of a column with adjusted p-values: `p (Holm)`.
  package static var heading: String { "p (\(familyName))" }

  /// The method in a sentence: `Holm’s method`.
  package static var method: String { "\(familyName)’s method" }

  fileprivate var words: String { "\(name) over \(tests.counted("test"))" }
}
