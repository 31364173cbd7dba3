import StructuredText
import Testing

@testable import ConstrainedDecoding

/// Compares numeric ranges with an enumeration of all short number texts.
@Suite("Numeric ranges")
struct NumberTests {
  struct Range: Sendable {
    var minimum: String?
    var maximum: String?
  }

  static let ranges: [Range] = [
    Range(minimum: "0", maximum: "100"), Range(minimum: "5", maximum: "48"),
    Range(minimum: "-12", maximum: "103"), Range(minimum: "-90", maximum: "-8"),
    Range(minimum: "0.5", maximum: "1.25"), Range(minimum: "-2.05", maximum: "0"),
    Range(minimum: "0.01", maximum: "0.019"), Range(minimum: "99", maximum: "101.5"),
    Range(minimum: "7", maximum: nil), Range(minimum: nil, maximum: "-3.5"),
    Range(minimum: nil, maximum: nil), Range(minimum: "1e1", maximum: "2.5E+1"),
    Range(minimum: "-0.0", maximum: "1"), Range(minimum: "3", maximum: "3"),
  ]

  @Test(
    "a range accepts exactly the numbers between its bounds", arguments: 0..<14, [true, false])
  func ranges(row: Int, allowsFraction: Bool) throws {
    let range = Self.ranges[row]
    let low = range.minimum.flatMap { DecimalDigits.parse($0, limit: 50) }
    let high = range.maximum.flatMap { DecimalDigits.parse($0, limit: 50) }
    for allowsNegativeZero in [true, false] {
      var states = ByteStates()
      let start = states.append(
        DecimalRangeBuilder.automaton(
          minimum: low, maximum: high, allowsFraction: allowsFraction,
          allowsNegativeZero: allowsNegativeZero))
      let accepted = start.map { texts(of: states, from: $0, length: 5) } ?? []
      let expected = Self.texts(allowsFraction: allowsFraction).filter { text in
        if text.hasPrefix("-"), thousandths(text) == 0 {
          // A negative zero is accepted only if the dialect allows it and the range includes
          // negative numbers.
          let hasNegatives = range.minimum.map { thousandths($0) < 0 } ?? true
          if !allowsNegativeZero || !hasNegatives { return false }
        }
        let value = thousandths(text)
        return value >= range.minimum.map { thousandths($0) } ?? .min
          && value <= range.maximum.map { thousandths($0) } ?? .max
      }
      #expect(accepted == Set(expected), "\(range)")
    }
  }

  @Test("a number without bounds can be a negative zero only if the dialect allows it")
  func negativeZero() {
    for allowsNegativeZero in [true, false] {
      var states = ByteStates()
      let start = states.append(
        DecimalRangeBuilder.anyNumber(allowsNegativeZero: allowsNegativeZero))
      let texts = start.map { self.texts(of: states, from: $0, length: 4) } ?? []
      let zeros: Set = ["-0", "-0.0", "-0e0", "-0E1"]
      #expect(texts.intersection(zeros) == (allowsNegativeZero ? zeros : []))
      #expect(texts.isSuperset(of: ["0", "-0.1", "-1e3", "1e-3", "0e00", "12.5"]))
    }
  }

  @Test(
    "a bound with an exponent beyond the limit is rejected, however large the exponent is",
    arguments: [
      "1e-9223372036854775808", "1e9223372036854775807", "1e99999999999999999999", "1e401",
      "1e-401",
    ])
  func hugeExponents(text: String) {
    #expect(DecimalDigits.parse(text, limit: 400) == nil)
  }

  /// Returns all texts up to a length that byte states accept from a start state.
  private func texts(of states: ByteStates, from start: UInt32, length: Int) -> Set<String> {
    var result: Set<String> = []
    var open: [(UInt32, String)] = [(start, "")]
    while let (state, text) = open.popLast() {
      if states.accepting[Int(state)] { result.insert(text) }
      if text.utf8.count == length { continue }
      for byte in UInt8.min...UInt8.max {
        if let next = states.step(state, byte) {
          open.append((next, text + String(UnicodeScalar(byte))))
        }
      }
    }
    return result
  }

  /// Returns the texts of all JSON numbers with up to five characters and without an exponent.
  private static func texts(allowsFraction: Bool) -> [String] {
    var result: [String] = []
    for sign in ["", "-"] {
      for whole in 0...99_999 {
        let text = sign + String(whole)
        if text.count > 5 { break }
        result.append(text)
        guard allowsFraction else { continue }
        for digits in 1...3 where text.count + 1 + digits <= 5 {
          let count = [10, 100, 1000][digits - 1]
          for fraction in 0..<count {
            result.append(text + "." + String(String(count + fraction).dropFirst()))
          }
        }
      }
    }
    return result
  }

  /// Returns the number times 1000, which is exact for up to three decimal places.
  private func thousandths(_ text: String) -> Int {
    let parts = text.lowercased().split(separator: "e")
    let exponent = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
    let digits = parts[0].filter { $0 != "-" }.split(separator: ".")
    let fraction = digits.count > 1 ? String(digits[1]) : ""
    var value = (Int(digits[0]) ?? 0) * 1000
    value += Int((fraction + "000").prefix(3)) ?? 0
    for _ in 0..<exponent { value *= 10 }
    return text.hasPrefix("-") ? -value : value
  }
}
