import GuidedGeneration
import StructuredText

/// Finds keys in a schema document that look like misspelled keywords, or that are newer than the
/// draft that the document names.
///
/// The type also finds schemas whose `type` was probably forgotten, and parts of a schema that no
/// value meets.
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
    let uses = KeywordUse.uses(in: document.value)
    return uses.compactMap { use in
      guard let message = problem(with: use.keyword, draft) else { return nil }
      let node = document.part(at: use.place)
      let location =
        node.members.first { $0.key == use.keyword }?.keyLocation ?? node.location
      return Placed(
        location: location,
        finding: LintFinding(
          rule: .misspeltKeyword, place: use.place, message: message))
    } + untyped(uses, in: document) + impossible(in: document)
  }

  /// Returns findings about the parts of a schema that no value meets, such as an object that
  /// requires a misspelled property.
  private static func impossible(in document: SourceNode) -> [Placed] {
    GenerationSchema.impossibleParts(of: document.value).map { error in
      Placed(
        location: document.part(at: error.path).location,
        finding: LintFinding(rule: .impossiblePart, place: error.path, message: error.words))
    }
  }

  /// Returns findings about schemas that have keywords for certain types, but don't limit the type.
  private static func untyped(_ uses: [KeywordUse], in document: SourceNode) -> [Placed] {
    let limiting: Set<String> = [
      "type", "enum", "const", "$ref", "allOf", "anyOf", "oneOf", "not", "if",
    ]
    var places: [String] = []
    var known: [String: [String]] = [:]
    for use in uses where use.treatment == .enforced {
      if known[use.place] == nil { places.append(use.place) }
      known[use.place, default: []].append(use.keyword)
    }
    return places.compactMap { place in
      guard let keywords = known[place], limiting.isDisjoint(with: keywords), standsAlone(place),
        let (keyword, types) = keywords.lazy.compactMap({ keyword in
          KeywordTable.row(of: keyword).flatMap { $0.types.isEmpty ? nil : (keyword, $0.types) }
        }).first
      else { return nil }
      let names = types.map { "\"\($0)\"" }.joined(separator: " or ")
      return Placed(
        location: document.part(at: place).location,
        finding: LintFinding(
          rule: .missingType, place: place,
          message: "there is `\(keyword)`, but no `type`; add \"type\": \(names)"))
    }
  }

  /// Returns whether no other schema applies to the same value as the schema at a place, as far as
  /// the place shows.
  private static func standsAlone(_ place: String) -> Bool {
    var steps = place.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
    while let step = steps.popFirst() {
      switch step {
      case "properties", "patternProperties", "prefixItems": steps = steps.dropFirst()
      case "items" where steps.first.flatMap({ Int($0) }) != nil: steps = steps.dropFirst()
      case "items", "additionalProperties": break
      default: return false
      }
    }
    return true
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
