import StructuredText

/// A recorded schema in Apple's dialect, with lists of its arrays, branches, guides, definitions,
/// enum cases and constants.
///
/// The records with the schemas may be damaged or hostile. So a document skips unknown shapes,
/// follows references up to a fixed depth, and limits the number of places.
package struct SchemaDocument: Sendable, Hashable {
  /// An array in the schema.
  package struct ArrayPlace: Sendable, Hashable {
    /// The path, with `[*]` for elements: `$.cards`, `$.days[*].meals`.
    package var path: String
    /// The minimum number of elements, or `nil` if there is no bound.
    package var minimum: Int?
    /// The maximum number of elements, or `nil` if there is no bound.
    package var maximum: Int?
    /// The path of the innermost array around this one, or `nil` if there is none.
    package var parent: String?
    /// Whether only an alternative of a union has the array, so that an answer without it may have
    /// taken another alternative.
    package var isOfAlternative = false
  }

  /// A place at which the value is one of several named enum cases.
  package struct BranchPlace: Sendable, Hashable {
    /// The path.
    package var path: String
    /// The enum cases in schema order.
    package var cases: [String]
  }

  /// A text or a bound that an edit can change.
  package struct Guide: Sendable, Hashable {
    /// The place: `DraftCardSet.cards`, `minItems of DraftCardSet.cards`.
    package var place: String
    /// The text, or the bound as text.
    package var text: String
    /// Whether the text is prose, which reports compare word by word.
    package var isProse: Bool
  }

  /// The schema; null if its text is not JSON.
  package let root: JSONValue
  /// The arrays in schema order.
  package private(set) var arrays: [ArrayPlace] = []
  /// The branches in schema order.
  package private(set) var branches: [BranchPlace] = []
  /// The guides: first the root's, then each definition's.
  package private(set) var guides: [Guide] = []

  private static let maximumDepth = 16
  private static let maximumPlaces = 500

  /// Creates a document from the text of a schema; if the text is damaged, the document has no
  /// places.
  package init(schema text: String) {
    self.init((try? JSONValue(parsing: text)) ?? .null)
  }

  /// Creates a document from a schema.
  package init(_ root: JSONValue) {
    self.root = root
    let definitions = root["$defs"] ?? .null
    collectShapes(root, Place(path: "$"), depth: 0, definitions: definitions)
    collectGuides(of: root, name: root["title"]?.string ?? "root")
    for (name, definition) in definitions.object?.members ?? [] {
      collectGuides(of: definition, name: Self.shortName(name))
    }
  }

  /// Returns the bounds of an array, or `nil` if the schema has no such array.
  package func array(at path: String) -> ArrayPlace? { arrays.first { $0.path == path } }

  /// Returns the enum cases at a place, or `nil` if the schema has no such branch.
  package func branch(at path: String) -> BranchPlace? { branches.first { $0.path == path } }

  /// A place on the way through the schema.
  private struct Place {
    var path: String
    /// The path of the innermost array around the place.
    var parent: String?
    /// Whether the place is in an alternative of a union.
    var isOfAlternative = false

    /// Returns the place of a property.
    func property(_ name: String) -> Place {
      Place(
        path: path + JSONPlace.Step.name(name).text, parent: parent,
        isOfAlternative: isOfAlternative)
    }

    /// The place of an element, if the value here is an array.
    var element: Place {
      Place(
        path: path + JSONPlace.Step.wildcard.text, parent: path, isOfAlternative: isOfAlternative)
    }
  }

  private mutating func collectShapes(
    _ node: JSONValue, _ place: Place, depth: Int, definitions: JSONValue
  ) {
    let path = place.path
    guard depth < Self.maximumDepth, arrays.count + branches.count < Self.maximumPlaces else {
      return
    }
    if let target = Self.target(of: node, in: definitions) {
      return collectShapes(target, place, depth: depth + 1, definitions: definitions)
    }
    if let cases = node["enum"]?.array, cases.allSatisfy({ $0.string != nil }), cases.count > 1 {
      addBranch(path, cases.compactMap(\.string))
    }
    if let choices = node["anyOf"]?.array {
      let targets = choices.map { Self.target(of: $0, in: definitions) ?? $0 }
      let names = targets.compactMap { $0["properties"]?["type"]?["const"]?.string }
      if names.count == targets.count, names.count > 1 { addBranch(path, names) }
      // A value that may be null is no union.
      var inner = place
      if targets.count(where: { $0["type"]?.string != "null" }) > 1 {
        inner.isOfAlternative = true
      }
      for target in targets {
        collectShapes(target, inner, depth: depth + 1, definitions: definitions)
      }
    }
    if let items = node["items"] {
      if array(at: path) == nil {
        arrays.append(
          ArrayPlace(
            path: path, minimum: node["minItems"]?.int, maximum: node["maxItems"]?.int,
            parent: place.parent, isOfAlternative: place.isOfAlternative))
      }
      collectShapes(items, place.element, depth: depth + 1, definitions: definitions)
    }
    for (name, property) in node["properties"]?.object?.members ?? [] {
      collectShapes(
        property, place.property(name), depth: depth + 1, definitions: definitions)
    }
  }

  private mutating func addBranch(_ path: String, _ cases: [String]) {
    guard branch(at: path) == nil else { return }
    branches.append(BranchPlace(path: path, cases: cases))
  }

  private mutating func collectGuides(of node: JSONValue, name: String) {
    addGuides(of: node, at: name)
    for (property, child) in node["properties"]?.object?.members ?? [] {
      addGuides(of: child, at: "\(name).\(property)")
    }
  }

  private mutating func addGuides(of node: JSONValue, at place: String) {
    guard guides.count < Self.maximumPlaces else { return }
    if let description = node["description"]?.string {
      guides.append(Guide(place: place, text: description, isProse: true))
    }
    for bound in ["minItems", "maxItems", "minimum", "maximum", "pattern"] {
      guard let value = node[bound], let text = value.string ?? value.number?.text else { continue }
      guides.append(Guide(place: "\(bound) of \(place)", text: text, isProse: false))
    }
    if let cases = node["enum"]?.array?.compactMap(\.string), !cases.isEmpty {
      guides.append(
        Guide(place: "cases of \(place)", text: cases.joined(separator: ", "), isProse: false))
    }
    if let choices = node["anyOf"]?.array {
      let names = choices.map { Self.shortName($0["$ref"]?.string ?? $0["title"]?.string ?? "…") }
      guides.append(
        Guide(place: "choices of \(place)", text: names.joined(separator: ", "), isProse: false))
    }
  }

  private static func target(of node: JSONValue, in definitions: JSONValue) -> JSONValue? {
    let prefix = "#/$defs/"
    guard let reference = node["$ref"]?.string, reference.hasPrefix(prefix) else { return nil }
    return definitions[String(reference.dropFirst(prefix.count))]
  }

  private static func shortName(_ name: String) -> String {
    String(name.split(separator: "/").last ?? Substring(name))
  }
}
