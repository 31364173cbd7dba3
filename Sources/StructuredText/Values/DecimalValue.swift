/// The exact value of a decimal number: 0.d₁d₂…dₙ · 10^exponent, where d₁ and dₙ are not 0.
///
/// The form is unique, so two values are equal if and only if their forms are equal. Zero has no
/// digits.
///
///     text        digits   exponent
///     -120.0      12       3          (-0.12 · 10³)
///     0.0045      45       -2
struct DecimalValue: Hashable {
  var isNegative = false
  /// The ASCII digits, without zeros at either end.
  var digits: [UInt8] = []
  var exponent: Int = 0

  /// The limit for exponents.
  ///
  /// Larger exponents are clamped to the limit, so two numbers beyond it are equal if their digits
  /// are equal.
  static let exponentLimit = 1 << 60

  /// Creates the value of a string that follows JSON's number grammar.
  init(numberText: String) {
    var exponentDigits: Int?
    var exponentIsNegative = false
    var pointAt: Int?
    for byte in numberText.utf8 {
      switch byte {
      case 0x30...0x39:
        let digit = Int(byte - 0x30)
        if let value = exponentDigits {
          exponentDigits =
            value > Self.exponentLimit / 10 ? Self.exponentLimit : value * 10 + digit
        } else {
          digits.append(byte)
        }
      case UInt8(ascii: "."): pointAt = digits.count
      case UInt8(ascii: "e"), UInt8(ascii: "E"): exponentDigits = 0
      case UInt8(ascii: "-"):
        if exponentDigits == nil { isNegative = true } else { exponentIsNegative = true }
      default: break
      }
    }
    let written = exponentDigits ?? 0
    exponent = (exponentIsNegative ? -written : written) + (pointAt ?? digits.count)
    while digits.last == UInt8(ascii: "0") { digits.removeLast() }
    let leading = digits.prefix { $0 == UInt8(ascii: "0") }.count
    digits.removeFirst(leading)
    exponent -= leading
    if digits.isEmpty {
      isNegative = false
      exponent = 0
    }
  }

  /// The value as an integer, or nil if it is not an integer or doesn't fit in `Int`.
  var int: Int? {
    guard !digits.isEmpty else { return 0 }
    guard exponent >= digits.count, exponent <= 19 else { return nil }
    let zeros = String(repeating: "0", count: exponent - digits.count)
    return Int((isNegative ? "-" : "") + String(decoding: digits, as: UTF8.self) + zeros)
  }

  /// Whether the value has no fraction.
  var isWhole: Bool { exponent >= digits.count }

  /// Returns the remainder of dividing the magnitude of this whole value by a number.
  ///
  /// - Complexity: O(*d* + log *e*), where *d* is the number of digits and *e* the exponent.
  func remainder(dividingBy divisor: UInt) -> Int {
    func product(_ left: UInt, _ right: UInt) -> UInt {
      divisor.dividingFullWidth(left.multipliedFullWidth(by: right)).remainder
    }
    var result: UInt = 0
    for digit in digits {
      let (sum, overflow) = product(result, 10).addingReportingOverflow(UInt(digit - 0x30))
      // `product` is less than the divisor, which is at most the greatest `Int`, so there is no
      // overflow.
      result = overflow ? 0 : sum % divisor
    }
    var power = 10 % divisor
    var left = max(0, exponent - digits.count)
    while left > 0 {
      if left & 1 == 1 { result = product(result, power) }
      power = product(power, power)
      left >>= 1
    }
    return Int(result)
  }

  /// Returns the value rounded up or down to an integer, or nil if the result doesn't fit in `Int`.
  func integer(roundedUp up: Bool) -> Int? {
    if exponent >= digits.count { return int }
    var whole = self
    whole.digits = Array(digits.prefix(max(0, exponent)))
    while whole.digits.last == UInt8(ascii: "0") { whole.digits.removeLast() }
    guard let truncated = whole.int else { return nil }
    if up == isNegative { return truncated }
    let (result, overflow) = truncated.addingReportingOverflow(up ? 1 : -1)
    return overflow ? nil : result
  }

  /// The value in the layout of ECMAScript's `Number::toString` (ECMA-262, 6.1.6.1.20).
  var text: String {
    guard !digits.isEmpty else { return "0" }
    let sign = isNegative ? "-" : ""
    let all = String(decoding: digits, as: UTF8.self)
    if exponent >= digits.count, exponent <= 21 {
      return sign + all + String(repeating: "0", count: exponent - digits.count)
    }
    if exponent > 0, exponent <= 21 {
      return sign + all.prefix(exponent) + "." + all.dropFirst(exponent)
    }
    if exponent > -6, exponent <= 0 {
      return sign + "0." + String(repeating: "0", count: -exponent) + all
    }
    let power = exponent - 1
    let tail = digits.count > 1 ? "." + all.dropFirst() : ""
    return sign + all.prefix(1) + tail + "e" + (power < 0 ? "-" : "+") + String(power.magnitude)
  }
}

extension DecimalValue: Comparable {
  static func < (left: DecimalValue, right: DecimalValue) -> Bool {
    let (leftSign, rightSign) = (left.sign, right.sign)
    if leftSign != rightSign { return leftSign < rightSign }
    return leftSign < 0
      ? magnitude(of: right, precedes: left) : magnitude(of: left, precedes: right)
  }

  private var sign: Int { digits.isEmpty ? 0 : isNegative ? -1 : 1 }

  private static func magnitude(of left: DecimalValue, precedes right: DecimalValue) -> Bool {
    if left.exponent != right.exponent { return left.exponent < right.exponent }
    return left.digits.lexicographicallyPrecedes(right.digits)
  }
}
