/// Expands `@Generable`.
///
/// ```
/// member role     static var generationSchema, PartiallyGenerated
/// extension role  the conformance, init(_:), generatedContent
/// ```
///
/// The initializer is in the extension so that a struct keeps its memberwise initializer. The
/// generated code consists of short calls into the library, so that most of the code is compiled
/// once, and not again for every type of an app.
enum GenerableExpansion {
  /// Returns the members to add to the type.
  static func members(declaration: String, attribute: String) -> Expansion {
    let (outline, diagnostics) = OutlineParser.outline(of: declaration)
    guard let outline else { return Expansion(diagnostics: diagnostics) }
    let options = GenerableOptions(attribute)
    let members =
      switch outline.kind {
      case .struct, .actor: StructExpansion(outline: outline, options: options).members
      case .enum: EnumExpansion(outline: outline, options: options).members
      }
    return Expansion(source: members.joined(separator: "\n"))
  }

  /// Returns the extension that adds the conformance.
  ///
  /// If the members can't be generated, there is no extension, so the user sees only the
  /// diagnostics for the members.
  static func conformance(
    declaration: String, attribute: String, type: String?, isConforming: Bool
  ) -> Expansion {
    guard let outline = OutlineParser.outline(of: declaration).outline else { return Expansion() }
    let options = GenerableOptions(attribute)
    let members =
      switch outline.kind {
      case .struct, .actor:
        StructExpansion(outline: outline, options: options).conformanceMembers
      case .enum: EnumExpansion(outline: outline, options: options).conformanceMembers
      }
    let conformance = isConforming ? "" : ": \(Library.generable)"
    return Expansion(
      source: """
        nonisolated extension \(type ?? outline.name)\(conformance) {
        \(members.joined(separator: "\n"))
        }
        """)
  }
}

/// The arguments of `@Generable`, as source text.
struct GenerableOptions {
  var name = "nil"
  var description = "nil"
  var representsNilExplicitly = "false"

  init(_ attribute: String) {
    for argument in OutlineParser.attribute(attribute)?.arguments ?? [] {
      switch argument.label {
      case "name": name = argument.source
      case "description": description = argument.source
      case "representNilExplicitlyInGeneratedContent": representsNilExplicitly = argument.source
      default: break
      }
    }
  }
}

/// The library names that expansions use.
///
/// The names are qualified because an app may use the same names for other types.
enum Library {
  static let schema = "GuidedGeneration.GenerationSchema"
  static let content = "GuidedGeneration.GeneratedContent"
  static let builder = "GuidedGeneration.GeneratedContent.Builder"
  static let id = "GuidedGeneration.GenerationID"
  static let generable = "GuidedGeneration.Generable"
  static let convertible = "GuidedGeneration.ConvertibleFromGeneratedContent"

  /// Returns a string literal for a text.
  static func literal(_ text: some StringProtocol) -> String {
    var literal = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": literal += "\\" + String(scalar)
      case "\n": literal += "\\n"
      default: literal.unicodeScalars.append(scalar)
      }
    }
    return literal + "\""
  }

  /// Returns the source that creates a property of a schema.
  static func property(name: String, type: TypeText, guide: TypeOutline.Guide) -> String {
    var source = "\(schema).Property(name: \(literal(name))"
    if let description = guide.description { source += ", description: \(description)" }
    source += ", type: \(type.expression).self"
    if !guide.guides.isEmpty {
      // A list of guides can't mix a bare regular expression with other guides, so wrap it in
      // `.pattern`.
      let isMixed = guide.guides.count > 1
      let guides = guide.guides.map { isMixed && isRegex($0) ? ".pattern(\($0))" : $0 }
      source += ", guides: [\(guides.joined(separator: ", "))]"
    }
    return source + ")"
  }

  private static func isRegex(_ source: String) -> Bool {
    ["/", "#/", "##/", "Regex", "try! Regex", "try!Regex"].contains { source.hasPrefix($0) }
  }
}
