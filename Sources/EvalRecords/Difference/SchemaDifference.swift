public import StructuredText

/// The difference between two schemas, as a list of edits that can be applied in any combination.
///
/// The comparison walks both schemas in parallel, from the root and from each definition that both
/// schemas have:
///
///     before                               after
///     { "title": "CardSet",                { "title": "CardSet",
///       "properties": {                      "properties": {
///         "cards": { "type": "array",          "cards": { "type": "array",
///           "description": "Three to",           "description": "Cards",   guide of CardSet.cards
///           "minItems": 3, … } } }               … } } }                   bound of CardSet.cards
///
/// Applying all edits to the first schema gives the second schema. Applying only some of the edits
/// gives a schema in between; testing such schemas shows which edit caused a change.
public struct SchemaDifference: Sendable, Hashable {
  /// The edits in the order of the first schema.
  public private(set) var edits: [SchemaEdit] = []
  /// The definitions that only the second schema has; edits may refer to them.
  private var addedDefinitions: [JSONObject.Member] {
    addedNames.compactMap { name in after["$defs"]?[name].map { (name, $0) } }
  }
  private var addedNames: [String] = []
  private let before: JSONValue
  private let after: JSONValue

  /// The depth up to which schemas are compared; anything deeper is a single edit.
  private static let maximumDepth = 64

  /// Creates a difference between two schemas in Apple's dialect.
  ///
  /// - Parameters:
  ///   - before: The schema before.
  ///   - after: The schema after.
  /// - Complexity: Linear in the size of both schemas.
  public init(from before: JSONValue, to after: JSONValue) {
    self.before = before
    self.after = after
    compare(
      SchemaDocument(before).body, SchemaDocument(after).body, at: [],
      place: before["title"]?.string ?? "Root", depth: 0)
    let definitions = before["$defs"]?.object ?? [:]
    for (name, definition) in definitions.members {
      guard let other = after["$defs"]?[name] else { continue }
      compare(definition, other, at: ["$defs", name], place: name, depth: 0)
    }
    for name in after["$defs"]?.object?.keys ?? [] where definitions[name] == nil {
      addedNames.append(name)
    }
  }

  /// Returns the first schema with some of the edits applied.
  ///
  /// - Parameter edits: Edits of this difference.
  /// - Returns: The schema, without unused definitions.
  public func schema(making edits: some Sequence<SchemaEdit>) -> JSONValue {
    var schema = before
    if case .object(var members) = schema, !addedNames.isEmpty {
      var definitions = members["$defs"]?.object ?? [:]
      for (name, definition) in addedDefinitions { definitions[name] = definition }
      members["$defs"] = .object(definitions)
      schema = .object(members)
    }
    return SchemaDocument(edits.reduce(schema) { $1.applied(to: $0) }).withoutUnusedDefinitions
  }

  // MARK: Walking

  private static let groups: [(kind: SchemaEdit.Kind, keywords: Set<String>)] = [
    (.guide, ["description"]),
    (
      .bound,
      [
        "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minItems",
        "maxItems", "minLength", "maxLength", "pattern", "format", "const",
      ]
    ),
    (.choices, ["enum", "anyOf", "oneOf"]),
    (.optionality, ["required"]),
    (.order, ["x-order"]),
  ]

  private mutating func compare(
    _ before: JSONValue, _ after: JSONValue, at pointer: [String], place: String, depth: Int
  ) {
    guard before != after else { return }
    guard let old = before.object, let new = after.object, depth < Self.maximumDepth,
      old["type"] == new["type"], old["$ref"] == new["$ref"]
    else {
      add(.type, place, [.init(pointer: pointer, before: before, after: after)])
      return
    }
    var keywords = old.keys + new.keys.filter { old[$0] == nil }
    keywords.removeAll { old[$0] == new[$0] }
    var children: [(before: JSONValue, after: JSONValue, pointer: [String], place: String)] = []

    let (oldProperties, newProperties) = (old["properties"]?.object, new["properties"]?.object)
    if let oldProperties, let newProperties {
      let names = Set(oldProperties.keys)
      if names != Set(newProperties.keys) {
        let changed =
          oldProperties.keys.filter { newProperties[$0] == nil }
          + newProperties.keys.filter { !names.contains($0) }
        let lists = ["required", "x-order"].filter(keywords.contains)
        add(
          .properties, place,
          changed.map {
            .init(
              pointer: pointer + ["properties", $0], before: oldProperties[$0],
              after: newProperties[$0])
          } + lists.map { .init(pointer: pointer + [$0], before: old[$0], after: new[$0]) })
        keywords.removeAll(where: lists.contains)
      }
      for (name, property) in oldProperties.members {
        guard let other = newProperties[name] else { continue }
        children.append((property, other, pointer + ["properties", name], "\(place).\(name)"))
      }
      keywords.removeAll { $0 == "properties" }
    }
    if let oldItems = old["items"], let newItems = new["items"] {
      children.append((oldItems, newItems, pointer + ["items"], "\(place)[*]"))
      keywords.removeAll { $0 == "items" }
    }
    if let oldChoices = old["anyOf"]?.array, let newChoices = new["anyOf"]?.array,
      oldChoices.map({ $0["$ref"] }) == newChoices.map({ $0["$ref"] })
    {
      for (index, pair) in zip(oldChoices, newChoices).enumerated() {
        children.append(
          (
            pair.0, pair.1, pointer + ["anyOf", "\(index)"],
            // A suite names an alternative with a title by its title.
            pair.0["title"]?.string ?? "\(place)[\(index + 1)]"
          ))
      }
      keywords.removeAll { $0 == "anyOf" }
    }
    for group in Self.groups + [(.type, Set(keywords))] {
      let members = keywords.filter(group.keywords.contains)
      keywords.removeAll(where: members.contains)
      guard !members.isEmpty else { continue }
      add(
        group.kind, place,
        members.map { .init(pointer: pointer + [$0], before: old[$0], after: new[$0]) })
    }
    for child in children {
      compare(child.before, child.after, at: child.pointer, place: child.place, depth: depth + 1)
    }
  }

  private mutating func add(
    _ kind: SchemaEdit.Kind, _ place: String, _ changes: [SchemaEdit.Change]
  ) {
    edits.append(SchemaEdit(kind: kind, place: place, changes: changes))
  }
}
