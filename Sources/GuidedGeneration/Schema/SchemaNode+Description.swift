extension SchemaNode {
  /// The description of the node for the model.
  package var description: String? {
    get {
      switch self {
      case .object(let schema): schema.description
      case .array(let schema): schema.description
      case .string(let schema): schema.description
      case .integer(let schema): schema.description
      case .number(let schema): schema.description
      case .union(let schema): schema.description
      case .boolean(let text), .constant(_, let text), .null(let text), .reference(_, let text),
        .any(let text):
        text
      }
    }
    set {
      switch self {
      case .object(var schema):
        schema.description = newValue
        self = .object(schema)
      case .array(var schema):
        schema.description = newValue
        self = .array(schema)
      case .string(var schema):
        schema.description = newValue
        self = .string(schema)
      case .integer(var schema):
        schema.description = newValue
        self = .integer(schema)
      case .number(var schema):
        schema.description = newValue
        self = .number(schema)
      case .union(var schema):
        schema.description = newValue
        self = .union(schema)
      case .boolean: self = .boolean(description: newValue)
      case .constant(let value, _): self = .constant(value, description: newValue)
      case .null: self = .null(description: newValue)
      case .reference(let name, _): self = .reference(name, description: newValue)
      case .any: self = .any(description: newValue)
      }
    }
  }

  /// The name of the node's type, or `nil` if it has none.
  package var name: String? {
    switch self {
    case .object(let schema): schema.name
    case .string(let schema): schema.name
    case .union(let schema): schema.name
    case .reference(let name, _): name
    default: nil
    }
  }

  /// Returns the node with a new description.
  func described(_ text: String?) -> SchemaNode {
    var node = self
    node.description = text
    return node
  }

  /// The direct children of this node in order, without following references.
  package var children: [SchemaNode] {
    switch self {
    case .object(let schema):
      schema.properties.map(\.node) + (schema.extra.map(\.children) ?? [])
    case .array(let schema): schema.prefix + [schema.element]
    case .union(let schema): schema.choices
    default: []
    }
  }
}

extension SchemaNode {
  /// For each object in the node, in a fixed order, whether it accepts properties that are never
  /// generated.
  var openness: [Bool] {
    var flags: [Bool] = []
    if case .object(let object) = self { flags.append(object.isOpen) }
    for child in children { flags += child.openness }
    return flags
  }

  /// Returns whether two nodes have the same structure, so that they accept the same values.
  ///
  /// Equality alone is not enough, because it ignores `ObjectSchema.isOpen`.
  func isSame(as other: SchemaNode) -> Bool { self == other && openness == other.openness }
}

extension PropertySchema {
  /// The description of the property for the model: its guide, or else the description of its type.
  package var effectiveDescription: String? { description ?? node.description }
}

extension ExtraProperties {
  /// The schemas of the values: one for each rule, and `others` if it isn't `nil`.
  package var children: [SchemaNode] { rules.map(\.node) + (others.map { [$0] } ?? []) }

  /// Returns the extra properties with the schemas of their values transformed.
  func mapped(_ change: (SchemaNode) -> SchemaNode) -> ExtraProperties {
    var result = self
    for index in result.rules.indices { result.rules[index].node = change(rules[index].node) }
    result.others = others.map(change)
    return result
  }
}
