import StructuredText
import Testing

@testable import EvalSuites

@Suite("Formulas")
struct ExpressionTests {
  private static let value: JSONValue = [
    "a": 2, "b": 3.5, "t": "Hello there", "none": nil, "flag": true, "list": [3, 1, 2],
    "items": [["p": 0.1, "n": "x"], ["p": 0.2, "n": "y"]], "empty": [],
  ]

  private func evaluate(_ text: String) throws -> JSONValue {
    let expression = try Expression(parsing: text)
    return try expression.value(
      in: Expression.Context(
        facts: AttemptFacts(value: Self.value, duration: 0.25, outputTokens: 12),
        element: ["p": 7]))
  }

  @Test(
    "the operators, functions and paths of a formula give the expected value",
    arguments: [
      ("1 + 2 * 3", "7"), ("(1 + 2) * 3", "9"), ("7 - 2 - 1", "4"), ("7 / 2", "3.5"),
      ("7 % 4", "3"), ("-$.a + 5", "3"), ("$.a * $.b", "7"), (#""a" + 'b'"#, #""ab""#),
      ("[1] + [2, 3]", "[1, 2, 3]"), ("not false and true", "true"), ("not not true", "true"),
      ("true or 1 / 0 == 1", "true"), ("false and 1 / 0 == 1", "false"),
      ("1 == 1.0", "true"), ("'1' == 1", "false"), ("0.1 + 0.2 == 0.3", "true"),
      ("0.1 + 0.2 <= 0.3", "true"), ("9007199254740993 == 9007199254740992", "false"),
      ("9007199254740992 + 1", "9007199254740993"), ("'a' < 'b'", "true"), ("2 >= 2", "true"),
      ("2 in $.list", "true"), ("'ell' in $.t", "true"), ("4 in [1, 2]", "false"),
      ("sum($.items[*].p) == 0.3", "true"), ("count($.items)", "2"), ("count($)", "8"),
      ("mean($.list)", "2"), ("min($.list)", "1"), ("max(1, $.b, 2)", "3.5"),
      ("first($.list) + last($.list)", "5"), ("first($.empty)", "null"),
      ("sorted($.list)", "[1, 2, 3]"), ("unique([1, 1.0, 2])", "[1, 2]"),
      ("all([])", "true"), ("any([])", "false"), ("keys($.items[0])", #"["p", "n"]"#),
      ("values($.items[0])", #"[0.1, "x"]"#), ("join($.items[*].n, '-')", #""x-y""#),
      ("split('a, b', ',')", #"["a", "b"]"#),
      ("split('a\r\nb\r\n\r\nc', '\n')", #"["a", "b", "c"]"#), ("exists($.none)", "true"),
      ("exists($.nothing)", "false"), ("$.nothing == null", "true"),
      ("exists($.empty[*])", "false"), ("type($.list)", #""array""#), ("number('12') + 1", "13"),
      ("text(12)", #""12""#), ("abs(-2)", "2"), ("round(2.345, 2)", "2.35"),
      ("round(2.5)", "3"), ("floor(-1.5)", "-2"), ("ceil(1.2)", "2"), ("words($.t)", "2"),
      ("characters('é')", "1"), ("sentences('A b. C.')", "2"), ("lower('Ab')", #""ab""#),
      ("upper('ab')", #""AB""#), ("trim('  a b ')", #""a b""#), ("contains($.t, 'there')", "true"),
      ("startsWith($.t, 'Hell')", "true"), ("endsWith($.t, 'x')", "false"),
      ("matches($.t, '[A-Z].*')", "true"), ("similarity('kitten', 'sitting') > 0.57", "true"),
      ("milliseconds()", "250"), ("outputTokens()", "12"),
      ("@.p", "7"), ("$.items[*]['n']", #"["x", "y"]"#), (#"'it\'s'"#, #""it's""#),
    ])
  func value(text: String, expected: String) throws {
    #expect(try evaluate(text) == JSONValue(parsing: expected), "\(text)")
  }

  @Test(
    "if a formula has no value, the error says where and why",
    arguments: [
      ("1 / 0", 3, "the right side of `/` is zero"),
      ("1 + 'a'", 3, #"`+` is applied to number 1 and string "a""#),
      ("'a' < 1", 5, #"`<` is applied to string "a" and number 1"#),
      ("not 1", 1, "`not` is applied to number 1"),
      ("mean($.empty)", 1, "`mean` is applied to an empty list"),
      ("count(3)", 1, "`count` is applied to number 3"),
      ("number('x')", 1, #"`number` is applied to string "x""#),
      ("1e308 * 10", 7, "the result is not a finite number"),
      ("case.missing", 1, "the test case has no variable `missing`"),
    ])
  func noValue(text: String, column: Int, problem: String) throws {
    do {
      let value = try evaluate(text)
      Issue.record("\(text) has the value \(value)")
    } catch let error as ExpressionError {
      #expect(error.column == column, "\(text)")
      #expect(error.problem == problem, "\(text)")
    }
  }

  @Test(
    "an invalid formula is reported with its position",
    arguments: [
      ("", 1, "the formula ends too early"), ("1 +", 4, "the formula ends too early"),
      ("1 2", 3, "unexpected `2`"), ("(1", 1, "`(` is not closed"),
      ("cuont($)", 1, "there is no function `cuont`"), ("count", 6, "`count` is a function"),
      ("count()", 1, "`count` has 0 arguments"), ("'a", 1, "the quote is not closed"),
      ("1 < 2 < 3", 7, "`<` follows another comparison"),
      ("$.", 3, "a name is missing after the dot"),
      ("$.a[", 5, "the bracket contains neither an index, `*` nor a quoted name"),
      ("exists(1)", 1, "`exists` needs a path"),
      ("matches('a', $.t)", 1, "the pattern of `matches` must be a literal"),
      ("= 1", 1, "unexpected `=`"), ("1.2.3", 1, "`1.2.3` is not a number"),
      ("case.", 6, "a name is missing after `case.`"),
    ])
  func syntax(text: String, column: Int, problem: String) throws {
    do {
      _ = try Expression(parsing: text)
      Issue.record("\(text) was read as a formula")
    } catch {
      #expect(error.column == column, "\(text)")
      #expect(error.problem == problem, "\(text)")
      #expect(!error.allowed.isEmpty)
    }
  }

  @Test("a formula that is too long or too deeply nested is rejected")
  func limits() {
    let deep = String(repeating: "(", count: 1_000) + "1" + String(repeating: ")", count: 1_000)
    #expect(throws: ExpressionError.self) { try Expression(parsing: deep) }
    let long = String(repeating: " ", count: 4_000) + "1"
    #expect(throws: ExpressionError.self) { try Expression(parsing: long) }
    // A long sum becomes a deep tree. Even the longest allowed sum must have a value.
    func chain(_ count: Int) -> String {
      Array(repeating: "1", count: count).joined(separator: "+")
    }
    #expect(throws: Never.self) { try evaluate(chain(Expression.maximumPartCount)) }
    #expect(throws: ExpressionError.self) { try evaluate(chain(Expression.maximumPartCount + 1)) }
    let negations = String(repeating: "not ", count: 900) + "true"
    #expect(throws: Never.self) { try evaluate(negations) }
  }
}
