/// A JSON number, kept as the decimal text in which it was written.
///
/// Parsing rounds nothing: 9007199254740993 stays 9007199254740993. Numbers are compared by their
/// exact value: `1.0`, `10e-1` and `1` are equal, but 9007199254740993 and 9007199254740992 are
/// not.
public struct JSONNumber: Sendable {
  /// The number's text in JSON.
  public let text: String

  /// Creates a number from text that is already known to follow JSON's number grammar.
  ///
  /// - Parameter text: The text of a JSON number.
  package init(unchecked text: String) { self.text = text }

  /// Creates a number from its text, or nil if the text doesn't follow JSON's number grammar.
  ///
  /// - Parameter text: The text of a JSON number, without spaces around it.
  public init?(_ text: String) {
    guard let first = text.utf8.first, first == UInt8(ascii: "-") || (0x30...0x39).contains(first),
      let last = text.utf8.last, (0x30...0x39).contains(last),
      case .number(let number)? = try? JSONValue(parsing: text)
    else { return nil }
    self = number
  }

  /// Creates a number from an integer.
  public init(_ value: some BinaryInteger) { text = String(value) }

  /// Creates a number from a finite double, using the shortest text that reads back as the same
  /// double.
  ///
  /// - Parameter value: The double. Infinity and NaN become 0, because JSON has neither.
  public init(_ value: Double) {
    guard value.isFinite else {
      text = "0"
      return
    }
    if let whole = Int(exactly: value), whole.magnitude < 1 << 53 {
      text = String(whole)
    } else {
      text = "\(value)"
    }
  }

  /// The number as an integer, or nil if it is not an exact integer or doesn't fit in `Int`.
  public var int: Int? { Int(text) ?? decimal.int }

  /// Whether the number has no fraction: `3`, `3.0` and `3e40`, but not `0.3`.
  package var isWhole: Bool { Int(text) != nil || decimal.isWhole }

  /// Returns the remainder of dividing the magnitude of this whole number, however large, by
  /// another number.
  ///
  /// - Parameter divisor: A number greater than zero.
  package func remainder(dividingBy divisor: Int) -> Int {
    if let int { return Int(int.magnitude % divisor.magnitude) }
    return decimal.remainder(dividingBy: divisor.magnitude)
  }

  /// Returns the exact number rounded up or down to an integer, or nil if the result doesn't fit in
  /// `Int`.
  ///
  /// - Parameter up: Whether to round up instead of down.
  package func integer(roundedUp up: Bool) -> Int? { Int(text) ?? decimal.integer(roundedUp: up) }

  /// The nearest double, or infinity if the number is too large.
  public var double: Double { Double(text) ?? 0 }

  /// The canonical text, which is the same for all numbers with the same value.
  ///
  /// The layout is that of ECMAScript's `Number::toString`, which RFC 8785 prescribes, but the text
  /// keeps all significant digits. `1.50` and `15e-1` become `1.5`, and `1e21` becomes `1e+21`.
  public var canonicalText: String { decimal.text }

  var decimal: DecimalValue { DecimalValue(numberText: text) }
}

extension JSONNumber: Hashable {
  public static func == (left: JSONNumber, right: JSONNumber) -> Bool {
    left.text == right.text || left.decimal == right.decimal
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(decimal) }
}

extension JSONNumber: Comparable {
  public static func < (left: JSONNumber, right: JSONNumber) -> Bool {
    left.decimal < right.decimal
  }
}
