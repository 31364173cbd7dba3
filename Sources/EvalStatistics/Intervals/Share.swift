/// A counted share, k of n, with the 95 % confidence interval of the true share.
package struct Share: Sendable, Hashable {
  /// The number that has the property.
  package let hits: Int
  /// The number of all.
  package let count: Int
  /// The lower end of the Wilson score interval, which is 0…1 if nothing was counted.
  package let low: Double
  /// The upper end of the interval.
  package let high: Double

  /// Creates a share of `hits` out of `count`.
  package init(_ hits: Int, of count: Int) {
    self.hits = hits
    self.count = count
    let interval = ProportionInterval.wilson(hits: hits, count: count, confidence: 0.95)
    (low, high) = (interval.low, interval.high)
  }

  /// The share as a number, or 0 if nothing was counted.
  package var value: Double { count == 0 ? 0 : Double(hits) / Double(count) }
}
