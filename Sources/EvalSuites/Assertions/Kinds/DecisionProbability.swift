import EvalRecords
import StructuredText

extension AssertionKind {
  static let decision = attempt(
    "decision",
    "The probability of the option is within the bounds at every decision at the path",
    rows: [
      .path,
      KeyRow(
        "option", .text,
        "The option: `element` or `end` of an array, a case of an enum, `present` or `absent`",
        isRequired: true),
      KeyRow("min", .probability, "The minimum probability"),
      KeyRow("max", .probability, "The maximum probability"),
    ], rules: [.atLeastOne(["min", "max"]), .ordered("min", "max")],
    example: AssertionExample(
      "decision: { path: $.cards, option: end, max: 0.05 }",
      passing: #"{"sampled": 0.01}"#, failing: #"{"sampled": 0.07}"#,
      actual: "7 % at $.cards, element 0")
  ) { reader, node, view in
    guard let (path, inner) = reader.path(node, view), let optionNode = node["option"],
      let option = optionNode.text
    else { return nil }
    if let inner {
      var options = inner.branches ?? []
      if inner.shapes.contains(where: \.isArray) {
        options += [DecisionOption.element, .end].map(\.name)
      }
      options += [DecisionOption.present, .absent].map(\.name)
      guard reader.known(option, among: options, at: optionNode, what: "options of `\(path)`")
      else { return nil }
    }
    return DecisionRule(
      path: path, option: option,
      meanings: DecisionRule.meanings(of: option, branches: inner.map { $0.branches ?? [] }),
      minimum: node["min"]?.value.double,
      maximum: node["max"]?.value.double)
  }
}

/// A rule that the sampled probability of an option is within bounds at every decision at a path.
struct DecisionRule: AttemptRule {
  var path: JSONPlace
  /// The name of the option.
  var option: String
  /// The options that the name stands for.
  var meanings: [DecisionOption]
  /// The minimum probability, or `nil` if there is none.
  var minimum: Double?
  /// The maximum probability, or `nil` if there is none.
  var maximum: Double?

  var needsNoValue: Bool { false }

  /// Judges an attempt.
  ///
  /// Probabilities that were measured before an answer was cut off are valid. So the rule fails if
  /// any of them is out of bounds. Otherwise, the verdict is unknown if more decisions might have
  /// followed at the path.
  func judge(_ facts: AttemptFacts) -> Judgement {
    let places = facts.decisions.filter {
      (try? JSONPlace(parsing: $0.path))?.matches(path) ?? false
    }
    let found = places.filter(\.isResolved)
      .compactMap { decision in
        meanings.lazy.compactMap { decision.sampledProbability(of: $0) }.first
          .map { (decision, $0) }
      }
    let selection = path.selection(in: facts.answer)
    let mayFollow =
      selection.mayGrow
      || selection.places.contains { $0.mayCome || $0.part?.isComplete == false }
    guard !found.isEmpty else {
      if mayFollow { return .unknown("cut off before a decision") }
      return .vacuous(places.contains { !$0.isResolved } ? "no resolved decision" : "no decision")
    }
    let offender = found.first { !($0.1 >= minimum ?? 0 && $0.1 <= maximum ?? 1) }
    let (decision, probability) = offender ?? found[0]
    let percent = ValueWords.number((probability * 100_000).rounded() / 1000)
    let words = "\(percent) % at \(decision.path), element \(decision.index)"
    if offender == nil, mayFollow { return .unknown("\(words), then cut off") }
    return Judgement(offender == nil, words)
  }

  func expectation(negated: Bool) -> String {
    (negated ? "not " : "") + "P(`\(option)`) "
      + [
        minimum.map { "at least \(ValueWords.number($0))" },
        maximum.map { "at most \(ValueWords.number($0))" },
      ].compactMap(\.self).joined(separator: " and ")
  }

  /// Returns the options that a name stands for.
  ///
  /// A branch of this name comes first: at an enum with a case `absent`, `absent` is the case, even
  /// if the enum's property is optional.
  ///
  /// - Parameters:
  ///   - name: The name in the suite.
  ///   - branches: The branches at the path, or `nil` if the schema doesn't say.
  static func meanings(of name: String, branches: [String]?) -> [DecisionOption] {
    if branches?.contains(name) == true { return [.branch(name)] }
    let others = [DecisionRecord.Kind.array, .optional].map { DecisionOption(name: name, in: $0) }
      .filter { $0 != .branch(name) }
    return branches == nil || others.isEmpty ? [.branch(name)] + others : others
  }
}
