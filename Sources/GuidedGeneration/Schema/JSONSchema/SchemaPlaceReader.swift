import StructuredText

/// Reads one schema object of a document, checking its keywords one at a time.
struct SchemaPlaceReader {
  static let typeNames = ["object", "array", "string", "integer", "number", "boolean", "null"]

  let members: JSONObject
  let path: String
  let options: SchemaReadOptions

  func path(to keyword: String) -> String { SchemaPointer.child(of: path, keyword) }

  // MARK: Keywords

  func checkKeywords() throws(SchemaReadError) {
    for member in members.members {
      let keyword = member.key
      guard let row = KeywordTable.row(of: keyword) else {
        if keyword.hasPrefix("x-") || !options.refusesUnknownKeywords { continue }
        throw SchemaReadError(
          at: path(to: keyword), .unknownKeyword(keyword),
          allowed: KeywordSpelling.meant(by: keyword).map { [$0] } ?? [])
      }
      if row.treatment == .refused, !isHarmless(member.key, member.value) {
        throw SchemaReadError(
          at: path(to: keyword), .refusedKeyword(keyword, reason: row.note))
      }
      try checkForm(of: keyword, member.value)
    }
    if let value = members["unevaluatedItems"], value != .bool(true) {
      let isAlone = ["$ref", "allOf", "anyOf", "oneOf", "if"].allSatisfy { members[$0] == nil }
      if !isAlone {
        throw SchemaReadError(
          at: path(to: "unevaluatedItems"),
          .refusedKeyword("unevaluatedItems", reason: "other schemas apply at the same place"),
          allowed: ["items"])
      }
    }
  }

  /// Returns whether a refused keyword has no effect at this place.
  private func isHarmless(_ keyword: String, _ value: JSONValue) -> Bool {
    switch keyword {
    case "contains", "minContains", "maxContains":
      members["contains"] == nil
        || members["contains"] == .bool(true) && members["minContains"] == 0
        || !(members["type"].map { $0 == .string("array") || $0.array != nil } ?? true)
    default: false
    }
  }

  /// Whether a keyword that applies only to certain types is present.
  var constrainsSomeType: Bool {
    members.keys.contains { keyword in
      if keyword == "format" { return options.enforcesFormats }
      guard let row = KeywordTable.row(of: keyword), row.treatment == .enforced else {
        return false
      }
      return !row.types.isEmpty && keyword != "x-order"
    }
  }

  /// Whether the schema has no keyword that applies only to values of certain types.
  var hasOnlyType: Bool { !constrainsSomeType }

  // MARK: Types

  /// Reads the types that `type` names, or returns an empty array if the keyword is absent.
  func declaredTypes() throws(SchemaReadError) -> [String] {
    guard let value = members["type"] else { return [] }
    let names: [JSONValue] =
      if case .array(let elements) = value { elements } else { [value] }
    var types: [String] = []
    for name in names {
      guard let type = name.string, Self.typeNames.contains(type), !types.contains(type) else {
        throw SchemaReadError(
          at: path(to: "type"), .invalidValue(JSONTextWriter.text(of: value, style: .compact)),
          allowed: Self.typeNames)
      }
      types.append(type)
    }
    guard !types.isEmpty else {
      throw SchemaReadError(
        at: path(to: "type"), .invalidValue("an empty list"), allowed: Self.typeNames)
    }
    return types
  }

  // MARK: Values

  func string(_ keyword: String) throws(SchemaReadError) -> String? {
    guard let value = members[keyword] else { return nil }
    guard let string = value.string else { throw wrongType(value, keyword, "string") }
    return string
  }

  func array(_ keyword: String) throws(SchemaReadError) -> [JSONValue]? {
    guard let value = members[keyword] else { return nil }
    guard let array = value.array else { throw wrongType(value, keyword, "array") }
    return array
  }

  /// Reads the schemas of a keyword whose value is a non-empty list, or returns an empty array if
  /// the keyword is absent.
  func schemas(_ keyword: String) throws(SchemaReadError) -> [JSONValue] {
    guard let values = try array(keyword) else { return [] }
    guard !values.isEmpty else {
      throw SchemaReadError(
        at: path(to: keyword), .invalidValue("an empty list"), allowed: ["at least one schema"])
    }
    return values
  }

  func object(_ keyword: String) throws(SchemaReadError) -> JSONObject? {
    guard let value = members[keyword] else { return nil }
    guard let object = value.object else { throw wrongType(value, keyword, "object") }
    return object
  }

  private func wrongType(
    _ value: JSONValue, _ keyword: String, _ allowed: String
  ) -> SchemaReadError {
    SchemaReadError(
      at: path(to: keyword), .wrongType(found: value.typeName), allowed: [allowed])
  }

  // MARK: Names

  /// Reads a list of names, and drops duplicates.
  func names(_ keyword: String) throws(SchemaReadError) -> [String] {
    guard let value = members[keyword] else { return [] }
    return try names(value, at: path(to: keyword))
  }

  /// Reads the list of names at a path, and drops duplicates.
  func names(
    _ list: JSONValue, at path: @autoclosure () -> String
  ) throws(SchemaReadError) -> [String] {
    guard let values = list.array else {
      throw SchemaReadError(at: path(), .wrongType(found: list.typeName), allowed: ["array"])
    }
    var names: [String] = []
    var seen: Set<String> = []
    for (position, value) in values.enumerated() {
      guard let name = value.string else {
        throw SchemaReadError(
          at: SchemaPointer.child(of: path(), String(position)),
          .wrongType(found: value.typeName), allowed: ["string"])
      }
      if seen.insert(name).inserted { names.append(name) }
    }
    return names
  }

  /// Returns the property names in the order in which they are generated.
  func order(of properties: JSONObject) throws(SchemaReadError) -> [String] {
    let order = try names("x-order")
    for (position, name) in order.enumerated() where properties[name] == nil {
      let valuePath = SchemaPointer.child(of: path(to: "x-order"), String(position))
      throw SchemaReadError(at: valuePath, .unknownProperty(name), allowed: properties.keys)
    }
    let named = Set(order)
    return order + properties.keys.filter { !named.contains($0) }
  }
}
