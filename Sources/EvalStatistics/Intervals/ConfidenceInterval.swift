/// An interval that contains the true value with the stated confidence.
public struct ConfidenceInterval: Sendable, Hashable {
  /// The lower end.
  public var low: Double
  /// The upper end.
  public var high: Double

  /// Creates an interval.
  public init(low: Double, high: Double) {
    self.low = low
    self.high = high
  }
}
