import EvalRecords
import EvalSuites

extension Console {
  /// Warns about inputs that still have the text from `assay init`, with which no model can give a
  /// right answer.
  func warn(ofPlaceholdersIn suites: [Suite]) {
    for suite in suites {
      let ids = suite.placeholderCases
      guard let first = ids.first else { continue }
      let more = ids.count > 1 ? " and \((ids.count - 1).counted("more case"))" : ""
      tell(
        warning: "\(suite.path): `\(first)`\(more) still has the input that `assay init` wrote; "
          + "write an input for which the case's assertions are right")
    }
  }
}
