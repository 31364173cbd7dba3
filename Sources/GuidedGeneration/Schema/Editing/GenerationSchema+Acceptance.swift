extension GenerationSchema {
  /// Returns the schema with the dialect of another schema, and with objects that accept the
  /// undeclared properties that the object at the same place of the other schema accepts.
  ///
  /// `json` doesn't say what an object accepts but never generates. So a schema that was read from
  /// an edited `json` of the other schema judges answers by the same rules only after this call.
  /// Objects without a counterpart stay as they are.
  package func accepting(as other: GenerationSchema) -> GenerationSchema {
    let others = Dictionary(
      other.definitions.map { ($0.name, $0.node) }, uniquingKeysWith: { first, _ in first })
    var result = GenerationSchema(
      root: root.accepting(as: other.root),
      definitions: definitions.map { definition in
        let node = definition.node
        return (
          name: definition.name,
          node: others[definition.name].map { node.accepting(as: $0) } ?? node
        )
      })
    result.dialect = other.dialect
    return result
  }
}

extension SchemaNode {
  fileprivate func accepting(as other: SchemaNode) -> SchemaNode {
    switch (self, other) {
    case (.object(var object), .object(let other)):
      object.accepted = other.accepted
      for index in object.properties.indices {
        let property = object.properties[index]
        guard let same = other.properties.first(where: { $0.name == property.name }) else {
          continue
        }
        object.properties[index].node = property.node.accepting(as: same.node)
      }
      if var extra = object.extra, let others = other.extra {
        for index in extra.rules.indices {
          let rule = extra.rules[index]
          guard let same = others.rules.first(where: { $0.pattern == rule.pattern }) else {
            continue
          }
          extra.rules[index].node = rule.node.accepting(as: same.node)
        }
        if let node = extra.others, let same = others.others {
          extra.others = node.accepting(as: same)
        }
        object.extra = extra
      }
      return .object(object)
    case (.array(var array), .array(let other)):
      for (index, same) in zip(array.prefix.indices, other.prefix) {
        array.prefix[index] = array.prefix[index].accepting(as: same)
      }
      array.element = array.element.accepting(as: other.element)
      return .array(array)
    case (.union(var union), .union(let other)) where union.choices.count == other.choices.count:
      union.choices = zip(union.choices, other.choices).map { $0.accepting(as: $1) }
      return .union(union)
    default: return self
    }
  }
}
