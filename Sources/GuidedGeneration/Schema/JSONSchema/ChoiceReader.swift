import StructuredText

/// Reads `const` and `enum`: strings stay one node, other values become a union of constants.
enum ChoiceReader {
  static func node(of place: SchemaPlaceReader) throws(SchemaReadError) -> SchemaNode? {
    let types = try place.declaredTypes()
    if let value = place.members["const"] {
      try place.allow(beside: "const", and: ["type", "enum"])
      let path = place.path(to: "const")
      try check(value, isOneOf: types, at: path)
      if let choices = place.members["enum"]?.array, !choices.contains(value) {
        throw SchemaReadError(at: path, .invalidValue(text(value)), allowed: choices.map(text))
      }
      if case .string(let string) = value {
        return .string(
          StringSchema(name: try place.string("title"), choices: [string], isConstant: true))
      }
      return try constant(value, at: path)
    }
    guard let values = try place.array("enum") else { return nil }
    try place.allow(beside: "enum", and: ["type"])
    return try node(values, types: types, of: place)
  }

  private static func node(
    _ values: [JSONValue], types: [String], of place: SchemaPlaceReader
  ) throws(SchemaReadError) -> SchemaNode {
    let path = place.path(to: "enum")
    guard !values.isEmpty else {
      throw SchemaReadError(at: path, .invalidValue("an empty list"), allowed: ["one value"])
    }
    let title = try place.string("title")
    var strings: [String] = []
    // There may be twenty thousand: looking each up among the others would take seconds.
    var seen: Set<String> = []
    var nodes: [SchemaNode] = []
    var seenNodes: Set<SchemaNode> = []
    for (position, value) in values.enumerated() {
      func valuePath() -> String { SchemaPointer.child(of: path, String(position)) }
      try check(value, isOneOf: types, at: valuePath())
      if case .string(let string) = value {
        if seen.insert(string).inserted { strings.append(string) }
      } else {
        let node = try constant(value, at: valuePath())
        if seenNodes.insert(node).inserted { nodes.append(node) }
      }
    }
    if nodes.isEmpty { return .string(StringSchema(name: title, choices: strings)) }
    if !strings.isEmpty { nodes.insert(.string(StringSchema(choices: strings)), at: 0) }
    return .union(UnionSchema(name: title, choices: nodes))
  }

  private static func check(
    _ value: JSONValue, isOneOf types: [String], at path: @autoclosure () -> String
  ) throws(SchemaReadError) {
    guard !types.isEmpty else { return }
    let fits =
      types.contains(value.typeName)
      || (value.int != nil && types.contains("integer"))
    if !fits { throw SchemaReadError(at: path(), .invalidValue(text(value)), allowed: types) }
  }

  private static func constant(
    _ value: JSONValue, at path: String
  ) throws(SchemaReadError) -> SchemaNode {
    switch value {
    case .null: return .null(description: nil)
    case .number(let number):
      if let int = number.int { return .integer(IntegerSchema(minimum: int, maximum: int)) }
      return .number(NumberSchema(minimum: number, maximum: number))
    default:
      throw SchemaReadError(
        at: path, .invalidValue("a constant of type \(value.typeName)"),
        allowed: ["string", "integer", "number", "null"])
    }
  }

  private static func text(_ value: JSONValue) -> String {
    JSONTextWriter.text(of: value, style: .compact)
  }
}
