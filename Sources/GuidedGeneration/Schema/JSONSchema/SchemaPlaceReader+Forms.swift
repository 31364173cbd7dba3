import StructuredText

extension SchemaPlaceReader {
  /// Checks the form of a keyword's value, even if the keyword has no effect on the schema's type.
  ///
  /// The values of keywords that the reader always ignores, such as `default`, can have any form.
  /// If the value consists of schemas that nothing refers to, those schemas aren't checked.
  func checkForm(of keyword: String, _ value: JSONValue) throws(SchemaReadError) {
    // Most values have the right form, so the path is made only for an error.
    var path: String { self.path(to: keyword) }
    switch keyword {
    case "title", "description", "format", "pattern", "$schema", "$ref", "$anchor", "$id", "id":
      try require(value.string != nil, value, at: path, ["string"])
    case "nullable", "uniqueItems", "x-format-assertion":
      try require(value.bool != nil, value, at: path, ["boolean"])
    case "required":
      // In draft 3, and often by mistake, the flag is in the property's own schema.
      try require(
        value.bool == nil, value, at: path,
        ["a list of names, in the schema of the object that has the properties"])
      _ = try names(keyword)
    case "x-order": _ = try names(keyword)
    case "enum", "prefixItems":
      try require(value.array != nil, value, at: path, ["array"])
      if keyword == "prefixItems" { try checkSchemas(value, at: path) }
    case "anyOf", "oneOf", "allOf":
      _ = try schemas(keyword)
      try checkSchemas(value, at: path)
    case "items": try checkSchemas(value, at: path)
    case "additionalProperties", "propertyNames", "unevaluatedProperties", "additionalItems",
      "unevaluatedItems", "not", "if", "then", "else":
      try checkSchema(value, at: path)
    case "$defs", "definitions": try require(value.object != nil, value, at: path, ["object"])
    case "properties", "patternProperties", "dependentSchemas":
      for member in try object(keyword) ?? [:] {
        try checkSchema(member.value, at: SchemaPointer.child(of: path, member.key))
      }
    case "dependencies", "dependentRequired":
      for member in try object(keyword) ?? [:] {
        var path: String { SchemaPointer.child(of: self.path(to: keyword), member.key) }
        if keyword == "dependencies", member.value.array == nil {
          try checkSchema(member.value, at: path)
        } else {
          _ = try names(member.value, at: path)
        }
      }
    case "minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties":
      _ = try wholeCount(keyword)
    case "minimum", "maximum": try require(value.number != nil, value, at: path, ["number"])
    case "exclusiveMinimum", "exclusiveMaximum":
      let isFlag = value.bool != nil
      try require(isFlag || value.number != nil, value, at: path, ["number", "boolean"])
    case "multipleOf":
      try require(value.number != nil, value, at: path, ["number"])
      if let number = value.number, !(JSONNumber(0) < number) {
        throw SchemaReadError(at: path, .invalidValue(number.text), allowed: ["a number above 0"])
      }
    default: break
    }
  }

  private func require(
    _ isFit: Bool, _ value: JSONValue, at path: @autoclosure () -> String, _ allowed: [String]
  ) throws(SchemaReadError) {
    if !isFit {
      throw SchemaReadError(at: path(), .wrongType(found: value.typeName), allowed: allowed)
    }
  }

  private func checkSchema(
    _ value: JSONValue, at path: @autoclosure () -> String
  ) throws(SchemaReadError) {
    try require(value.object != nil || value.bool != nil, value, at: path(), ["object", "boolean"])
  }

  /// Checks a schema, or each schema of a list.
  private func checkSchemas(
    _ value: JSONValue, at path: @autoclosure () -> String
  ) throws(SchemaReadError) {
    guard let values = value.array else { return try checkSchema(value, at: path()) }
    for (index, value) in values.enumerated() {
      try checkSchema(value, at: SchemaPointer.child(of: path(), String(index)))
    }
  }
}
