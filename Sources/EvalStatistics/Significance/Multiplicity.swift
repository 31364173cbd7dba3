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
