import EvalRecords
import EvalStatistics
import Testing

@Suite("Arrays that answers lack")
struct MissingArrayTests {
  private static let full = #"{"cards":[1]}"#

  /// A schema with one property, which isn't required.
  private static func schema(_ property: String, required: String = "") -> String {
    #"{"type":"object","required":[\#(required)],"properties":{\#(property)}}"#
  }

  private static let optional = schema(#""cards":{"type":"array","items":{}}"#)
  private static let nullable = schema(
    #""cards":{"anyOf":[{"type":"array","items":{}},{"type":"null"}]}"#, required: #""cards""#)
  private static let inner = schema(
    #""deck":{"type":"object","properties":{"cards":{"type":"array","items":{}}}}"#)
  private static let nested = schema(
    #""days":{"type":"array","items":{"type":"object","properties":{"meals":{"#
      + #""type":"array","items":{}}}}}"#)
  private static let union = schema(
    #""cards":{"anyOf":[{"type":"array","items":{}},{"type":"string"}]}"#)
  private static let open =
    #"{"type":"object","properties":{},"additionalProperties":{"type":"array","items":{}}}"#

  /// Compares two runs of 20 test cases; each array has the answers to the first and to the other
  /// test cases.
  private static func compare(
    _ schema: String, _ before: [String], _ after: [String],
    failure: AttemptFailure? = nil
  ) -> ComparisonRecord {
    func side(_ id: Int, _ answers: [String], _ failure: AttemptFailure?) -> ComparisonSide {
      var builder = RunBuilder(id: id)
      builder.schema = schema
      builder.minimums = [:]
      builder.answer = { index, _ in .init(output: answers[min(index, answers.count - 1)]) }
      var attempts = builder.attempts
      for index in attempts.indices where index > 0 { attempts[index].failure = failure }
      return ComparisonSide(run: builder.record, attempts: attempts)
    }
    return Comparison.compare(baseline: side(1, before, nil), candidate: side(2, after, failure))
  }

  @Test(
    "an array that more answers lack is a regression, and one that fewer lack is an improvement",
    arguments: [
      (optional, [full], [full, "{}"], "$.cards", ComparisonVerdict.regressed),
      (optional, [full], ["{}"], "$.cards", .regressed),
      (nullable, [full], [full, #"{"cards":null}"#], "$.cards", .regressed),
      (inner, [#"{"deck":{"cards":[]}}"#], [#"{"deck":{}}"#], "$.deck.cards", .regressed),
      (inner, [#"{"deck":{"cards":[]}}"#], ["{}"], "$.deck.cards", .regressed),
      (
        nested, [#"{"days":[{"meals":[1]},{"meals":[]}]}"#], [#"{"days":[{"meals":[1]},{}]}"#],
        "$.days[*].meals", .regressed
      ),
      (optional, ["{}", "{}", full], [full], "$.cards", .inconclusive),
      (optional, ["{}"], [full], "$.cards", .improved),
    ] as [(String, [String], [String], String, ComparisonVerdict)])
  func counted(
    schema: String, before: [String], after: [String], path: String, verdict: ComparisonVerdict
  ) throws {
    let record = Self.compare(schema, before, after)
    let effect = try #require(
      record.effects.first { $0.quantity == .missingArray(path: path) }, "\(record.effects)")
    if verdict == .inconclusive {
      #expect(effect.verdict != .regressed && effect.baseline.hits == 2, "\(effect)")
    } else {
      #expect(effect.verdict == verdict && record.verdict == verdict, "\(effect)")
      #expect(effect.isGating)
    }
    #expect(record.differences.isEmpty, "\(record.differences)")
  }

  @Test(
    "an array that all answers have, that none has, or that only some can have isn't counted",
    arguments: [
      (optional, [full], [#"{"cards":[]}"#]), (optional, ["{}"], ["{}"]),
      (union, [full], [full, #"{"cards":"none"}"#]),
      (open, [#"{"red":[1]}"#], [#"{"red":[1]}"#, #"{"blue":[1]}"#]),
      (nested, [#"{"days":[{"meals":[1]}]}"#], [#"{"days":[]}"#]),
    ])
  func notCounted(schema: String, before: [String], after: [String]) {
    let record = Self.compare(schema, before, after)
    let missing = record.effects.filter {
      if case .missingArray(let path) = $0.quantity { path != "$.days" } else { false }
    }
    #expect(missing.isEmpty, "\(missing)")
  }

  @Test("an answer that doesn't fit its schema isn't counted, whatever it lacks")
  func unfit() {
    let record = Self.compare(
      Self.optional, [Self.full], [Self.full, "{}"],
      failure: AttemptFailure(kind: .schemaMismatch, message: "$.title is missing"))
    #expect(!record.effects.contains { $0.quantity == .missingArray(path: "$.cards") })
  }
}
