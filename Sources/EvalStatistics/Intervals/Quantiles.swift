/// The 5th, 25th, 50th, 75th and 95th percentiles of some values, for figures and tables.
package struct Quantiles: Sendable, Hashable {
  package let count: Int
  package let p5: Double
  package let p25: Double
  package let p50: Double
  package let p75: Double
  package let p95: Double
  /// The 95 % confidence interval of the median.
  package let medianRange: ClosedRange<Double>
  /// The 95 % confidence interval of the 95th percentile.
  package let p95Range: ClosedRange<Double>

  /// Creates quantiles by linear interpolation between order statistics (Hyndman and Fan, type 7).
  package init(_ values: [Double]) {
    let sorted = values.filter(\.isFinite).sorted()
    count = sorted.count
    func quantile(_ share: Double) -> Double {
      guard let last = sorted.indices.last else { return 0 }
      let place = share * Double(last)
      let low = min(Int(place), last)
      let high = min(low + 1, last)
      return sorted[low] + (sorted[high] - sorted[low]) * (place - Double(low))
    }
    p5 = quantile(0.05)
    p25 = quantile(0.25)
    p50 = quantile(0.5)
    p75 = quantile(0.75)
    p95 = quantile(0.95)
    medianRange = Self.range(sorted, 0.5)
    p95Range = Self.range(sorted, 0.95)
  }

  /// The confidence interval of a quantile, between two order statistics.
  ///
  /// The number of values below the quantile has a binomial distribution, which a normal
  /// distribution approximates.
  private static func range(_ sorted: [Double], _ share: Double) -> ClosedRange<Double> {
    guard let last = sorted.indices.last else { return 0...0 }
    let n = Double(sorted.count)
    let half = 1.959964 * (n * share * (1 - share)).squareRoot()
    let low = Int(max(0, (n * share - half).rounded(.down)))
    let high = Int(min(Double(last), (n * share + half).rounded(.up)))
    return sorted[min(low, last)]...sorted[max(low, high)]
  }

  private init(_ other: Quantiles, scale: Double) {
    count = other.count
    (p5, p25, p50) = (other.p5 * scale, other.p25 * scale, other.p50 * scale)
    (p75, p95) = (other.p75 * scale, other.p95 * scale)
    func scaled(_ range: ClosedRange<Double>) -> ClosedRange<Double> {
      range.lowerBound * scale...range.upperBound * scale
    }
    (medianRange, p95Range) = (scaled(other.medianRange), scaled(other.p95Range))
  }

  /// The quantiles, or `nil` if there are no values.
  package var known: Quantiles? { count > 0 ? self : nil }

  /// The same quantiles in another unit.
  package func scaled(by factor: Double) -> Quantiles { Quantiles(self, scale: factor) }
}
