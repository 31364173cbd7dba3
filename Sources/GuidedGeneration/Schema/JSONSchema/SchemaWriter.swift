import StructuredText

/// Writes a schema as JSON Schema in Apple's dialect.
struct SchemaWriter {
  /// Whether to write the schema by which answers are judged.
  ///
  /// That schema has the dialect of the document from which it was read, and its objects accept all
  /// properties that the document accepts.
  var isJudging = false
  /// Whether to write `x-order`, which marks Apple's dialect.
  private var writesOrder = true

  init() {}

  /// Returns the schema by which answers are judged.
  static func judgedJSON(of schema: GenerationSchema) -> JSONValue {
    var writer = SchemaWriter()
    writer.isJudging = true
    if schema.dialect == .apple { return writer.json(of: schema) }
    writer.writesOrder = false
    guard var members = writer.json(of: schema).object else { return .bool(true) }
    members["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    return Self.sorted(members)
  }

  func json(of schema: GenerationSchema) -> JSONValue {
    var members = self.members(of: schema.root)
    if !schema.definitions.isEmpty {
      members["$defs"] = .object(
        JSONObject(schema.definitions.map { (key: $0.name, value: json(of: $0.node)) }))
    }
    return Self.sorted(members)
  }

  private func json(of node: SchemaNode) -> JSONValue { Self.sorted(members(of: node)) }

  /// Sorts keywords alphabetically, which puts `$defs` first.
  private static func sorted(_ members: JSONObject) -> JSONValue {
    .object(JSONObject(members.members.sorted { $0.key < $1.key }))
  }

  private func members(of node: SchemaNode) -> JSONObject {
    var members: JSONObject
    switch node {
    case .object(let schema): members = self.members(of: schema)
    case .array(let schema):
      members = ["type": "array", "items": json(of: schema.element)]
      if !schema.prefix.isEmpty {
        members["prefixItems"] = .array(schema.prefix.map(json(of:)))
        if schema.maximumCount.map({ $0 <= schema.prefix.count }) == true {
          members["items"] = false
        }
      }
      members["minItems"] = schema.minimumCount.map { .number(JSONNumber($0)) }
      members["maxItems"] = schema.maximumCount.map { .number(JSONNumber($0)) }
      if schema.hasUniqueElements { members["uniqueItems"] = true }
    case .string(let schema): members = self.members(of: schema)
    case .integer(let schema):
      members = ["type": "integer"]
      members["minimum"] = schema.lowerBound.map { .number($0) }
      members["maximum"] = schema.upperBound.map { .number($0) }
      members["multipleOf"] = schema.multiple.map { .number(JSONNumber($0)) }
    case .number(let schema):
      members = ["type": "number"]
      members[schema.excludesMinimum ? "exclusiveMinimum" : "minimum"] =
        schema.minimum.map { .number($0) }
      members[schema.excludesMaximum ? "exclusiveMaximum" : "maximum"] =
        schema.maximum.map { .number($0) }
      members["multipleOf"] = schema.multiple.map { .number($0) }
    case .boolean: members = ["type": "boolean"]
    case .constant(let value, _): members = ["const": .bool(value)]
    case .null: members = ["type": "null"]
    case .union(let schema):
      members = ["anyOf": .array(schema.choices.map(json(of:)))]
      members["title"] = schema.name.map { .string($0) }
    case .reference(let name, _): members = ["$ref": .string(SchemaPointer.reference(to: name))]
    case .any: members = [:]
    }
    members["description"] = node.description.map { .string($0) }
    return members
  }

  private func members(of schema: StringSchema) -> JSONObject {
    var members: JSONObject = [:]
    if schema.isConstant, let choices = schema.choices, choices.count == 1 {
      members["const"] = .string(choices[0])
    } else {
      members["type"] = "string"
      members["enum"] = schema.choices.map { .array($0.map { .string($0) }) }
    }
    members["title"] = schema.name.map { .string($0) }
    members["pattern"] = schema.pattern.map { .string($0) }
    if !schema.otherPatterns.isEmpty {
      members["allOf"] = .array(schema.otherPatterns.map { ["pattern": .string($0)] })
    }
    let excluded =
      schema.excludedPatterns.map { JSONValue.object(["pattern": .string($0)]) }
      + (schema.excludedChoices.isEmpty
        ? [] : [["enum": .array(schema.excludedChoices.map { .string($0) })]])
    if excluded.count == 1 { members["not"] = excluded[0] }
    if excluded.count > 1 { members["not"] = ["anyOf": .array(excluded)] }
    members["minLength"] = schema.minimumLength.map { .number(JSONNumber($0)) }
    members["maxLength"] = schema.maximumLength.map { .number(JSONNumber($0)) }
    return members
  }

  /// Returns the keywords that describe an object schema.
  ///
  /// An optional property that is generated as an explicit null is written as required and
  /// nullable.
  private func members(of schema: ObjectSchema) -> JSONObject {
    let order = schema.properties.map { JSONValue.string($0.name) }
    var members: JSONObject = [
      "type": "object", "additionalProperties": false,
    ]
    if writesOrder { members["x-order"] = .array(order) }
    members["title"] = schema.name.map { .string($0) }
    members["required"] = .array(
      schema.properties.filter { !$0.isOptional || schema.representsNilExplicitly }
        .map { .string($0.name) })
    members["properties"] = .object(
      JSONObject(
        schema.properties.map { property in
          let isNullable = property.isOptional && schema.representsNilExplicitly
          let node =
            isNullable
            ? SchemaNode.union(
              UnionSchema(choices: [property.node.described(nil), .null(description: nil)]))
            : property.node
          return (
            key: property.name, value: json(of: node.described(property.effectiveDescription))
          )
        }))
    let accepted = isJudging ? schema.accepted : nil
    if let extra = accepted?.extra ?? schema.extra {
      add(extra, to: &members, properties: schema.properties)
    }
    if let count = accepted.map(\.count) ?? schema.count {
      if count.minimum > 0 { members["minProperties"] = .number(JSONNumber(count.minimum)) }
      members["maxProperties"] = count.maximum.map { .number(JSONNumber($0)) }
    }
    return members
  }

  /// Adds the keywords for the extra properties.
  ///
  /// Every pattern is anchored at both ends, so it means the same in Apple's dialect and in
  /// standard JSON Schema. A name that can't be a key is written as a property whose schema allows
  /// no value.
  private func add(
    _ extra: ExtraProperties, to members: inout JSONObject, properties: [PropertySchema]
  ) {
    if !extra.rules.isEmpty {
      members["patternProperties"] = .object(
        JSONObject(extra.rules.map { (key: $0.pattern, value: json(of: $0.node)) }))
    }
    if let others = extra.others { members["additionalProperties"] = json(of: others) }
    members["propertyNames"] = extra.names.map { Self.sorted(self.members(of: $0)) }
    if !extra.excludedNames.isEmpty, var declared = members["properties"]?.object {
      for name in extra.excludedNames { declared[name] = false }
      members["properties"] = .object(declared)
    }
  }
}
