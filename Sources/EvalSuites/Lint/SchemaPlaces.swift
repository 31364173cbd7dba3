import StructuredText

/// The positions of a schema's types and properties in its document.
struct SchemaPlaces {
  /// The positions, keyed by the names that the lint uses: `Type` and `Type.property`.
  private(set) var locations: [String: SourceLocation] = [:]

  /// The maximum nesting depth of the types to search.
  private static let maximumDepth = 64

  /// Creates a table of the positions in a document in Apple's dialect or in plain JSON Schema.
  ///
  /// - Parameter document: The document.
  init(_ document: SourceNode) {
    visit(document, name: document["title"]?.text ?? "Root", at: document.location, depth: 0)
    for key in ["$defs", "definitions"] {
      for member in document[key]?.members ?? [] {
        visit(member.node, name: member.key, at: member.keyLocation, depth: 0)
      }
    }
  }

  private mutating func visit(
    _ node: SourceNode, name: String, at location: SourceLocation, depth: Int
  ) {
    guard depth < Self.maximumDepth else { return }
    let name = node["title"]?.text ?? name
    // A type that is written out twice is still one type, so the first position counts.
    if locations[name] == nil { locations[name] = location }
    for member in node["properties"]?.members ?? [] {
      let place = "\(name).\(member.key)"
      if locations[place] == nil { locations[place] = member.keyLocation }
      visit(member.node, name: place, at: member.keyLocation, depth: depth + 1)
    }
    if let items = node["items"] { visit(items, name: name, at: location, depth: depth + 1) }
    for key in ["anyOf", "oneOf", "allOf"] {
      for (index, choice) in (node[key]?.elements ?? []).enumerated() {
        visit(
          choice, name: choice["title"]?.text ?? "\(name)\(index + 1)", at: choice.location,
          depth: depth + 1)
      }
    }
  }
}

/// The document from which a suite's schema was read.
struct SchemaDocument {
  /// The file.
  var path: String
  /// The content of the document, or `nil` if the schema isn't written as JSON Schema.
  var node: SourceNode?
  /// The position at which the schema begins, or at which the suite names it.
  var location: SourceLocation
}
