import EvalSuites
import StructuredText

/// Finds the test cases of a suite by the values of their variables.
struct InputIndex {
  private let cases: [(id: String, variables: JSONObject)]
  /// The names of the variables in the suite's prompt.
  private let prompted: [String]
  /// The ids of the test cases, keyed by the values of the variables in the prompt.
  private let asked: [[String]: [String]]

  /// Creates an index of the test cases of a suite.
  init(_ suite: Suite) {
    let names =
      suite.variants.first?.prompt.variables.filter { !$0.hasPrefix("env.") } ?? []
    cases = suite.cases.map { ($0.id, $0.variables) }
    prompted = names
    asked = Dictionary(
      grouping: cases.filter { entry in names.allSatisfy { entry.variables[$0] != nil } },
      by: { Self.key($0.variables, names) }
    ).mapValues { $0.map(\.id) }
  }

  /// Returns the ids of the test cases whose prompt has the values that a line of a log gives, or
  /// `nil` if the line doesn't determine the variables of the prompt.
  ///
  /// - Parameters:
  ///   - values: The values under `input`.
  ///   - others: The line's other members, which may be further variables of the prompt.
  func cases(asked values: JSONObject, beside others: JSONObject) -> [String]? {
    guard !prompted.isEmpty else { return nil }
    var given = others
    for member in values.members { given[member.key] = member.value }
    let open = prompted.filter { given[$0] == nil }
    // A text under `input` is the only variable that the line doesn't name.
    if open.count == 1, values.keys.elementsEqual(["input"]), !prompted.contains("input") {
      given[open[0]] = values["input"]
    } else if !open.isEmpty {
      return nil
    }
    return asked[Self.key(given, prompted)] ?? []
  }

  /// Returns the ids of the test cases with the given values, which may have other variables too.
  func cases(having values: JSONObject) -> [String] {
    let names = Array(values.keys)
    let wanted = Self.key(values, names)
    return cases.filter { entry in
      names.allSatisfy { entry.variables[$0] != nil } && Self.key(entry.variables, names) == wanted
    }.map(\.id)
  }

  /// Returns the values as strings: strings are trimmed, and any other value is written as JSON.
  private static func key(_ values: JSONObject, _ names: [String]) -> [String] {
    names.map { name in
      values[name].map { value in
        guard let text = value.string else { return value.canonicalText }
        let start = text.drop(while: \.isWhitespace)
        return start.lastIndex { !$0.isWhitespace }.map { String(start[...$0]) } ?? ""
      } ?? ""
    }
  }
}
