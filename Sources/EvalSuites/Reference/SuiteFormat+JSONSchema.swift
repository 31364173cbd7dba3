import StructuredText

extension SuiteFormat {
  /// The JSON Schema (draft 2020-12) for suite files, which editors use for completion and checks.
  ///
  /// The schema is generated from the same tables that the loader uses. Only the loader can check
  /// what depends on the generated type, such as whether a path exists.
  package static var jsonSchema: JSONValue {
    jsonSchema(of: .suite, title: "Assay eval suite, format \(version)")
  }

  /// Returns the JSON Schema for files with the given table at the root.
  static func jsonSchema(of root: TableName, title: String) -> JSONValue {
    var definitions = JSONObject()
    var pending: [TableName] = [root]
    var known: Set<TableName> = [root]
    while !pending.isEmpty {
      let name = pending.removeFirst()
      var found: [TableName] = []
      definitions[name.text] = schema(of: name.table, &found)
      for table in found where known.insert(table).inserted { pending.append(table) }
    }
    return [
      "$schema": "https://json-schema.org/draft/2020-12/schema",
      "title": .string(title),
      "$ref": .string(reference(to: root)),
      "$defs": .object(definitions),
    ]
  }

  /// The JSON Schema as text that ends with a line break.
  package static var jsonSchemaText: String { jsonSchema.prettyText + "\n" }

  private static func reference(to table: TableName) -> String { "#/$defs/\(table.text)" }

  private static func schema(of table: KeyTable, _ found: inout [TableName]) -> JSONValue {
    var properties = JSONObject()
    for row in table.rows {
      var property = schema(of: row.kind, &found).object ?? JSONObject()
      property["description"] = .string(row.words)
      properties[row.name] = .object(property)
    }
    var schema = JSONObject()
    schema["type"] = "object"
    schema["description"] = .string(table.title)
    schema["properties"] = .object(properties)
    let required = table.rows.filter(\.isRequired).map { JSONValue.string($0.name) }
    if !required.isEmpty { schema["required"] = .array(required) }
    schema["additionalProperties"] =
      table.others.map { self.schema(of: $0, &found) } ?? .bool(false)
    let rules = table.rules.compactMap(\.jsonSchema)
    if !rules.isEmpty { schema["allOf"] = .array(rules) }
    return .object(schema)
  }

  private static func schema(of kind: KeyKind, _ found: inout [TableName]) -> JSONValue {
    switch kind {
    case .text, .pattern, .formula: return ["type": "string"]
    case .name(let alphabet):
      return ["type": "string", "pattern": .string(alphabet.pattern)]
    case .reducer:
      return [
        "type": "string", "pattern": "^(all|mean|at least [1-9][0-9]*|pass[@^][1-9][0-9]*)$",
      ]
    case .path: return ["type": "string", "pattern": "^[$@.\\[]"]
    case .integer(let minimum, let maximum):
      var schema: JSONObject = ["type": "integer", "minimum": .number(JSONNumber(minimum))]
      if maximum < 1 << 30 { schema["maximum"] = .number(JSONNumber(maximum)) }
      return .object(schema)
    case .number(let minimum, let maximum):
      var schema: JSONObject = ["type": "number"]
      if minimum > -.greatestFiniteMagnitude {
        schema["minimum"] = .number(JSONNumber(minimum))
      }
      if maximum < 1e12 { schema["maximum"] = .number(JSONNumber(maximum)) }
      return .object(schema)
    case .flag: return ["type": "boolean"]
    case .choice(let words): return ["enum": .array(words.map { .string($0) })]
    case .value: return [:]
    case .list(let element, let minimum):
      var schema: JSONObject = ["type": "array", "items": self.schema(of: element, &found)]
      if minimum > 0 { schema["minItems"] = .number(JSONNumber(minimum)) }
      return .object(schema)
    case .table(let name):
      found.append(name)
      return ["$ref": .string(reference(to: name))]
    case .either(let list, let mapping):
      return ["anyOf": [schema(of: list, &found), schema(of: mapping, &found)]]
    case .dictionary(let value):
      return ["type": "object", "additionalProperties": schema(of: value, &found)]
    }
  }
}

extension KeyRow {
  /// A description of the key's meaning and default.
  fileprivate var words: String {
    fallback.isEmpty ? "\(summary)." : "\(summary). Default: \(fallback)."
  }
}

extension KeyRule {
  /// The rule in JSON Schema, or `nil` if JSON Schema can't express it.
  fileprivate var jsonSchema: JSONValue? {
    func required(_ keys: [String]) -> JSONValue {
      ["required": .array(keys.map { .string($0) })]
    }
    return switch self {
    case .exactlyOne(let keys): ["oneOf": .array(keys.map { required([$0]) })]
    case .atLeastOne(let keys): ["anyOf": .array(keys.map { required([$0]) })]
    case .atMostOne(let keys) where keys.count == 2: ["not": required(keys)]
    case .only(let keys, let other):
      [
        "dependentRequired": .object(
          JSONObject(keys.map { (key: $0, value: .array([.string(other)])) }))
      ]
    case .atMostOne, .ordered: nil
    }
  }
}
