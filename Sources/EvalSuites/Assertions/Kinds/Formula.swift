import EvalRecords
import StructuredText

extension AssertionKind {
  static let expression = AssertionKind(
    "expression", "The formula is true", .formula, version: 2,
    example: AssertionExample(
      #"expression: "$.total == sum($.lines[*].price)""#,
      passing: #"{"total": 0.3, "lines": [{"price": 0.1}, {"price": 0.2}]}"#,
      failing: #"{"total": 3, "lines": [{"price": 1}]}"#,
      actual: "$.total: 3; $.lines[*].price: [1]")
  ) { reader, node, view in
    reader.expression(node, view).map { FormulaCheck(expression: $0) }
  }
}

/// A check that a formula is true.
struct FormulaCheck: Check {
  /// The formula.
  let expression: Expression

  var type: String { "expression" }
  var variables: [String] { expression.variables }

  func resolved(with variables: JSONObject) throws(VariableProblem) -> any Check {
    FormulaCheck(expression: expression.resolved(with: variables))
  }

  func evaluate(_ facts: AttemptFacts, in part: AnswerPart, negated: Bool) -> CheckResult {
    judgement(facts, part, negated: negated)
      .result(expected: expectation(negated: negated), negated: negated)
  }

  /// Judges the value of the formula.
  ///
  /// If the formula has no value, or its value is neither true nor false, both the check and its
  /// negation fail. If the formula needs a number of the attempt that nobody measured, both are
  /// vacuous.
  ///
  /// For an empty array, `all($.x[*])` is true although it checks nothing. So if a formula is about
  /// the elements of an empty array, the check is vacuous in two cases: if the formula is true, and
  /// if the check is negated.
  private func judgement(
    _ facts: AttemptFacts, _ part: AnswerPart, negated: Bool
  ) -> Judgement {
    guard facts.cut == nil else { return .unknown("cut off") }
    let context = Expression.Context(facts: facts, element: part.value)
    do throws(ExpressionError) {
      let result = try expression.value(in: context)
      guard let holds = result.bool else {
        return .notApplicable(
          "\(result.typeName) \(ValueWords.short(result)), neither true nor false")
      }
      if holds || negated, let empty = expression.emptyList(in: context) {
        return .vacuous("no values at \(empty)")
      }
      return Judgement(holds, expression.words(in: context))
    } catch  where error.isUnmeasured {
      return .vacuous(error.problem)
    } catch {
      let words = error.allowed.isEmpty ? error.problem : "\(error.problem); \(error.allowed)"
      return .notApplicable("\(words) (character \(error.column))")
    }
  }

  func expectation(negated: Bool) -> String {
    (negated ? "not " : "") + "`\(ValueWords.cut(expression.text))`"
  }
}

extension Expression {
  /// Returns a description of the values that the formula reads, for example `$.total: 5;
  /// $.items[*].price: [3, 4]`.
  fileprivate func words(in context: Context) -> String {
    let words = paths.prefix(4).map { read in
      (read.isRelative ? read.path.relativeDescription : read.path.description) + ": "
        + ValueWords.short(context.value(at: read.path, isRelative: read.isRelative))
    }
    return words.isEmpty
      ? "the formula reads nothing from the answer" : words.joined(separator: "; ")
  }

  /// Returns the path of the first list that is empty in the answer although the formula is about
  /// its elements, or `nil` if there is none.
  ///
  /// Lists that the formula only counts or only tests for existence are ignored, because a formula
  /// such as `count($.cards) == 0` is about the empty list itself.
  fileprivate func emptyList(in context: Context) -> String? {
    var isAboutElements: [Node] = []
    func visit(_ node: Node) {
      switch node {
      case .call(.count, let parts, _) where parts.allSatisfy(\.isPath): break
      case .call(.exists, _, _): break
      case .path: isAboutElements.append(node)
      default: node.parts.forEach(visit)
      }
    }
    visit(root)
    for case .path(let path, let isRelative, _) in isAboutElements
    where context.value(at: path, isRelative: isRelative) == [] {
      return isRelative ? path.relativeDescription : path.description
    }
    return nil
  }
}

extension Expression.Node {
  fileprivate var isPath: Bool { if case .path = self { true } else { false } }
}
