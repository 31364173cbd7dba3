import EvalRecords
import StructuredText

extension AssertionKind {
  static let boundHugging = AssertionKind(
    "boundHugging",
    "The array's length or the number at the path equals a bound in at most `share` of "
      + "the attempts",
    .keys(
      [
        .path,
        KeyRow("share", .probability, "The maximum share of attempts on a bound", isRequired: true),
        KeyRow("min", .anyNumber, "The lower bound", fallback: "the schema's"),
        KeyRow("max", .anyNumber, "The upper bound", fallback: "the schema's"),
      ], rules: [.ordered("min", "max")]),
    example: AssertionExample(
      "boundHugging: { path: $.cards, share: 0.5, max: 8 }",
      passing: #"{"cards": ["a", "b"]}"#, failing: #"{"cards": []}"#, actual: "0")
  ) { reader, node, view in reader.hugging(node, view).map { HuggingCheck(hugging: $0) } }
}

/// A check that caps the share of attempts in which an array's length or a number is exactly on a
/// bound.
///
/// A single attempt has no such share, so the verdict is always vacuous.
struct HuggingCheck: Check {
  /// The path of the array or number, its bounds, and the maximum share.
  var hugging: BoundHugging

  var type: String { "boundHugging" }
  var path: JSONPlace { hugging.path }
  var factsOfSchema: String? { hugging.limits }

  func evaluate(_ facts: AttemptFacts, in part: AnswerPart, negated: Bool) -> CheckResult {
    let found = path.values(in: facts.value).first?.value
    let number = found.flatMap(BoundHugging.number)?.text ?? "nothing to count"
    return CheckResult(
      verdict: .vacuous, expected: expectation(negated: negated),
      actual: hugging.isAtLimit(in: facts.value) == true ? "\(number), a bound" : number)
  }

  func expectation(negated: Bool) -> String {
    (negated ? "at least " : "at most ") + ValueWords.number(hugging.share * 100)
      + " % of all attempts at \(hugging.limits)"
  }
}

extension CheckReader {
  /// Reads a `boundHugging` assertion; if it sets no bounds, the bounds in the schema apply.
  fileprivate mutating func hugging(_ node: SourceNode, _ view: SchemaView?) -> BoundHugging? {
    guard !isNested else {
      problems.add(
        node.location, "`boundHugging` applies to all attempts together",
        allowed: "use it directly in a list of assertions, or under `not`")
      return nil
    }
    guard let (path, inner) = path(node, view), let share = node["share"]?.value.double else {
      return nil
    }
    guard path.isSingular else {
      problems.add(
        node["path"]?.location ?? node.location, "`\(path)` selects several places",
        allowed: "`boundHugging` applies to one array or number")
      return nil
    }
    var hugging = BoundHugging(
      path: path, share: share, minimum: node["min"]?.value.number,
      maximum: node["max"]?.value.number)
    guard let inner else { return hugging }
    guard require(["array", "integer", "number"], "boundHugging", path, inner, node) else {
      return nil
    }
    if hugging.minimum == nil, hugging.maximum == nil {
      for shape in inner.shapes {
        guard let limits = shape.limits else { continue }
        (hugging.minimum, hugging.maximum) = limits
      }
    }
    guard hugging.minimum != nil || hugging.maximum != nil else {
      problems.add(
        node.location, "the schema has no bound at `\(path)`",
        allowed: "`min` or `max` is expected")
      return nil
    }
    return hugging
  }
}

/// A cap on the share of attempts in which an array's length or a number equals its minimum or
/// maximum.
///
/// A model that always gives the maximum isn't choosing a number of elements; it is just filling
/// the array.
package struct BoundHugging: Sendable, Hashable {
  /// The path of the array or number.
  package var path: JSONPlace
  /// The maximum share of attempts in which the length or number is on a bound.
  package var share: Double
  /// The minimum, or `nil` if there is none.
  package var minimum: JSONNumber?
  /// The maximum, or `nil` if there is none.
  package var maximum: JSONNumber?

  /// Returns whether the array's length or the number at the path is on a bound, or `nil` if the
  /// path leads to neither an array nor a number.
  func isAtLimit(in value: JSONValue) -> Bool? {
    guard let found = path.values(in: value).first?.value, let number = Self.number(found) else {
      return nil
    }
    return number == minimum || number == maximum
  }

  /// Returns the element count if the value is an array, the number itself if it is a number, and
  /// `nil` otherwise.
  static func number(_ value: JSONValue) -> JSONNumber? {
    value.number ?? value.array.map { JSONNumber($0.count) }
  }

  /// A description of the bounds.
  var limits: String {
    [minimum?.text, maximum?.text].compactMap(\.self).joined(separator: " or ")
  }
}
