import StructuredText

/// Reads Apple's dialect and plain JSON Schema into nodes.
///
/// One recursive descent over the root and over every definition; references are not followed, so
/// that recursive types need no care here.
struct SchemaReader {
  static let depthLimit = 100
  static let definitionLimit = 1000
  /// The most choices of a `oneOf`, each of which is held against each other.
  static let exclusiveLimit = 1000

  /// The definitions of the document, read or not, with their paths.
  private var documents: [String: (value: JSONValue, path: String)] = [:]
  private var documentOrder: [String] = []

  mutating func schema(_ document: JSONValue) throws(SchemaReadError) -> GenerationSchema {
    try collectDefinitions(of: document)
    let root = try node(document, at: "#", depth: 0)
    var definitions: [(name: String, node: SchemaNode)] = []
    for name in documentOrder {
      guard let entry = documents[name] else { continue }
      definitions.append((name, try node(entry.value, at: entry.path, depth: 0)))
    }
    let schema = GenerationSchema(
      root: root, definitions: DefinitionOrder.sorted(definitions, root: root))
    if let endless = RecursionCheck.endlessType(in: schema) {
      let path = SchemaPointer.reference(to: endless)
      throw SchemaReadError(
        at: path, .endlessRecursion(endless), allowed: ["an optional property", "an array"])
    }
    return schema
  }

  private mutating func collectDefinitions(
    of document: JSONValue
  ) throws(SchemaReadError) {
    for keyword in ["$defs", "definitions"] {
      guard let value = document[keyword] else { continue }
      let path = SchemaPointer.child(of: "#", keyword)
      guard let object = value.object else {
        throw SchemaReadError(at: path, .wrongType(found: value.typeName), allowed: ["object"])
      }
      for member in object.members {
        let memberPath = SchemaPointer.child(of: path, member.key)
        if member.key == SchemaNode.rootName || documents[member.key] != nil {
          throw SchemaReadError(
            at: memberPath, .invalidValue("`\(member.key)`"), allowed: ["a unique name"])
        }
        guard documents.count < Self.definitionLimit else {
          throw SchemaReadError(at: memberPath, .tooManyDefinitions(limit: Self.definitionLimit))
        }
        documents[member.key] = (member.value, memberPath)
        documentOrder.append(member.key)
      }
    }
  }

  // MARK: Nodes

  func node(
    _ value: JSONValue, at path: String, depth: Int
  ) throws(SchemaReadError) -> SchemaNode {
    guard depth < Self.depthLimit else {
      throw SchemaReadError(at: path, .tooDeep(limit: Self.depthLimit))
    }
    if case .bool(true) = value { return .any(description: nil) }
    guard case .object(let members) = value else {
      throw SchemaReadError(at: path, .wrongType(found: value.typeName), allowed: ["object"])
    }
    let place = SchemaPlaceReader(members: members, path: path, isRoot: depth == 0 && path == "#")
    try place.checkKeywords()
    let description = try place.string("description")

    if let target = try place.string("$ref") {
      try place.allow(beside: "$ref")
      return .reference(try reference(target, of: place), description: description)
    }
    if let choices = try place.array("anyOf") {
      try place.allow(beside: "anyOf")
      return try union(choices, "anyOf", of: place, description: description, depth: depth)
    }
    if let choices = try place.array("oneOf") {
      try place.allow(beside: "oneOf")
      let node = try union(choices, "oneOf", of: place, description: description, depth: depth)
      if case .union(let schema) = node { try checkExclusive(schema, of: place) }
      return node
    }
    if let parts = try place.array("allOf") {
      try place.allow(beside: "allOf")
      guard parts.count == 1 else {
        throw SchemaReadError(
          at: place.path(to: "allOf"),
          .refusedKeyword("allOf", reason: "schemas cannot be intersected"),
          allowed: ["a list of one schema"])
      }
      let partPath = SchemaPointer.child(of: place.path(to: "allOf"), "0")
      let part = try node(parts[0], at: partPath, depth: depth + 1)
      return part.described(description ?? part.description)
    }
    if let node = try ChoiceReader.node(of: place) { return node.described(description) }
    let types = try place.types()
    if types.count == 1 {
      return try typed(types[0], place, depth: depth).described(description)
    }
    if types.isEmpty {
      guard place.assertions.isEmpty else {
        throw SchemaReadError(
          at: path, .invalidValue("a schema without `type`"), allowed: SchemaPlaceReader.typeNames)
      }
      return .any(description: description)
    }
    var choices: [SchemaNode] = []
    for type in types { choices.append(try typed(type, place, depth: depth)) }
    return .union(
      UnionSchema(name: try place.string("title"), description: description, choices: choices))
  }

