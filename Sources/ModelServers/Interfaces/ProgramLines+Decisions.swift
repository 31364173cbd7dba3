import EvalRecords
import StructuredText

extension ProgramLines {
  /// Reads the decisions that a program reports.
  ///
  /// ```
  /// [{ "kind": "choice", "path": "$.tone", "options": { "calm": 0.8, "loud": 0.2 },
  ///    "chosen": "calm" }]
  /// ```
  ///
  /// - Parameters:
  ///   - value: The list of decisions.
  ///   - answer: The answer of the same reply, or `nil` if it has none.
  static func decisions(
    _ value: JSONValue, in answer: JSONValue?
  ) throws(ServerError) -> [DecisionRecord] {
    guard let list = value.array else { throw broken("its `decisions` is not a list") }
    var decisions: [DecisionRecord] = []
    // How many elements of each array the decisions so far were about.
    var elements: [String: Int] = [:]
    for (number, entry) in list.enumerated() {
      var decision = try decision(entry, number)
      if decision.kind == .array {
        let index = elements[decision.path, default: 0]
        if entry["index"] == nil { decision.index = index }
        elements[decision.path] = decision.chosen?.name == "end" ? 0 : index + 1
      }
      if let answer, let problem = contradiction(of: decision, to: answer) {
        throw broken("decision \(number): \(problem)")
      }
      decisions.append(decision)
    }
    return decisions
  }

  /// Returns how an answer contradicts the option that a decision chose, or `nil` if it doesn't.
  ///
  /// The names of a union's branches say nothing about the answer.
  private static func contradiction(
    of decision: DecisionRecord, to answer: JSONValue
  ) -> String? {
    guard let chosen = decision.chosen?.name, let place = try? JSONPlace(parsing: decision.path),
      place.isSingular
    else { return nil }
    let value = place.value(in: answer)
    let count = value?.array?.count ?? 0
    let holds =
      switch decision.kind {
      case .choice: value.map { $0.string ?? $0.compactText } == chosen
      case .optional: chosen == "present" ? value != nil : value == nil || value == .null
      case .array: chosen == "element" ? count > decision.index : count == decision.index
      case .branch: true
      }
    if holds { return nil }
    let index = decision.kind == .array ? " at index \(decision.index)" : ""
    return "`chosen` is `\(chosen)`\(index), but at \(decision.path), the answer has "
      + (value?.compactText ?? "nothing")
  }

  private static func decision(
    _ entry: JSONValue, _ number: Int
  ) throws(ServerError) -> DecisionRecord {
    func problem(_ words: String) -> ServerError { broken("decision \(number): \(words)") }
    guard let kind = entry["kind"]?.string.flatMap(DecisionRecord.Kind.init(rawValue:)) else {
      let kinds = DecisionRecord.Kind.allCases.map(\.rawValue).joined(separator: ", ")
      throw problem("its `kind` is not one of \(kinds)")
    }
    guard let path = entry["path"]?.string, path.hasPrefix("$"),
      let place = try? JSONPlace(parsing: path)
    else { throw problem("its `path` is not a path such as `$.cards`") }
    guard let given = entry["options"]?.object, given.count > 1 else {
      throw problem("its `options` is not an object with the probability of each option")
    }
    let names: [String]? =
      switch kind {
      case .array: ["element", "end"]
      case .optional: ["present", "absent"]
      case .branch, .choice: nil
      }
    var options: [OptionProbability] = []
    var sum = 0.0
    for member in given {
      guard names?.contains(member.key) ?? true else {
        throw problem(
          "the option `\(member.key)` doesn't exist; the options of `\(kind.rawValue)` are "
            + (names ?? []).joined(separator: " and "))
      }
      guard let share = member.value.double, (0...1).contains(share) else {
        throw problem("the probability of `\(member.key)` is not a number from 0 to 1")
      }
      sum += share
      options.append(
        OptionProbability(
          DecisionOption(name: member.key, in: kind), raw: share, masked: share, sampled: share))
    }
    guard sum <= 1.001 else {
      throw problem("the probabilities of its options add up to more than 1")
    }
    let chosen = entry["chosen"]?.string
    if let chosen, given[chosen] == nil {
      throw problem("`chosen` is `\(chosen)`, which is not one of its options")
    }
    return DecisionRecord(
      kind: kind, path: place.description, index: max(0, entry["index"]?.int ?? 0),
      options: options,
      chosen: chosen.map { DecisionOption(name: $0, in: kind) },
      step: max(0, entry["step"]?.int ?? number), unresolved: max(0, 1 - sum))
  }
}
