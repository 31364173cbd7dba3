/// Inclusive bounds on a value in a suite that is written in Swift, for example `1...8`.
///
/// The standard library stops the program at a reversed range such as `8...1`. An
/// `AssertionRange` may be reversed, so that loading the suite can report the mistake at its place.
public struct AssertionRange<Bound: Comparable & Sendable>: ReversibleRange, Sendable {
  /// The smallest allowed value.
  public let minimum: Bound
  /// The largest allowed value.
  public let maximum: Bound

  /// Creates bounds, which may be reversed.
  public init(minimum: Bound, maximum: Bound) {
    self.minimum = minimum
    self.maximum = maximum
  }

  /// Creates the bounds of a range.
  public init(_ range: ClosedRange<Bound>) {
    self.init(minimum: range.lowerBound, maximum: range.upperBound)
  }
}

/// A range whose bounds may be reversed.
///
/// The operator `...` is generic over this protocol, because the compiler can then choose it only
/// where the context asks for such a range. `let range = 1...8` stays a `ClosedRange`.
public protocol ReversibleRange<Bound> {
  /// The type of the bounds.
  associatedtype Bound: Comparable

  /// Creates a range, which may be reversed.
  init(minimum: Bound, maximum: Bound)
}

/// Creates a range, which may be reversed, where a parameter of a suite asks for it.
public func ... <Range: ReversibleRange>(minimum: Range.Bound, maximum: Range.Bound) -> Range {
  Range(minimum: minimum, maximum: maximum)
}
