import EvalSuites
import StructuredText

/// A value in a line of a log that differs from the value that a test case expects.
package struct LogContradiction: Sendable, Equatable {
  /// The place of the line.
  package var place: String
  /// The test case, as `suite/case`.
  package var testCase: String
  /// The name of the variable.
  package var name: String
  /// The value in the log.
  package var logged: JSONValue
  /// The value in the test case.
  package var expected: JSONValue

  /// Returns the contradictions between a line of a log and the test case that judges it.
  static func all(
    in recording: Recording, at place: String, of suites: [Suite]
  ) -> [LogContradiction] {
    let logged = (recording.variables ?? [:]).members + recording.others.members
    guard logged.count > 1 || !recording.others.isEmpty else { return [] }
    for suite in suites where place.hasPrefix(suite.id + "/") {
      let id = place.dropFirst(suite.id.count + 1)
      guard let suiteCase = suite.cases.first(where: { $0.id == id }) else { continue }
      let names = suite.judgedVariables
      return logged.compactMap { member in
        guard names.contains(member.key), let expected = suiteCase.variables[member.key],
          text(expected) != text(member.value)
        else { return nil }
        return LogContradiction(
          place: recording.place, testCase: place, name: member.key, logged: member.value,
          expected: expected)
      }
    }
    return []
  }

  /// Returns a value as text; the cells of a table are always strings.
  private static func text(_ value: JSONValue) -> String { value.string ?? value.canonicalText }
}
