import EvalRecords
import EvalSuites

extension Console {
  /// Prints the warnings about suite files.
  func warn(of suites: [Suite]) {
    for warning in suites.flatMap(\.warnings) { tell(warning: warning.description) }
  }

  /// Warns about keywords of schemas that probably don't have the effect that their author wants.
  func warn(ofKeywordsIn suites: [Suite]) {
    var told: Set<String> = []
    for finding in suites.flatMap({ $0.documentFindings() }) {
      if told.insert(finding.description).inserted { tell(warning: finding.description) }
    }
  }

  /// Warns about test cases that still have the placeholder inputs of `assay init`, which no model
  /// can answer correctly.
  func warn(ofPlaceholdersIn suites: [Suite]) {
    for suite in suites {
      let ids = suite.placeholderCases
      guard let first = ids.first else { continue }
      let more = ids.count > 1 ? " and \((ids.count - 1).counted("more test case"))" : ""
      let verb = ids.count > 1 ? "have" : "has"
      tell(
        warning: "\(suite.path): `\(first)`\(more) still \(verb) the input that `assay init` "
          + "wrote; write an input for which the test case's assertions are right")
    }
  }
}
