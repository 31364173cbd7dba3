import EvalRecords
import StructuredText
import Testing

@testable import EvalSuites

/// Returns the facts about the attempt that an example's text describes.
private func facts(_ text: String, of kind: AssertionKind) throws -> AttemptFacts {
  let value = try JSONValue(parsing: text)
  var facts = AttemptFacts(value: value)
  facts.commands = CommandAccess { call, _ in
    let value = (try? JSONValue(parsing: call.input))?["value"]
    return value?.string?.hasPrefix("Thank") == true
      ? .output(#"{"pass": true}"#) : .output(#"{"pass": false, "actual": "no polite word"}"#)
  }
  switch kind {
  case .stopReason:
    facts.stopReason = try #require(StopReason(rawValue: value["stopReason"]?.string ?? ""))
  case .latency: facts.duration = try #require(value["milliseconds"]?.double) / 1000
  case .tokens: facts.outputTokens = try #require(value["tokens"]?.int)
  case .pressure: facts.constraintPressure = try #require(value["pressure"]?.double)
  case .decision:
    let sampled = try #require(value["sampled"]?.double)
    facts.decisions = [
      DecisionRecord(
        kind: .array, path: "$.cards", index: 0,
        options: [OptionProbability(.end, raw: sampled, masked: sampled, sampled: sampled)],
        chosen: .end, step: 0, unresolved: 0)
    ]
  default: break
  }
  return facts
}

private func check(_ entry: String) throws -> (check: (any Check)?, problems: [String]) {
  let node = try YAMLReader.read("- \(entry)\n").elements[0]
  var format = FormatCheck(file: "f")
  format.check(node, .table(.assertion), name: "assertion")
  var reader = CheckReader(problems: format.problems, root: nil)
  let check = reader.check(node, nil)
  return (check, reader.problems.problems.map(\.description))
}

@Suite("Examples of assertions")
struct CheckExampleTests {
  @Test("every kind of assertion has a unique name, and its example begins with that name")
  func names() {
    let names = AssertionKind.all.map(\.name)
    #expect(Set(names).count == names.count)
    for kind in AssertionKind.all {
      #expect(kind.example.entry.hasPrefix("\(kind.name): "))
      #expect(AssertionKind.named(kind.name) == kind)
    }
  }

  @Test(
    "every example passes and fails as documented, and its negation does the opposite",
    arguments: AssertionKind.all.map(\.name))
  func examples(name: String) throws {
    let kind = try #require(AssertionKind.named(name))
    let example = kind.example
    let (found, problems) = try check(example.entry)
    #expect(problems == [])
    let check = try #require(found)
    let assertion = Assertion(name: "n", check: check)
    if kind == .boundHugging {
      // A single attempt can't decide an assertion of this kind.
      let verdict = assertion.verdict(on: try facts(example.passing, of: kind))
      #expect(verdict.verdict == .vacuous)
      return
    }
    let good = assertion.verdict(on: try facts(example.passing, of: kind))
    #expect(good.verdict == .pass, "\(good.actual)")
    let bad = assertion.verdict(on: try facts(example.failing, of: kind))
    #expect(bad.verdict == .fail, "\(bad.actual)")
    #expect(bad.actual == example.actual)
    #expect(!bad.expected.isEmpty)
    let negated = Assertion(name: "n", check: NotCheck(inner: check))
    for (text, verdict) in [(example.passing, Verdict.fail), (example.failing, .pass)] {
      let result = negated.verdict(on: try facts(text, of: kind))
      #expect(result.verdict == verdict, "the negation, on \(text): \(result.actual)")
    }
  }

  @Test("`find` fails if no element matches, even in an empty list")
  func find() throws {
    let entry = #"""
      find: { path: "$.lines[*]", where: [ { equals: { path: "@.sku", value: A1 } } ],
        assertions: [ { range: { path: "@.amount", min: 2 } } ] }
      """#
    let assertion = Assertion(name: "n", check: try #require(try check(entry).check))
    func verdict(_ text: String) throws -> VerdictRecord {
      assertion.verdict(on: AttemptFacts(value: try JSONValue(parsing: text)))
    }
    let none = try verdict(#"{"lines": [{"sku": "B2", "amount": 5}]}"#)
    #expect(none.verdict == .fail)
    #expect(none.actual == #"none among {"sku": "B2", "amount": 5}"#)
    #expect(none.path == "$.lines[*]")
    #expect(try verdict(#"{"lines": []}"#).verdict == .fail)
  }

  @Test(
    "`deepEquals` applies its options for order, tolerance, members and capitalization",
    arguments: [
      ("value: [1, 2]", "[1, 2]", "[1, 2]"), ("value: [1, 2]", "[2, 1]", nil),
      ("value: [1, 2], ignoringOrder: true", "[2, 1]", "[2, 1]"),
      ("value: [1, 2], ignoringOrder: true", "[1, 1]", nil),
      ("value: [1, 1.4], ignoringOrder: true, tolerance: 0.5", "[1.2, 0.6]", "[1.2, 0.6]"),
      ("value: { a: 1 }", #"{"a": 1, "b": 2}"#, nil),
      ("value: { a: 1 }, allowingMore: true", #"{"a": 1, "b": 2}"#, #"{"a": 1, "b": 2}"#),
      ("value: { a: 1 }, ignoring: [b]", #"{"a": 1, "b": 2}"#, #"{"a": 1, "b": 2}"#),
      ("value: Bo, ignoringCase: true", #""BO""#, #""BO""#),
      ("value: 1.5, tolerance: 0.1", "1.59", "1.59"),
      ("value: { a: 107505301260286110 }", #"{"a": 107505301260286111}"#, nil),
      ("value: [107505301260286110], ignoringOrder: true", "[107505301260286111]", nil),
      ("value: 1, tolerance: 0.1", "1.1", "1.1"), ("value: [1e400]", "[1e401]", nil),
    ])
  func deepEquality(parameters: String, value: String, passing: String?) throws {
    let entry = "deepEquals: { path: $, \(parameters) }"
    let assertion = Assertion(name: "n", check: try #require(try check(entry).check))
    let verdict = assertion.verdict(on: AttemptFacts(value: try JSONValue(parsing: value)))
    #expect(verdict.verdict == (passing == nil ? .fail : .pass), "\(verdict.actual)")
    if let passing { #expect(verdict.actual == passing) }
  }

  @Test(
    "similarity is measured in edits or in words",
    arguments: [
      ("min: 1", "kitten", true), ("maxDistance: 3", "sitting", true),
      ("maxDistance: 2", "sitting", false), ("min: 0.5", "sitting", true),
      ("min: 0.6", "sitting", false), ("min: 1, ignoringCase: true", "KITTEN", true),
      ("min: 0.5, measure: tokens", "a kitten", true),
      ("min: 0.7, measure: tokens", "a kitten", false),
      ("min: 1, measure: recall", "the kitten", true), ("min: 0.1, measure: recall", "", false),
    ])
  func likeness(parameters: String, text: String, passes: Bool) throws {
    let entry = "similar: { path: $, to: kitten, \(parameters) }"
    let assertion = Assertion(name: "n", check: try #require(try check(entry).check))
    let verdict = assertion.verdict(on: AttemptFacts(value: .string(text)))
    #expect((verdict.verdict == .pass) == passes, "\(verdict.actual)")
  }

  @Test(
    "a text without letters and digits is like an equal text only",
    arguments: [
      ("👍", "no way, terrible", "recall", false), ("👍", "👎", "tokens", false),
      (">=", "<", "tokens", false), (">=", ">=", "tokens", true),
      ("", "anything at all", "recall", false), ("", "👍", "tokens", false),
      ("", "", "recall", true), ("", "", "tokens", true), ("a", "!", "recall", false),
      ("5", "-5", "tokens", true),
    ])
  func likenessWithoutWords(to: String, text: String, measure: String, passes: Bool) throws {
    let entry = "similar: { path: $, to: '\(to)', min: 0.9, measure: \(measure) }"
    let assertion = Assertion(name: "n", check: try #require(try check(entry).check))
    let verdict = assertion.verdict(on: AttemptFacts(value: .string(text)))
    #expect((verdict.verdict == .pass) == passes, "\(verdict.actual)")
  }

  @Test("if a text is too long to compare, both `similar` and its negation fail")
  func tooLong() throws {
    let long = JSONValue.string(String(repeating: "x", count: 5_000))
    let checked = try #require(try check("similar: { path: $, to: x, min: 0 }").check)
    for check in [checked, NotCheck(inner: checked)] {
      #expect(check.evaluate(AttemptFacts(value: long)).verdict == .fail)
    }
  }
}
