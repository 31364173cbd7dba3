/// Adjustments of p-values for the number of tests.
package enum Multiplicity {
  /// Holm's step-down adjustment: the chance of any false alarm in the family stays below α.
  ///
  /// - Parameter pValues: The p-values of all tests of the family.
  /// - Returns: The adjusted p-values in the same order.
  package static func holm(_ pValues: [Double]) -> [Double] {
    var adjusted = pValues
    var highest = 0.0
    for (rank, index) in ascending(pValues).enumerated() {
      highest = max(highest, min(1, Double(pValues.count - rank) * pValues[index]))
      adjusted[index] = highest
    }
    return adjusted
  }

  /// Holm's adjustment over the tests that could have been significant at all.
  ///
  /// A test whose smallest attainable p-value is above the level that it would be tested at can't give
  /// a false alarm, and needs no share of α (Tarone 1990, "A modified Bonferroni method for discrete
  /// data"). K is the smallest number such that at most K tests can reach α / K; the others are out.
  /// What a test could attain is known before its direction is, so that leaving it out is no choice
  /// made after seeing the result.
  ///
  /// - Parameters:
  ///   - pValues: The p-values of all tests of the family.
  ///   - least: The smallest p-value that each test could have given.
  ///   - alpha: The significance level of the family.
  /// - Returns: The adjusted p-values in the same order, 1 for those that are out, and the number of
  ///   tests that are left.
  package static func holm(
    _ pValues: [Double], least: [Double], alpha: Double
  ) -> (adjusted: [Double], size: Int) {
    func able(_ divisor: Int) -> [Int] {
      pValues.indices.filter { least[$0] <= alpha / Double(divisor) }
    }
    var divisor = 1
    while able(divisor).count > divisor { divisor += 1 }
    let kept = able(divisor)
    var adjusted = pValues.map { _ in 1.0 }
    for (index, value) in zip(kept, holm(kept.map { pValues[$0] })) { adjusted[index] = value }
    return (adjusted, kept.count)
  }

  /// Benjamini and Hochberg's adjustment, for screens and not for gates.
  ///
  /// The expected share of false ones among the findings stays below α.
  package static func benjaminiHochberg(_ pValues: [Double]) -> [Double] {
    var adjusted = pValues
    var lowest = 1.0
    for (rank, index) in ascending(pValues).enumerated().reversed() {
      lowest = min(lowest, pValues[index] * Double(pValues.count) / Double(rank + 1))
      adjusted[index] = lowest
    }
    return adjusted
  }

  /// The indices in ascending order of their values; equal values keep their order.
  private static func ascending(_ values: [Double]) -> [Int] {
    values.indices.sorted { (values[$0], $0) < (values[$1], $1) }
  }
}
