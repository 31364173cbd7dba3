import StructuredText

/// The assertions of a suite that are Swift closures.
struct SwiftAssertions {
  /// The closures for all test cases.
  var shared: [CustomAssertion] = []
  /// The closures for individual test cases, keyed by id.
  var ofCases: [String: [CustomAssertion]] = [:]

  /// Returns the closures that apply to a test case.
  func assertions(of caseID: String) -> [CustomAssertion] { shared + (ofCases[caseID] ?? []) }

  /// The names of all closures.
  var names: [String] { (shared + ofCases.values.flatMap(\.self)).map(\.name) }
}

extension SuiteBuilder {
  /// Reports closures that share a name with another assertion of the test case, and weights that
  /// are out of bounds.
  mutating func checkSwiftAssertions(
    _ custom: [CustomAssertion], beside assertions: [Assertion], of caseID: String,
    at location: SourceLocation
  ) {
    var seen = Set(assertions.map(\.name))
    for assertion in custom {
      if !seen.insert(assertion.name).inserted {
        format.problems.add(
          location, "the name `\(assertion.name)` is used twice in the test case `\(caseID)`",
          allowed: "names of assertions must be unique")
      }
      if !(0...1_000_000).contains(assertion.weight) {
        format.problems.add(
          location, "the weight of `\(assertion.name)` is \(assertion.weight)",
          allowed: "a number from 0 to 1000000 is allowed")
      }
    }
  }
}
