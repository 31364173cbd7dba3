import StructuredText

extension SchemaAlgebra {
  /// Returns a short value that a schema allows, as text for an error, or `nil` if no such value is
  /// easy to find.
  mutating func sample(of node: SchemaNode) -> String? {
    guard let value = sample(node, depth: 0) else { return nil }
    var schema = GenerationSchema(
      root: node, definitions: definitions.map { (name: $0.key, node: $0.value) })
    schema.dialect = .jsonSchema
    if schema.mismatch(of: value) != nil { return nil }
    return JSONTextWriter.text(of: value, style: .compact)
  }

  private mutating func sample(_ node: SchemaNode, depth: Int) -> JSONValue? {
    if depth > 6 { return nil }
    switch node {
    case .any, .null: return .null
    case .boolean: return true
    case .constant(let value, _): return .bool(value)
    case .integer(let schema):
      guard let multiple = schema.multiple else {
        return .number(schema.lowerBound ?? schema.upperBound ?? JSONNumber(0))
      }
      guard let least = schema.minimum else {
        return .number(JSONNumber((schema.maximum ?? 0) / multiple * multiple))
      }
      let rest = least % multiple
      return .number(JSONNumber(rest > 0 ? (least - rest) &+ multiple : least - rest))
    case .number(let schema):
      if schema.excludesMinimum || schema.excludesMaximum || schema.multiple != nil { return nil }
      return .number(schema.minimum ?? schema.maximum ?? JSONNumber(0))
    case .string(let schema):
      if let choice = schema.choices?.first { return .string(choice) }
      let text = String(repeating: "a", count: min(schema.minimumLength ?? 0, 1000))
      return matcher.matches(text, schema) == true ? .string(text) : nil
    case .array(let schema):
      let count = schema.minimumCount ?? 0
      guard count <= 10, count < 2 || !schema.hasUniqueElements else { return nil }
      var elements: [JSONValue] = []
      for index in 0..<count {
        let element = index < schema.prefix.count ? schema.prefix[index] : schema.element
        guard let value = sample(element, depth: depth + 1) else { return nil }
        elements.append(value)
      }
      return .array(elements)
    case .object(let schema):
      var members: [JSONObject.Member] = []
      for property in schema.properties where !property.isOptional {
        guard let value = sample(property.node, depth: depth + 1) else { return nil }
        members.append((property.name, value))
      }
      return .object(JSONObject(members))
    case .union(let union):
      for choice in union.choices {
        if let value = sample(choice, depth: depth + 1) { return value }
      }
      return nil
    case .reference:
      guard let target = try? resolved(node) else { return nil }
      return sample(target, depth: depth + 1)
    }
  }
}
