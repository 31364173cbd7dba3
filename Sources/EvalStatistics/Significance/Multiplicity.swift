/// Adjustments of p-values for multiple tests.
package enum Multiplicity {
  /// Returns Holm's step-down adjustment: the chance of any false alarm in the family is at most α.
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

  /// Returns Holm's adjustment over only those tests that could have been significant.
  ///
  /// A test whose smallest attainable p-value is above the level at which it would be tested can't
  /// give a false alarm and needs no share of α (Tarone 1990, "A modified Bonferroni method for
  /// discrete data"). K is the smallest number such that at most K tests can reach α / K; the
  /// others are excluded. The smallest p-value that a test can attain doesn't depend on the
  /// direction of its result, so excluding the test is not a choice made after seeing the result.
  ///
  /// - Parameters:
  ///   - pValues: The p-values of all tests of the family.
  ///   - least: The smallest attainable p-value of each test.
  ///   - alpha: The significance level of the family.
  /// - Returns: The adjusted p-values in the same order, 1 for excluded tests, and the number of
  ///   remaining tests.
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

  /// Returns Benjamini and Hochberg's adjustment, for quantities that don't gate.
  ///
  /// The expected share of false alarms among all alarms is at most α.
  package static func benjaminiHochberg(_ pValues: [Double]) -> [Double] {
    var adjusted = pValues
    var lowest = 1.0
    for (rank, index) in ascending(pValues).enumerated().reversed() {
      lowest = min(lowest, pValues[index] * Double(pValues.count) / Double(rank + 1))
      adjusted[index] = lowest
    }
    return adjusted
  }

  /// Returns the indices in ascending order of their values; equal values keep their order.
  private static func ascending(_ values: [Double]) -> [Int] {
    values.indices.sorted { (values[$0], $0) < (values[$1], $1) }
  }
}
