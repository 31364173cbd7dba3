import EvalRecords
import StructuredText

/// A requirement on each value that a path selects.
package protocol ValueRule: Sendable {
  /// Judges a complete value.
  func judge(_ value: JSONValue) -> Judgement
  /// Judges a value that may be incomplete because the answer was cut off.
  func judge(_ part: AnswerPart) -> Judgement
  /// Returns the verdict for a path that selects no values, as `[*]` does in an empty array.
  ///
  /// - Parameter negated: Whether the rule is nested in an odd number of negations.
  func verdictOnNothing(negated: Bool) -> Verdict
  /// Returns a description of the expectation.
  func expectation(negated: Bool) -> String
}

extension ValueRule {
  package func judge(_ part: AnswerPart) -> Judgement {
    part.isComplete ? judge(part.value) : .unknown(part.cutWords)
  }

  package func verdictOnNothing(negated: Bool) -> Verdict { .vacuous }
}

extension AnswerPart {
  /// A description of the part of the value that arrived before the cut.
  var cutWords: String {
    switch value {
    case .null: "cut off before the value"
    default: "cut off: \(ValueWords.short(value))"
    }
  }
}

/// A rule for strings.
protocol TextRule: ValueRule {
  /// Judges a complete string.
  func judge(text: String) -> Judgement
  /// Judges the beginning of a string that was cut off.
  func judge(beginning text: String) -> Judgement
}

extension TextRule {
  package func judge(_ value: JSONValue) -> Judgement {
    value.string.map(judge(text:)) ?? .notApplicable(value.typeWords)
  }

  package func judge(_ part: AnswerPart) -> Judgement {
    if part.isComplete { return judge(part.value) }
    return part.value.string.map(judge(beginning:)) ?? .unknown(part.cutWords)
  }

  func judge(beginning text: String) -> Judgement {
    .unknown("cut off: \(ValueWords.quoted(text))")
  }
}

extension JSONValue {
  /// A description of the type and the value, for example `string "abc"`.
  var typeWords: String { "\(typeName) \(ValueWords.short(self))" }
}

/// A check that applies a rule to every value that a path selects.
package struct ValueCheck: Check {
  package let type: String
  package let path: JSONPlace
  /// The rule.
  package let rule: any ValueRule

  /// Creates a check.
  ///
  /// - Parameters:
  ///   - type: The name of the kind.
  ///   - path: The path.
  ///   - rule: The requirement on each value.
  package init(_ type: String, _ path: JSONPlace, _ rule: any ValueRule) {
    self.type = type
    self.path = path
    self.rule = rule
  }

  package var variables: [String] { (rule as? VariableRule).map { [$0.name] } ?? [] }

  package func resolved(with variables: JSONObject) throws(VariableProblem) -> any Check {
    guard let pending = rule as? VariableRule, let value = variables[pending.name] else {
      return self
    }
    do throws(UnfitVariable) {
      return ValueCheck(type, path, try pending.rule(VariableValue(value)))
    } catch {
      throw VariableProblem(
        name: pending.name, problem: "is \(ValueWords.short(value))",
        allowed: "`\(type)` needs \(error.allowed)")
    }
  }

  package func evaluate(
    _ facts: AttemptFacts, in part: AnswerPart, negated: Bool
  ) -> CheckResult {
    let expected = rule.expectation(negated: negated)
    let selection = path.selection(in: part)
    if selection.places.isEmpty, !selection.mayGrow {
      return CheckResult(
        verdict: rule.verdictOnNothing(negated: negated), expected: expected,
        actual: "no values at \(path)")
    }
    return CheckResult(
      of: selection.places.map { finding($0, negated: negated) }, in: selection, path: path,
      expected: expected)
  }

  /// Returns the verdict on one place.
  ///
  /// If there is no value, the rule fails and its negation is vacuous. The same holds for null if
  /// the rule doesn't apply to null. If the answer was cut off before the place, the verdict is
  /// unknown, whether the rule is negated or not.
  private func finding(_ selected: SelectedPlace, negated: Bool) -> Finding {
    guard let part = selected.part else {
      return Finding(
        verdict: selected.mayCome ? .unknown : negated ? .vacuous : .fail, place: selected.place,
        actual: selected.mayCome
          ? "cut off before \(selected.place)" : "nothing at \(selected.place)")
    }
    let judgement = rule.judge(part)
    var verdict = judgement.verdict(negated: negated)
    if case .notApplicable = judgement, negated, part.value == .null { verdict = .vacuous }
    return Finding(verdict: verdict, place: selected.place, actual: judgement.actual)
  }

  package func expectation(negated: Bool) -> String { rule.expectation(negated: negated) }
}

// MARK: Variables

/// A placeholder for a rule whose expected value is a variable of the test case.
///
/// When the check is resolved for a test case, the real rule replaces this placeholder.
struct VariableRule: ValueRule {
  /// The variable's name.
  let name: String
  /// Creates the real rule for the variable's value.
  let rule: @Sendable (VariableValue) throws(UnfitVariable) -> any ValueRule

  func judge(_ value: JSONValue) -> Judgement { .notApplicable(value.typeWords) }

  func expectation(negated: Bool) -> String { (negated ? "not " : "") + "the variable `\(name)`" }
}

/// The value of a test case's variable; always a string if it comes from a CSV file.
struct VariableValue {
  /// The value.
  let value: JSONValue
  /// The value as text.
  let text: String
  /// The JSON value that `text` parses to, or `value` itself if `text` isn't JSON.
  let written: JSONValue

  init(_ value: JSONValue) {
    self.value = value
    text = value.string ?? value.compactText
    written = value.string.flatMap { try? JSONValue(parsing: $0) } ?? value
  }

  /// The elements of a nonempty list.
  ///
  /// - Throws: `UnfitVariable` if the value isn't a list, or is an empty list.
  var elements: [JSONValue] {
    get throws(UnfitVariable) {
      guard let elements = written.array, !elements.isEmpty else {
        throw UnfitVariable(allowed: #"a list such as `["a", 2]`"#)
      }
      return elements
    }
  }
}

/// An error for a variable whose value doesn't fit a rule.
struct UnfitVariable: Error {
  /// A description of the values that fit the rule.
  var allowed: String
}
