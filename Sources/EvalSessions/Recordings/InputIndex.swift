import EvalSuites
import StructuredText

/// Finds test cases by the values of their variables.
struct InputIndex {
  /// The test cases, written as `suite/case`, keyed first by the names and then by the values of
  /// their variables.
  private var places: [[String]: [[String]: String]] = [:]
  private let cases: [(place: String, variables: JSONObject)]
  /// The names of the variables in the prompt of each suite.
  private let prompted: [[String]]

  /// Creates an index of the test cases of suites.
  init(_ suites: [Suite]) {
    prompted = suites.compactMap { suite in
      suite.variants.first?.prompt.variables.filter { !$0.hasPrefix("env.") }
    }
    cases = suites.flatMap { suite in
      suite.cases.map { ("\(suite.id)/\($0.id)", $0.variables) }
    }
    let names = Set(cases.map { $0.variables.keys.sorted() })
    for name in names { index(name) }
  }

  private mutating func index(_ names: [String]) {
    for (place, variables) in cases where names.allSatisfy({ variables[$0] != nil }) {
      let key = Self.key(variables, names)
      if places[names, default: [:]][key] == nil { places[names, default: [:]][key] = place }
    }
  }

  /// Returns the first test case whose prompt has the values that a line of a log gives, written as
  /// `suite/case`.
  ///
  /// - Parameters:
  ///   - values: The values under `input`. If they and the other members don't determine the
  ///     variables of any suite's prompt, the first test case that has all of these values counts.
  ///   - others: The line's other members, which may be further variables of the prompt.
  func place(of values: JSONObject, beside others: JSONObject) -> String? {
    var isDetermined = false
    for names in prompted where !names.isEmpty {
      var given = others
      for member in values.members { given[member.key] = member.value }
      let open = names.filter { given[$0] == nil }
      // A text under `input` is the only variable that the line doesn't name.
      if open.count == 1, values.keys.elementsEqual(["input"]), !names.contains("input") {
        given[open[0]] = values["input"]
      } else if !open.isEmpty {
        continue
      }
      isDetermined = true
      let asked = given.members.filter { names.contains($0.key) }
      if let place = place(of: JSONObject(asked)) { return place }
    }
    return isDetermined ? nil : place(of: values)
  }

  /// Returns the first test case with the given values, written as `suite/case`; the test case may
  /// have other variables too.
  func place(of values: JSONObject) -> String? {
    let names = values.keys.sorted()
    if let known = places[names] { return known[Self.key(values, names)] }
    let wanted = Self.key(values, names)
    return cases.first { entry in
      names.allSatisfy { entry.variables[$0] != nil } && Self.key(entry.variables, names) == wanted
    }?.place
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
