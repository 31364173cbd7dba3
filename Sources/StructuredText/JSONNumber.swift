/// A JSON number, kept as the decimal text in which it was written.
///
/// Nothing is rounded on the way in: 9007199254740993 stays what it is. Comparison is by value.
public struct JSONNumber: Sendable {
  /// The number as JSON writes it.
  public let text: String

  /// Makes a number of text that is already known to follow JSON's number grammar.
  ///
  /// - Parameter text: The text of a JSON number.
  package init(unchecked text: String) { self.text = text }

  /// Makes a number of an integer.
  public init(_ value: some BinaryInteger) { text = String(value) }

  /// Makes a number of a finite double, in the shortest text that reads back as the same double.
  ///
  /// - Parameter value: The double; JSON has no infinity and no NaN: those become 0.
  public init(_ value: Double) {
    guard value.isFinite else {
      text = "0"
      return
    }
    if let whole = Int(exactly: value), abs(whole) < 1 << 53 {
      text = String(whole)
    } else {
      text = "\(value)"
    }
  }

  /// The integer that the number is exactly, nil where it is none or does not fit.
  public var int: Int? {
    if let value = Int(text) { return value }
    guard let value = Double(text), abs(value) < 9_007_199_254_740_992 else { return nil }
    return Int(exactly: value)
  }

  /// The nearest double; infinite where the number is too large for one.
  public var double: Double { Double(text) ?? 0 }
}

extension JSONNumber: Hashable {
  public static func == (left: JSONNumber, right: JSONNumber) -> Bool {
    if left.text == right.text { return true }
    if let leftInt = Int(left.text), let rightInt = Int(right.text) { return leftInt == rightInt }
    return left.double == right.double
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(double) }
}
