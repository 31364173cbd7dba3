import StructuredText

/// Reads `const` and `enum`: all strings share one node, and every other value becomes a constant.
enum ChoiceReader {
  /// Returns the node of the values that both `const` and `enum` allow, or `nil` if the place has
  /// neither keyword.
  static func node(of place: SchemaPlaceReader) throws(SchemaReadError) -> SchemaNode? {
    if let value = place.members["const"] {
      let path = place.path(to: "const")
      if let choices = place.members["enum"]?.array, !choices.contains(value) {
        throw SchemaReadError(at: path, .contradiction(text(value)), allowed: choices.map(text))
      }
      if case .string(let string) = value {
        return .string(
          StringSchema(name: try place.string("title"), choices: [string], isConstant: true))
      }
      return constant(value)
    }
    guard let values = try place.array("enum") else { return nil }
    guard !values.isEmpty else {
      throw SchemaReadError(
        at: place.path(to: "enum"), .contradiction("an empty list"),
        allowed: ["at least one value"])
    }
    return union(values, title: try place.string("title"))
  }

  private static func union(_ values: [JSONValue], title: String?) -> SchemaNode {
    var strings: [String] = []
    // There may be twenty thousand choices, so comparing each with all the others would take
    // seconds.
    var seen: Set<String> = []
    var nodes: [SchemaNode] = []
    var seenNodes: Set<SchemaNode> = []
    for value in values {
      if case .string(let string) = value {
        if seen.insert(string).inserted { strings.append(string) }
      } else {
        let node = constant(value)
        if seenNodes.insert(node).inserted { nodes.append(node) }
      }
    }
    if nodes.isEmpty { return .string(StringSchema(name: title, choices: strings)) }
    if !strings.isEmpty { nodes.insert(.string(StringSchema(choices: strings)), at: 0) }
    if nodes.count == 1 { return nodes[0] }
    return .union(UnionSchema(name: title, choices: nodes))
  }

  /// Returns the node without the choices that `type` excludes, and throws if no choice is left.
  static func check(
    _ node: SchemaNode, is types: [String], _ place: SchemaPlaceReader
  ) throws(SchemaReadError) -> SchemaNode {
    if types.isEmpty { return node }
    func fits(_ node: SchemaNode) -> Bool {
      switch node {
      case .string: types.contains("string")
      case .integer: types.contains("integer") || types.contains("number")
      case .number: types.contains("number")
      case .constant: types.contains("boolean")
      case .null: types.contains("null") || place.members["nullable"] == .bool(true)
      case .array: types.contains("array")
      case .object: types.contains("object")
      default: true
      }
    }
    func fail() -> SchemaReadError {
      let keyword = place.members["const"] == nil ? "enum" : "const"
      let value = place.members["const"] ?? place.members["enum"]?.array?.first ?? .null
      return SchemaReadError(
        at: place.path(to: keyword), .contradiction(text(value)), allowed: types)
    }
    guard case .union(var union) = node else {
      if !fits(node) { throw fail() }
      return node
    }
    let count = union.choices.count
    union.choices.removeAll { !fits($0) }
    if union.choices.isEmpty { throw fail() }
    if union.choices.count == 1, count > 1 { return union.choices[0] }
    return .union(union)
  }

  static func constant(_ value: JSONValue) -> SchemaNode {
    switch value {
    case .null: return .null(description: nil)
    case .bool(let flag): return .constant(flag, description: nil)
    case .string(let text): return .string(StringSchema(choices: [text]))
    case .number(let number):
      if let int = number.int { return .integer(IntegerSchema(minimum: int, maximum: int)) }
      return .number(NumberSchema(minimum: number, maximum: number))
    case .array(let elements):
      return .array(
        ArraySchema(
          prefix: elements.map(constant), element: .any(description: nil),
          minimumCount: elements.count, maximumCount: elements.count))
    case .object(let object):
      return .object(
        ObjectSchema(
          properties: object.members.map { PropertySchema(name: $0.key, node: constant($0.value)) })
      )
    }
  }

  private static func text(_ value: JSONValue) -> String {
    JSONTextWriter.text(of: value, style: .compact)
  }
}
