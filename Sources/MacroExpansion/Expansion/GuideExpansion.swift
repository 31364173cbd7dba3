/// Expands `@Guide` to nothing, because `@Generable` reads the attribute.
///
/// The macro only checks whether the attribute is in a valid place.
enum GuideExpansion {
  static func peer(declaration: String) -> Expansion {
    var parser = OutlineParser(declaration)
    var outline = TypeOutline(kind: .enum, name: "", access: "")
    parser.members(of: &outline)
    // `@Generable` reports problems with the property itself.
    if !outline.properties.isEmpty || !outline.cases.isEmpty || !parser.diagnostics.isEmpty {
      return Expansion()
    }
    let place = parser.tokens.first { $0.kind == .word && ["var", "let"].contains($0.text) }
    let name = place.flatMap { place in
      parser.tokens.first { $0.range.lowerBound > place.range.lowerBound }
    }
    let message =
      name.map {
        "`@Guide` has no effect here: `\($0.text)` is not generated, because it is not stored "
          + "or already has a value; remove the attribute"
      }
      ?? "`@Guide` belongs on a stored property or on a case of a `@Generable` type"
    let offset = (name ?? parser.tokens.first)?.range.lowerBound ?? 0
    return Expansion(diagnostics: [Diagnostic(message: message, offset: offset)])
  }
}
