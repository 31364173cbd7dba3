/// The bounds that the test cases of a suite set on the length of one array.
///
/// A bound in the schema applies to all test cases, so advice on the schema needs the strictest and
/// the loosest of these bounds.
public struct ExpectedLengths: Sendable, Hashable, Codable {
  /// The lowest minimum, or `nil` if no test case has one.
  private var lowestMinimum: Int?
  /// The highest minimum.
  private var highestMinimum: Int?
  /// The lowest maximum, or `nil` if no test case has one.
  private var lowestMaximum: Int?
  /// The highest maximum.
  private var highestMaximum: Int?

  /// Creates the bounds of no test case.
  public init() {}

  /// Adds the bounds of a test case; `nil` stands for a missing bound.
  public mutating func add(minimum: Int?, maximum: Int?) {
    if let minimum {
      lowestMinimum = min(lowestMinimum ?? minimum, minimum)
      highestMinimum = max(highestMinimum ?? minimum, minimum)
    }
    if let maximum {
      lowestMaximum = min(lowestMaximum ?? maximum, maximum)
      highestMaximum = max(highestMaximum ?? maximum, maximum)
    }
  }

  /// Returns whether a minimum in the schema forbids no length that a test case asks for.
  public func permits(minimum: Int) -> Bool {
    minimum <= lowestMinimum ?? .max && minimum <= lowestMaximum ?? .max
  }

  /// Returns whether a maximum in the schema forbids no length that a test case asks for.
  public func permits(maximum: Int) -> Bool {
    maximum >= highestMinimum ?? 0 && maximum >= highestMaximum ?? 0
  }
}
