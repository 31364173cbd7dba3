import EvalRecords
import StructuredText

/// Inclusive bounds on a count, either of which may be absent.
public struct CountBounds: Sendable, Hashable {
  /// The minimum count, or `nil` if there is none.
  public var minimum: Int?
  /// The maximum count, or `nil` if there is none.
  public var maximum: Int?

  /// Returns whether a count is within the bounds.
  public func contains(_ count: Int) -> Bool {
    count >= minimum ?? 0 && count <= maximum ?? .max
  }

  /// Returns the intersection of these bounds and others.
  func intersection(_ other: CountBounds) -> CountBounds {
    CountBounds(
      minimum: [minimum, other.minimum].compactMap(\.self).max(),
      maximum: [maximum, other.maximum].compactMap(\.self).min())
  }

  /// Returns a description of the bounds, for example `3...8 words`, `at least 1 word` or `exactly
  /// 4 words`.
  ///
  /// - Parameter noun: The noun for what is counted, in the singular.
  package func words(_ noun: String) -> String {
    switch (minimum, maximum) {
    case (let low?, let high?) where low == high:
      "exactly \(low.counted(noun))"
    case (let low?, let high?): "\(low)...\(high) \(noun)s"
    case (let low?, nil): "at least \(low.counted(noun))"
    case (nil, let high?): "at most \(high.counted(noun))"
    case (nil, nil): "any number of \(noun)s"
    }
  }
}

/// Inclusive bounds on a number, either of which may be absent.
public struct NumberBounds: Sendable, Hashable {
  /// The minimum, or `nil` if there is none.
  public var minimum: JSONNumber?
  /// The maximum, or `nil` if there is none.
  public var maximum: JSONNumber?

  /// Returns whether a number is within the bounds.
  ///
  /// Two integers are compared exactly, and other numbers as doubles.
  public func contains(_ number: JSONNumber) -> Bool {
    if let minimum, Self.isLess(number, minimum) { return false }
    if let maximum, Self.isLess(maximum, number) { return false }
    return true
  }

  /// A description of the bounds, for example `0...20` or `at least 0`.
  package var words: String {
    switch (minimum, maximum) {
    case (let low?, let high?): "\(low.text)...\(high.text)"
    case (let low?, nil): "at least \(low.text)"
    case (nil, let high?): "at most \(high.text)"
    case (nil, nil): "any number"
    }
  }

  /// Returns whether one number is less than another.
  package static func isLess(_ left: JSONNumber, _ right: JSONNumber) -> Bool {
    if let left = left.int, let right = right.int { return left < right }
    return left.double < right.double
  }
}
