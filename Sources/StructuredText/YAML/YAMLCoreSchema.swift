/// The core schema of YAML 1.2 (section 10.3.2), which gives plain scalars their values.
enum YAMLCoreSchema {
  /// The reason why a plain scalar can't become a value.
  struct Refusal: Error {
    var problem: String
    var allowed: String
  }

  /// Returns the value of a plain scalar.
  static func value(of text: String) -> Result<JSONValue, Refusal> {
    switch text {
    case "", "~", "null", "Null", "NULL": return .success(.null)
    case "true", "True", "TRUE": return .success(.bool(true))
    case "false", "False", "FALSE": return .success(.bool(false))
    default: break
    }
    guard let first = text.utf8.first, "+-.0123456789".utf8.contains(first) else {
      return .success(.string(text))
    }
    switch text.drop(while: { $0 == "+" || $0 == "-" }) {
    case ".inf", ".Inf", ".INF", ".nan", ".NaN", ".NAN":
      // Text with two signs, such as `+-.inf`, is not a number.
      if text.utf8.prefix(2).filter({ $0 == 0x2B || $0 == 0x2D }).count < 2 {
        return .failure(
          Refusal(
            problem: "JSON has no number `\(text)`",
            allowed: "numbers must be finite; quote the text if it is a string"))
      }
    default: break
    }
    if text.hasPrefix("0x") { return based(text, radix: 16) }
    if text.hasPrefix("0o") { return based(text, radix: 8) }
    return .success(decimal(text).map { .number($0) } ?? .string(text))
  }

  private static func based(_ text: String, radix: Int) -> Result<JSONValue, Refusal> {
    let digits = text.dropFirst(2)
    guard !digits.isEmpty,
      digits.utf8.allSatisfy({
        (Character(Unicode.Scalar($0)).hexDigitValue ?? 16) < radix
      })
    else { return .success(.string(text)) }
    guard let value = UInt64(digits, radix: radix) else {
      return .failure(
        Refusal(
          problem: "this number is too large for base \(radix)",
          allowed: "it must be less than 2^64; decimal numbers have no limit"))
    }
    return .success(.number(JSONNumber(value)))
  }

  /// Returns the number that a text represents, or `nil` if the text doesn't have the form below.
  ///
  /// `[-+]? ( \. [0-9]+ | [0-9]+ ( \. [0-9]* )? ) ( [eE] [-+]? [0-9]+ )?`
  private static func decimal(_ text: String) -> JSONNumber? {
    var rest = text.utf8[...]
    var output = ""
    if let sign = rest.first, sign == 0x2B || sign == 0x2D {
      if sign == 0x2D { output = "-" }
      rest.removeFirst()
    }
    let whole = takeDigits(&rest)
    var fraction: Substring.UTF8View?
    if rest.first == UInt8(ascii: ".") {
      rest.removeFirst()
      fraction = takeDigits(&rest)
    }
    guard !whole.isEmpty || fraction?.isEmpty == false else { return nil }
    let significant = whole.drop { $0 == UInt8(ascii: "0") }
    output += significant.isEmpty ? "0" : String(Substring(significant))
    if let fraction { output += "." + (fraction.isEmpty ? "0" : String(Substring(fraction))) }
    if let letter = rest.first, letter | 0x20 == UInt8(ascii: "e") {
      rest.removeFirst()
      output += "e"
      if let sign = rest.first, sign == 0x2B || sign == 0x2D {
        output += sign == 0x2D ? "-" : "+"
        rest.removeFirst()
      }
      let exponent = takeDigits(&rest)
      guard !exponent.isEmpty else { return nil }
      output += String(Substring(exponent))
    }
    return rest.isEmpty ? JSONNumber(unchecked: output) : nil
  }

  /// Returns whether the text of a number has leading zeros.
  static func isPadded(_ text: String) -> Bool {
    let digits = text.utf8.drop { $0 == 0x2B || $0 == 0x2D }
    return digits.first == UInt8(ascii: "0") && digits.dropFirst().first.map(isDigit) == true
  }

  static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  private static func takeDigits(_ rest: inout Substring.UTF8View) -> Substring.UTF8View {
    let digits = rest.prefix(while: isDigit)
    rest = rest.dropFirst(digits.count)
    return digits
  }
}
