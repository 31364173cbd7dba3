import GuidedGeneration
import StructuredText

/// Finds keys in a schema document that look like keywords but aren't.
enum KeywordLint {
  /// A finding with its position.
  struct Placed {
    var location: SourceLocation
    var finding: LintFinding
  }

  /// Checks a document.
  ///
  /// - Parameter document: A schema in Apple's dialect or in plain JSON Schema.
  /// - Returns: The findings in document order.
  static func findings(in document: SourceNode) -> [Placed] {
    KeywordUse.uses(in: document.value).compactMap { use in
      guard KeywordTable.row(of: use.keyword) == nil, !use.keyword.hasPrefix("x-"),
        let meant = KeywordSpelling.meant(by: use.keyword)
      else { return nil }
      let node = document.part(at: use.place)
      let location =
        node.members.first { $0.key == use.keyword }?.keyLocation ?? node.location
      return Placed(
        location: location,
        finding: LintFinding(
          rule: .misspeltKeyword, place: use.place,
          message: "`\(use.keyword)` is not a keyword; did you mean `\(meant)`?"))
    }
  }
}

extension PlacedFinding {
  init(suite: String, variant: String, file: String, _ placed: KeywordLint.Placed) {
    self.init(
      suite: suite, variant: variant, file: file, line: placed.location.line,
      column: placed.location.column, finding: placed.finding)
  }
}
