/// The traits that distinguish one choice of a `oneOf` from another: its type, and the strings that
/// its required properties allow.
///
/// These traits usually show quickly that two choices exclude each other. If they don't, the reader
/// intersects the schemas.
struct ChoiceShape {
  private var type: String?
  private var constants: [String: Set<String>] = [:]

  init(of node: SchemaNode, definitions: [String: SchemaNode]) {
    switch node {
    case .object(let schema):
      type = "object"
      for property in schema.properties where !property.isOptional {
        var value = property.node
        if case .reference(let name, _) = value, let target = definitions[name] { value = target }
        if case .string(let string) = value, let choices = string.choices {
          constants[property.name] = Set(choices)
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

  func excludes(_ other: ChoiceShape) -> Bool {
    guard let type, let otherType = other.type else { return false }
    if type != otherType { return true }
    return constants.contains { name, values in
      other.constants[name].map { $0.isDisjoint(with: values) } ?? false
    }
  }
}
