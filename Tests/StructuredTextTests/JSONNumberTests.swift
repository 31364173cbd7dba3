import StructuredText
import Testing

/// Tests that numbers are compared and written by their exact value.
@Suite struct JSONNumberTests {
  @Test(
    "numbers with the same value are equal, hash alike and have the same canonical text",
    arguments: [
      (["1", "1.0", "10e-1", "0.1e1", "1e0", "1E+00", "100e-2"], "1"),
      (["0", "-0", "0.000", "0e99", "-0e-5"], "0"),
      (["-12.50", "-125e-1", "-0.125e2"], "-12.5"),
      (["9007199254740993", "9007199254740993.0", "9007199254740.993e3"], "9007199254740993"),
      (["1e21", "1000000000000000000000", "0.1e22"], "1e+21"),
      (["1e20", "100000000000000000000"], "100000000000000000000"),
      (["0.000001", "1e-6", "10e-7"], "0.000001"), (["1e-7", "0.0000001"], "1e-7"),
      (["1.25e-9", "125e-11"], "1.25e-9"), (["12e400", "1.2e401"], "1.2e+401"),
    ])
  func equality(texts: [String], canonical: String) throws {
    let numbers = try texts.map { try #require(JSONNumber($0)) }
    #expect(Set(numbers).count == 1)
    for number in numbers { #expect(number.canonicalText == canonical) }
  }

  @Test(
    "whether two numbers differ by at most a tolerance is decided exactly",
    arguments: [
      ("107505301260286111", "107505301260286110", "0", false),
      ("107505301260286111", "107505301260286110", "0.5", false),
      ("107505301260286111", "107505301260286110", "1", true),
      ("0.12345678901234567", "0.12345678901234568", "0", false),
      ("1e400", "1e401", "1e300", false), ("1e400", "10e399", "0", true),
      ("1.1", "1", "0.1", true), ("0.3", "0.1", "0.2", true), ("0.3", "0.1", "0.19999", false),
      ("-9", "9", "18", true), ("-9", "9", "17.99", false), ("-1.5", "-1.6", "0.1", true),
      ("100", "99.5", "0.5", true), ("0", "-0.0", "0", true), ("0", "0.25", "0.25", true),
      ("1e100000", "1", "1", false), ("1e-100000", "1", "1", true),
    ])
  func tolerance(left: String, right: String, tolerance: String, isWithin: Bool) throws {
    let (left, right) = (try #require(JSONNumber(left)), try #require(JSONNumber(right)))
    let tolerance = try #require(JSONNumber(tolerance))
    #expect(left.isWithin(tolerance, of: right) == isWithin)
    #expect(right.isWithin(tolerance, of: left) == isWithin)
  }

  @Test(
    "numbers with different values differ, even if they are equal as doubles",
    arguments: [
      ("9007199254740992", "9007199254740993"), ("0.1", "0.10000000000000000001"),
      ("1e400", "1e401"),
      ("-1e400", "1e400"), ("0", "1e-400"), ("18446744073709551616", "18446744073709551617"),
      ("-2", "-1"), ("-1", "0"), ("0.2", "0.25"), ("9", "10"), ("-1e5", "-99999.5"),
    ])
  func order(texts: (String, String)) throws {
    let numbers = [try #require(JSONNumber(texts.0)), try #require(JSONNumber(texts.1))]
    #expect(numbers[0] != numbers[1])
    #expect(numbers[0].canonicalText != numbers[1].canonicalText)
    #expect(numbers[0] < numbers[1])
    #expect(!(numbers[1] < numbers[0]))
  }

  @Test(
    "a number's integer value is exact or nil",
    arguments: [
      ("12", 12), ("12.0", 12), ("1.2e1", 12), ("12.5", nil), ("9223372036854775807", Int.max),
      ("9223372036854775807.0", Int.max), ("-9223372036854775808", Int.min),
      ("9223372036854775808", nil), ("1e19", nil), ("1e18", 1_000_000_000_000_000_000),
      ("1e999999999999999999999999", nil), ("1e-999999999999999999999999", nil),
      ("0e999999999999999999999999", 0), ("1e9223372036854775809", nil), ("-0.0", 0),
    ] as [(String, Int?)])
  func integers(text: String, value: Int?) throws {
    #expect(try #require(JSONNumber(text)).int == value)
  }

  @Test(
    "texts that are not JSON numbers are rejected",
    arguments: [
      "", "-", "01", "1.", ".1", "+1", "1 ", " 1", "0x1", "NaN", "1e", "1,2", "[1]", "１",
    ])
  func noNumbers(text: String) { #expect(JSONNumber(text) == nil) }

  @Test("a double is unchanged after it is written and read back")
  func doubles() throws {
    for value in [
      0.1, 1e300, .leastNonzeroMagnitude, -2.5, 123_456_789.125, 1e16, .greatestFiniteMagnitude,
      -0x1p63, 0x1p63,
    ] {
      let text = JSONValue.number(JSONNumber(value)).compactText
      #expect(try JSONValue(parsing: text).double == value)
    }
  }
}
