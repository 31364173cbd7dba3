import SystemBasics

/// A table of paired binary outcomes.
public struct PairTable: Sendable, Hashable {
  /// The number of pairs with a hit on both sides.
  public var both = 0
  /// The number of pairs with a hit on the first side only.
  public var firstOnly = 0
  /// The number of pairs with a hit on the second side only.
  public var secondOnly = 0
  /// The number of pairs with no hit.
  public var neither = 0

  /// The number of pairs.
  public var count: Int { both + firstOnly + secondOnly + neither }
  /// The number of hits on the first side.
  public var firstHits: Int { both + firstOnly }
  /// The number of hits on the second side.
  public var secondHits: Int { both + secondOnly }

  /// Counts one more pair.
  public mutating func add(first: Bool, second: Bool) {
    switch (first, second) {
    case (true, true): both += 1
    case (true, false): firstOnly += 1
    case (false, true): secondOnly += 1
    case (false, false): neither += 1
    }
  }
}

/// Confidence intervals for the difference of two rates, first minus second.
public enum DifferenceInterval {
  /// Returns Newcombe's hybrid score interval for independent samples (method 10 of Newcombe 1998,
  /// Statistics in Medicine 17, 873–890).
  public static func newcombe(
    firstHits: Int, firstCount: Int, secondHits: Int, secondCount: Int, confidence: Double = 0.95
  ) -> ConfidenceInterval {
    guard firstCount > 0, secondCount > 0 else { return ConfidenceInterval(low: -1, high: 1) }
    return hybrid(
      firstHits, firstCount, secondHits, secondCount, correlation: 0, confidence: confidence)
  }

  /// Returns Newcombe's score interval for paired samples, which takes the correlation φ of the
  /// pairs into account (method 10 of Newcombe 1998, Statistics in Medicine 17, 2635–2650).
  public static func newcombePaired(
    _ table: PairTable, confidence: Double = 0.95
  ) -> ConfidenceInterval {
    let n = table.count
    guard n > 0 else { return ConfidenceInterval(low: -1, high: 1) }
    let (a, b) = (Double(table.both), Double(table.firstOnly))
    let (c, d) = (Double(table.secondOnly), Double(table.neither))
    let margins = (a + b) * (c + d) * (a + c) * (b + d)
    var correlation = 0.0
    if margins > 0 {
      let covariance = a * d - b * c
      let corrected = covariance > 0 ? max(covariance - Double(n) / 2, 0) : covariance
      correlation = corrected / margins.squareRoot()
    }
    return hybrid(
      table.firstHits, n, table.secondHits, n, correlation: correlation, confidence: confidence)
  }

  /// Returns Newcombe's interval for paired or independent samples.
  static func newcombe(
    _ table: PairTable, isPaired: Bool, confidence: Double
  ) -> ConfidenceInterval {
    isPaired
      ? newcombePaired(table, confidence: confidence)
      : newcombe(
        firstHits: table.firstHits, firstCount: table.count, secondHits: table.secondHits,
        secondCount: table.count, confidence: confidence)
  }

  private static func hybrid(
    _ firstHits: Int, _ firstCount: Int, _ secondHits: Int, _ secondCount: Int,
    correlation: Double, confidence: Double
  ) -> ConfidenceInterval {
    let first = ProportionInterval.wilson(
      hits: firstHits, count: firstCount, confidence: confidence)
    let second = ProportionInterval.wilson(
      hits: secondHits, count: secondCount, confidence: confidence)
    return newcombe(
      first: (Double(firstHits) / Double(firstCount), first),
      second: (Double(secondHits) / Double(secondCount), second), correlation: correlation)
  }

  /// Returns Newcombe's hybrid of the score intervals of two rates.
  static func newcombe(
    first: (rate: Double, interval: ConfidenceInterval),
    second: (rate: Double, interval: ConfidenceInterval), correlation: Double
  ) -> ConfidenceInterval {
    let (p, q) = (first.rate, second.rate)
    func distance(_ x: Double, _ y: Double) -> Double {
      max(0, x * x - 2 * correlation * x * y + y * y).squareRoot()
    }
    return ConfidenceInterval(
      low: p - q - distance(p - first.interval.low, second.interval.high - q),
      high: p - q + distance(first.interval.high - p, q - second.interval.low))
  }
}
