/// A JSON number, kept as the decimal text in which it was written.
///
/// Nothing is rounded on the way in: 9007199254740993 stays what it is. Comparison is by exact
/// value: `1.0`, `10e-1` and `1` are equal, 9007199254740993 and 9007199254740992 are not.
public struct JSONNumber: Sendable {
  /// The number as JSON writes it.
  public let text: String

  /// Makes a number of text that is already known to follow JSON's number grammar.
  ///
  /// - Parameter text: The text of a JSON number.
  package init(unchecked text: String) { self.text = text }

  /// Makes a number of its text, nil where the text does not follow JSON's number grammar.
  ///
  /// - Parameter text: The text of a JSON number, without spaces around it.
  public init?(_ text: String) {
    guard let first = text.utf8.first, first == UInt8(ascii: "-") || (0x30...0x39).contains(first),
      let last = text.utf8.last, (0x30...0x39).contains(last),
      case .number(let number)? = try? JSONValue(parsing: text)
    else { return nil }
    self = number
  }

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
  public var int: Int? { Int(text) ?? decimal.int }

  /// Whether the number has no fraction: `3`, `3.0` and `3e40`, but not `0.3`.
  package var isWhole: Bool { Int(text) != nil || decimal.isWhole }

  /// The remainder of the magnitude of a whole number, however large it is.
  ///
  /// - Parameter divisor: A number greater than zero.
  package func remainder(dividingBy divisor: Int) -> Int {
    if let int { return Int(int.magnitude % divisor.magnitude) }
    return decimal.remainder(dividingBy: divisor.magnitude)
  }

  /// The next integer in one direction, exactly; nil where it does not fit.
  ///
  /// - Parameter up: Whether to round up, else down.
  package func integer(roundedUp up: Bool) -> Int? { Int(text) ?? decimal.integer(roundedUp: up) }

  /// The nearest double; infinite where the number is too large for one.
  public var double: Double { Double(text) ?? 0 }

  /// The number as every number of the same value is written.
  ///
  /// The layout is that of ECMAScript's `Number::toString`, which RFC 8785 prescribes, with all the
  /// digits of the number: `1.50` and `15e-1` become `1.5`, `1e21` becomes `1e+21`.
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
