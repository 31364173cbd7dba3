import EvalSuites
import StructuredText

/// Finds test cases by the values of their variables.
struct InputIndex {
  /// The test cases, written as `suite/case`, keyed first by the names and then by the values of
  /// their variables.
  private var places: [[String]: [[String]: String]] = [:]
  private let cases: [(place: String, variables: JSONObject)]

  /// Creates an index of the test cases of suites.
  init(_ suites: [Suite]) {
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