  private func reference(
    _ target: String, of place: SchemaPlaceReader
  ) throws(SchemaReadError) -> String {
    guard let name = SchemaPointer.name(in: target),
      name == SchemaNode.rootName || documents[name] != nil
    else {
      throw SchemaReadError(
        at: place.path(to: "$ref"), .undefinedReference(target),
        allowed: ["#"] + documentOrder.map(SchemaPointer.reference(to:)))
    }
    return name
  }

  private func union(
    _ values: [JSONValue], _ keyword: String, of place: SchemaPlaceReader, description: String?,
    depth: Int
  ) throws(SchemaReadError) -> SchemaNode {
    let path = place.path(to: keyword)
    guard !values.isEmpty else {
      throw SchemaReadError(at: path, .invalidValue("an empty list"), allowed: ["one schema"])
    }
    var choices: [SchemaNode] = []
    for (position, value) in values.enumerated() {
      let choicePath = SchemaPointer.child(of: path, String(position))
      choices.append(try node(value, at: choicePath, depth: depth + 1))
    }
    return .union(
      UnionSchema(name: try place.string("title"), description: description, choices: choices))
  }

  // MARK: Types

  private func typed(
    _ type: String, _ place: SchemaPlaceReader, depth: Int
  ) throws(SchemaReadError) -> SchemaNode {
    switch type {
    case "object": return try object(place, depth: depth)
    case "array": return try array(place, depth: depth)
    case "string":
      let bounds = try place.counts("minLength", "maxLength")
      return .string(
        StringSchema(
          pattern: try place.string("pattern"), minimumLength: bounds.minimum,
          maximumLength: bounds.maximum))
    case "integer":
      let bounds = try place.integerBounds()
      return .integer(IntegerSchema(minimum: bounds.minimum, maximum: bounds.maximum))
    case "number":
      let bounds = try place.numberBounds()
      return .number(NumberSchema(minimum: bounds.minimum, maximum: bounds.maximum))
    case "boolean": return .boolean(description: nil)
    default: return .null(description: nil)
    }
  }

  private func array(
    _ place: SchemaPlaceReader, depth: Int
  ) throws(SchemaReadError) -> SchemaNode {
    let bounds = try place.counts("minItems", "maxItems")
    let element =
      if let items = place.members["items"] {
        try node(items, at: place.path(to: "items"), depth: depth + 1)
      } else {
        SchemaNode.any(description: nil)
      }
    return .array(
      ArraySchema(element: element, minimumCount: bounds.minimum, maximumCount: bounds.maximum))
  }

  private func object(
    _ place: SchemaPlaceReader, depth: Int
  ) throws(SchemaReadError) -> SchemaNode {
    try place.checkClosed()
    let documents = try place.object("properties") ?? [:]
    let required = Set(try place.names("required", in: documents))
    var properties: [PropertySchema] = []
    for name in try place.order(of: documents) {
      let path = SchemaPointer.child(of: place.path(to: "properties"), name)
      let property = try node(documents[name] ?? .null, at: path, depth: depth + 1)
      properties.append(
        PropertySchema(
          name: name, description: property.description, node: property.described(nil),
          isOptional: !required.contains(name)))
    }
    var schema = ObjectSchema(name: try place.string("title"), properties: properties)
    if properties.allSatisfy({ !$0.isOptional }) { schema.foldExplicitNulls() }
    return .object(schema)
  }

  // MARK: Checks

  private func checkExclusive(
    _ schema: UnionSchema, of place: SchemaPlaceReader
  ) throws(SchemaReadError) {
    guard schema.choices.count <= Self.exclusiveLimit else {
      throw SchemaReadError(
        at: place.path(to: "oneOf"),
        .refusedKeyword(
          "oneOf", reason: "more than \(Self.exclusiveLimit) schemas are not told apart"),
        allowed: ["anyOf"])
    }
    let documents = documents.mapValues(\.value)
    var shapes: [ChoiceShape] = []
    for choice in schema.choices {
      let shape = ChoiceShape(of: choice, documents: documents)
      if shapes.contains(where: { !$0.excludes(shape) }) {
        throw SchemaReadError(
          at: place.path(to: "oneOf"),
          .refusedKeyword("oneOf", reason: "a value could fit two of the schemas"),
          allowed: ["anyOf", "schemas that differ in type or in a constant property"])
      }
      shapes.append(shape)
    }
  }
}

extension ObjectSchema {
  /// Takes required properties of the form `anyOf: [T, null]` for absent ones that are generated
  /// as an explicit null, which is how such an object is written.
  fileprivate mutating func foldExplicitNulls() {
    for position in properties.indices {
      guard case .union(let union) = properties[position].node, union.name == nil,
        union.choices.count == 2, union.choices[1] == .null(description: nil),
        union.choices[0].description == nil
      else { continue }
      properties[position].node = union.choices[0]
      properties[position].isOptional = true
      representsNilExplicitly = true
    }
  }
}
