/// Adjustments of p-values for multiplicity.
///
/// `EffectMethod.Adjustment.family` names the method of the families that decide verdicts.
package enum Multiplicity {
  /// Returns the p-values of a family of tests, adjusted for their number.
  ///
  /// - Parameter pValues: The p-values of all tests in the family.
  /// - Returns: The adjusted p-values in the same order.
  package static func family(_ pValues: [Double]) -> [Double] { holm(pValues) }

  /// Returns the p-values of a family of discrete tests, adjusted for the number of tests that can
  /// be significant.
  ///
  /// - Parameters:
  ///   - pValues: The p-values of all tests in the family.
  ///   - least: The smallest attainable p-value of each test.
  ///   - alpha: The family-wise significance level.
  /// - Returns: The adjusted p-values in the same order, and the number of tests that count.
  package static func family(
    _ pValues: [Double], least: [Double], alpha: Double
  ) -> (adjusted: [Double], size: Int) { holm(pValues, least: least, alpha: alpha) }

  /// Returns Holm's step-down adjustment, which keeps the family-wise error rate at or below α.
  ///
  /// - Parameter pValues: The p-values of all tests in the family.
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

  /// Returns Holm's adjustment over only the tests that could have been significant.
  ///
  /// A test whose smallest attainable p-value is above the level at which it would be tested can't
  /// give a false alarm, so it needs no share of α (Tarone 1990, "A modified Bonferroni method for
  /// discrete data"). Let K be the smallest number for which at most K tests can reach α / K; the
  /// tests that can't reach α / K are excluded. The smallest attainable p-value doesn't depend on
  /// the direction of the result, so excluding a test is not a choice made after seeing the result.
  ///
  /// - Parameters:
  ///   - pValues: The p-values of all tests in the family.
  ///   - least: The smallest attainable p-value of each test.
  ///   - alpha: The family-wise significance level.
  /// - Returns: The adjusted p-values in the same order (1 for excluded tests), and the number of
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

  /// Returns the Benjamini-Hochberg adjustment, for quantities that don't gate.
  ///
  /// It keeps the false discovery rate (the expected share of false alarms among all alarms) at or
  /// below α.
  package static func benjaminiHochberg(_ pValues: [Double]) -> [Double] {
    var adjusted = pValues
    var lowest = 1.0
    for (rank, index) in ascending(pValues).enumerated().reversed() {
      lowest = min(lowest, pValues[index] * Double(pValues.count) / Double(rank + 1))
      adjusted[index] = lowest
    }
    return adjusted
  }

  /// Returns the indices sorted by value in ascending order; equal values keep their order.
  private static func ascending(_ values: [Double]) -> [Int] {
    values.indices.sorted { (values[$0], $0) < (values[$1], $1) }
  }
}
