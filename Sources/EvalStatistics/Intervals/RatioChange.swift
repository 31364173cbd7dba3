import SystemBasics

/// The relative change from one positive quantity to another, with its interval.
///
/// The interval combines the intervals of both quantities on the logarithmic scale by the method of
/// variance estimates recovery (Zou and Donner 2008, Statistics in Medicine 27, 1693–1702).
/// Newcombe's interval for a difference of rates uses the same method. For a change from a to b:
///
///     ln(1 + low) = d − √((ln b − ln b₋)² + (ln a₊ − ln a)²)      d = ln b − ln a
package struct RatioChange: Sendable, Hashable {
  /// The later quantity divided by the earlier quantity, minus 1.
  package let value: Double
  package let low: Double
  package let high: Double

  /// Creates a change, or returns `nil` if a quantity or the lower end of its interval isn't
  /// positive.
  package init?(
    from before: (value: Double, range: ClosedRange<Double>),
    to after: (value: Double, range: ClosedRange<Double>)
  ) {
    let numbers = [before.value, before.range.lowerBound, after.value, after.range.lowerBound]
    guard numbers.allSatisfy({ $0 > 0 && $0.isFinite }) else { return nil }
    func distance(_ x: Double, _ y: Double) -> Double { (x * x + y * y).squareRoot() }
    let change = log(after.value) - log(before.value)
    let down = distance(
      log(after.value) - log(after.range.lowerBound),
      log(before.range.upperBound) - log(before.value))
    let up = distance(
      log(after.range.upperBound) - log(after.value),
      log(before.value) - log(before.range.lowerBound))
    value = exp(change) - 1
    low = exp(change - down) - 1
    high = exp(change + up) - 1
  }
}
