import StructuredText

/// Inclusive bounds of a count; at least one of them is there.
public struct CountBounds: Sendable, Hashable {
  /// The least count.
  public var minimum: Int?
  /// The greatest count.
  public var maximum: Int?

  /// Creates bounds.
  public init(minimum: Int? = nil, maximum: Int? = nil) {
    self.minimum = minimum
    self.maximum = maximum
  }

  /// Whether a count lies within.
  public func contains(_ count: Int) -> Bool {
    count >= minimum ?? 0 && count <= maximum ?? .max
  }

  /// The bounds in words: `3...8 words`, `at least 1 word`, `exactly 4 words`.
  ///
  /// - Parameter noun: What is counted, in the singular.
  package func words(_ noun: String) -> String {
    switch (minimum, maximum) {
    case (let low?, let high?) where low == high:
      "exactly \(ValueWords.counted(low, noun))"
    case (let low?, let high?): "\(low)...\(high) \(noun)s"
    case (let low?, nil): "at least \(ValueWords.counted(low, noun))"
    case (nil, let high?): "at most \(ValueWords.counted(high, noun))"
    case (nil, nil): "any number of \(noun)s"
    }
  }
}

/// Inclusive bounds of a number; at least one of them is there.
public struct NumberBounds: Sendable, Hashable {
  /// The least number.
  public var minimum: JSONNumber?
  /// The greatest number.
  public var maximum: JSONNumber?

  /// Creates bounds.
  public init(minimum: JSONNumber? = nil, maximum: JSONNumber? = nil) {
    self.minimum = minimum
    self.maximum = maximum
  }

  /// Whether a number lies within.
  ///
  /// Integers are compared exactly, other numbers as doubles.
  public func contains(_ number: JSONNumber) -> Bool {
    if let minimum, Self.isLess(number, minimum) { return false }
    if let maximum, Self.isLess(maximum, number) { return false }
    return true
  }

  /// The bounds in words: `0...20`, `at least 0`.
  package var words: String {
    switch (minimum, maximum) {
    case (let low?, let high?): "\(low.text)...\(high.text)"
    case (let low?, nil): "at least \(low.text)"
    case (nil, let high?): "at most \(high.text)"
    case (nil, nil): "any number"
    }
  }

  /// Whether one number is less than another.
  package static func isLess(_ left: JSONNumber, _ right: JSONNumber) -> Bool {
    if let left = left.int, let right = right.int { return left < right }
    return left.double < right.double
  }
}
