import StructuredText

/// What tells one choice of a `oneOf` from another: its type, or a required constant property.
struct ChoiceShape {
  private var type: String?
  private var constants: [String: String] = [:]

  init(of node: SchemaNode, documents: [String: JSONValue]) {
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
    case .boolean: type = "boolean"
    case .null: type = "null"
    case .union, .any: type = nil
    case .reference(let name, _): readDocument(documents[name])
    }
  }

  /// The definition may not have been read yet: only what is needed is taken from its document.
  private mutating func readDocument(_ document: JSONValue?) {
    type = document?["type"]?.string
    if type == "integer" { type = "number" }
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

  func excludes(_ other: ChoiceShape) -> Bool {
    guard let type, let otherType = other.type else { return false }
    if type != otherType { return true }
    return constants.contains { name, value in
      other.constants[name].map { $0 != value } ?? false
    }
  }
}
