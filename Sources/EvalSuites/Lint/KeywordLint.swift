import GuidedGeneration
import StructuredText

/// Finds keys in a schema document that look like misspelled keywords, or that are newer than the
/// draft that the document names.
enum KeywordLint {
  /// A finding with its position in the document.
  struct Placed {
    var location: SourceLocation
    var finding: LintFinding
  }

  /// Checks a document.
  ///
  /// - Parameter document: A schema in Apple's dialect or in plain JSON Schema.
  /// - Returns: The findings in document order.
  static func findings(in document: SourceNode) -> [Placed] {
    let draft = SchemaDraft(of: document.value)
    return KeywordUse.uses(in: document.value).compactMap { use in
      guard let message = problem(with: use.keyword, draft) else { return nil }
      let node = document.part(at: use.place)
      let location =
        node.members.first { $0.key == use.keyword }?.keyLocation ?? node.location
      return Placed(
        location: location,
        finding: LintFinding(
          rule: .misspeltKeyword, place: use.place, message: message))
    }
  }

  /// Returns the problem with a key, or `nil` if there is none.
  private static func problem(with key: String, _ draft: SchemaDraft?) -> String? {
    if let draft, draft.isOlder(than: key) {
      return "`\(key)` is newer than draft \(draft.number), which `$schema` names, so it has no "
        + "effect; name a later draft"
    }
    guard KeywordTable.row(of: key) == nil, !key.hasPrefix("x-") else { return nil }
    return KeywordSpelling.meant(by: key).map { "`\(key)` is not a keyword; did you mean `\($0)`?" }
  }
}

extension PlacedFinding {
  init(suite: String, variant: String, file: String, _ placed: KeywordLint.Placed) {
    self.init(
      suite: suite, variant: variant, file: file, line: placed.location.line,
      column: placed.location.column, finding: placed.finding)
  }
}
