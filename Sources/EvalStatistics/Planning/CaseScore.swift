public import EvalRecords

extension CaseReducer {
  /// Returns the score of a test case, computed from the results of its repeats.
  ///
  /// pass@k is the chance that a sample of k of the n repeats, drawn without replacement, contains
  /// at least one of the c passes (Chen et al. 2021, "Evaluating Large Language Models Trained on
  /// Code"). pass^k is the chance that the sample contains only passes (Yao et al. 2024,
  /// "τ-bench"):
  ///
  /// ```
  /// pass@k = 1 − C(n − c, k) / C(n, k)        pass^k = C(c, k) / C(n, k)
  /// ```
  ///
  /// Both are unbiased estimates: pass@k of the chance that at least one of k new repeats passes,
  /// and pass^k of the chance that all k of them pass.
  ///
  /// - Parameters:
  ///   - passed: The number of repeats that passed.
  ///   - count: The number of repeats.
  /// - Returns: The score from 0 to 1, or `nil` if there are fewer repeats than the reducer needs.
  /// - Complexity: Linear in k.
  public func score(passed: Int, of count: Int) -> Double? {
    guard passed >= 0, passed <= count, count >= neededRepeats else { return nil }
    switch self {
    case .all: return passed == count ? 1 : 0
    case .mean: return Double(passed) / Double(count)
    case .atLeast(let least): return passed >= least ? 1 : 0
    case .passAt(let size): return 1 - Self.share(of: count - passed, among: count, size)
    case .passAll(let size): return Self.share(of: passed, among: count, size)
    }
  }

  /// Returns whether a test case with this many repeats always scores 0 or 1, so that the gate can
  /// count test cases.
  package func isCount(of repeats: Int) -> Bool {
    switch self {
    case .all, .atLeast: repeats >= neededRepeats
    case .mean: repeats == 1
    case .passAt(let count), .passAll(let count): count == repeats
    }
  }

  /// Returns C(part, size) / C(whole, size), as a product of quotients that can't overflow.
  private static func share(of part: Int, among whole: Int, _ size: Int) -> Double {
    guard part >= size else { return 0 }
    return (0..<size).reduce(1) { $0 * Double(part - $1) / Double(whole - $1) }
  }
}
