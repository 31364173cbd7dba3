import StructuredText

/// The schemas of a document that a `$ref` can lead to, and the names of the types that these
/// schemas become.
///
/// A definition at the root keeps its name. Any other place is named after its pointer.
struct ReferenceTargets {
  private let document: JSONValue
  private var targets: [String: (value: JSONValue, path: String)] = [:]
  /// The names of the definitions at the root, in the document's order.
  private(set) var definitionOrder: [String] = []
  /// The names of other places, in the order of their first use.
  private(set) var otherOrder: [String] = []
  /// The names of the `$ref` targets whose schemas have not been read yet.
  var queue: [String] = []
  private var asked: Set<String> = []
  private var anchors: [String: String]?
  /// The names of the targets, by pointer.
  private var namesByPointer: [String: String] = [:]

  init(_ document: JSONValue) { self.document = document }

  func target(named name: String) -> (value: JSONValue, path: String)? { targets[name] }

  mutating func collectDefinitions() throws(SchemaReadError) {
    for keyword in ["$defs", "definitions"] {
      guard let value = document[keyword] else { continue }
      let path = SchemaPointer.child(of: "#", keyword)
      guard let object = value.object else {
        throw SchemaReadError(at: path, .wrongType(found: value.typeName), allowed: ["object"])
      }
      for member in object.members {
        let memberPath = SchemaPointer.child(of: path, member.key)
        // If the same name occurs under both keywords, the second definition is named after its
        // pointer.
        if member.key == SchemaNode.rootName || targets[member.key] != nil { continue }
        guard targets.count < SchemaReader.definitionLimit else {
          throw SchemaReadError(
            at: memberPath, .tooManyDefinitions(limit: SchemaReader.definitionLimit))
        }
        targets[member.key] = (member.value, memberPath)
        namesByPointer[memberPath] = member.key
        definitionOrder.append(member.key)
      }
    }
  }

  /// Returns the name of the type that a `$ref` leads to, or `nil` if the `$ref` leads nowhere.
  mutating func name(of reference: String) -> String? {
    guard let pointer = localPointer(of: reference) else { return nil }
    if pointer == "#" { return SchemaNode.rootName }
    let name: String
    if let known = namesByPointer[pointer] {
      name = known
    } else {
      guard let value = SchemaPointer.value(at: pointer, in: document) else { return nil }
      guard targets.count < SchemaReader.definitionLimit * 4 else { return nil }
      var wanted = String(pointer.dropFirst(2))
      while targets[wanted] != nil { wanted += "'" }
      name = wanted
      targets[name] = (value, pointer)
      namesByPointer[pointer] = name
      otherOrder.append(name)
    }
    if asked.insert(name).inserted { queue.append(name) }
    return name
  }

  /// Returns the pointer within this document, with `%` escapes decoded, or `nil` if the reference
  /// leads out of the document.
  private mutating func localPointer(of reference: String) -> String? {
    var fragment = reference
    if !reference.hasPrefix("#") {
      let id = (document["$id"] ?? document["id"])?.string ?? ""
      let base = id.split(separator: "#", omittingEmptySubsequences: false).first.map(String.init)
      guard let base, !base.isEmpty, reference.hasPrefix(base) else { return nil }
      fragment = String(reference.dropFirst(base.count))
      if fragment.isEmpty { return "#" }
      guard fragment.hasPrefix("#") else { return nil }
    }
    if fragment == "#" || fragment == "#/" { return "#" }
    // A name may contain a percent sign that was not escaped.
    if fragment.hasPrefix("#/") {
      let literal = SchemaPointer.canonical(fragment)
      if namesByPointer[literal] != nil { return literal }
    }
    let decoded = fragment.removingPercentEscapes
    if decoded.hasPrefix("#/") { return SchemaPointer.canonical(decoded) }
    if anchors == nil { anchors = DocumentTraits.anchors(in: document) }
    return anchors?[String(decoded.dropFirst())]
  }

  // MARK: Nodes without references

  /// Returns whether a node contains no references.
  ///
  /// The result is also false for a node with more than 10,000 parts.
  func isPlain(_ node: SchemaNode) -> Bool {
    var open = [node]
    var steps = 0
    while let next = open.popLast() {
      steps += 1
      if steps > 10_000 { return false }
      if case .reference = next { return false }
      open += next.children
    }
    return true
  }

  /// Returns whether the types and constants of the choices are enough to show that no value fits
  /// two choices.
  func areExclusive(_ choices: [SchemaNode]) -> Bool {
    if choices.count == 1 { return true }
    var shapes: [DocumentShape] = []
    for choice in choices {
      let shape: DocumentShape
      if case .reference(let name, _) = choice {
        let document = name == SchemaNode.rootName ? self.document : targets[name]?.value
        shape = DocumentShape(of: document)
      } else {
        shape = DocumentShape(of: choice)
      }
      if shapes.contains(where: { !$0.excludes(shape) }) { return false }
      shapes.append(shape)
    }
    return true
  }
}

/// The type and the constants of a schema that may not have been read yet.
struct DocumentShape {
  private var type: String?
  private var constants: [String: String] = [:]

  init(of node: SchemaNode) {
    switch node {
    case .object(let schema):
      type = "object"
      for property in schema.properties where !property.isOptional {
        if case .string(let string) = property.node, string.choices?.count == 1 {
          constants[property.name] = string.choices?.first
        }
      }
    case .array: type = "array"
    case .string: type = "string"
    case .integer, .number: type = "number"
    case .boolean, .constant: type = "boolean"
    case .null: type = "null"
    case .union, .any, .reference: type = nil
    }
  }

  init(of document: JSONValue?) {
    // Next to `nullable` or `$ref`, `type` alone doesn't tell which values the schema allows.
    type = document?["type"]?.string
    if type == "integer" { type = "number" }
    if document?["nullable"] == .bool(true) { type = nil }
    if document?["$ref"] != nil { type = nil }
    let required = document?["required"]?.array?.compactMap(\.string) ?? []
    for name in required {
      guard let property = document?["properties"]?[name] else { continue }
      if let constant = property["const"]?.string {
        constants[name] = constant
      } else if let choices = property["enum"]?.array, choices.count == 1 {
        constants[name] = choices[0].string
      }
    }
  }

  func excludes(_ other: DocumentShape) -> Bool {
    guard let type, let otherType = other.type else { return false }
    if type != otherType { return true }
    return constants.contains { name, value in
      other.constants[name].map { $0 != value } ?? false
    }
  }
}
