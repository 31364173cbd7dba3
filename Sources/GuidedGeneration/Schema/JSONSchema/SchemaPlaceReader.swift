import StructuredText

/// One schema object of a document: its keywords, checked and read one at a time.
struct SchemaPlaceReader {
  static let typeNames = ["object", "array", "string", "integer", "number", "boolean", "null"]

  let members: JSONObject
  let path: String
  let isRoot: Bool

  func path(to keyword: String) -> String { SchemaPointer.child(of: path, keyword) }

  /// The keywords that say something about values.
  var assertions: [String] {
    members.keys.filter {
      $0 != "$defs" && $0 != "definitions" && KeywordTable.row(of: $0)?.treatment == .enforced
    }
  }

  // MARK: Keywords

  func checkKeywords() throws(SchemaReadError) {
    for member in members.members {
      let keyword = member.key
      guard let row = KeywordTable.row(of: keyword) else {
        if keyword.hasPrefix("x-") { continue }
        throw SchemaReadError(at: path(to: keyword), .unknownKeyword(keyword))
      }
      if row.treatment == .refused, !isHarmless(member.key, member.value) {
        throw SchemaReadError(
          at: path(to: keyword), .refusedKeyword(keyword, reason: row.note))
      }
      if keyword == "$defs" || keyword == "definitions", !isRoot {
        throw SchemaReadError(
          at: path(to: keyword), .refusedKeyword(keyword, reason: "it stands below the root"),
          allowed: ["#/" + keyword])
      }
    }
  }

  /// Whether a refused keyword says nothing with this value.
  private func isHarmless(_ keyword: String, _ value: JSONValue) -> Bool {
    switch keyword {
    case "uniqueItems", "nullable": value == .bool(false)
    case "minProperties", "minContains": value == .number(JSONNumber(0))
    case "unevaluatedItems": value == .bool(false) || value == .bool(true)
    case "multipleOf": value == .number(JSONNumber(1)) && members["type"] == .string("integer")
    default: false
    }
  }

  /// Throws for an assertion beside a keyword that stands alone.
  func allow(beside keyword: String, and others: [String] = []) throws(SchemaReadError) {
    for other in assertions where other != keyword && !others.contains(other) {
      throw SchemaReadError(
        at: path(to: other), .refusedKeyword(other, reason: "it stands beside `\(keyword)`"),
        allowed: [keyword, "description"] + others)
    }
  }

  // MARK: Types

  /// The types that `type` names.
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

  /// The types of the values: what `type` says, else what the other keywords belong to.
  func types() throws(SchemaReadError) -> [String] {
    var types = try declaredTypes()
    if types.isEmpty {
      let belonging = assertions.compactMap { KeywordTable.row(of: $0)?.types }
        .filter { $0.count == 1 }.map { $0[0] }
      if let first = belonging.first, belonging.allSatisfy({ $0 == first }) { types = [first] }
    }
    for keyword in assertions {
      guard let row = KeywordTable.row(of: keyword), !row.types.isEmpty, !types.isEmpty,
        !row.types.contains(where: types.contains)
      else { continue }
      throw SchemaReadError(
        at: path(to: keyword),
        .misplacedKeyword(keyword, type: types.joined(separator: " or ")), allowed: row.types)
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

  // MARK: Objects

  func checkClosed() throws(SchemaReadError) {
    for keyword in ["additionalProperties", "unevaluatedProperties"] {
      guard let value = members[keyword] else { continue }
      let isAllowed =
        value.bool == false || (keyword == "additionalProperties" && value.bool == true)
      if !isAllowed {
        throw SchemaReadError(
          at: path(to: keyword),
          .refusedKeyword(keyword, reason: "only named properties can be generated"),
          allowed: ["false"])
      }
    }
  }

  func names(
    _ keyword: String, in properties: JSONObject
  ) throws(SchemaReadError) -> [String] {
    var names: [String] = []
    var seen: Set<String> = []
    for (position, value) in (try array(keyword) ?? []).enumerated() {
      let valuePath = SchemaPointer.child(of: path(to: keyword), String(position))
      guard let name = value.string else {
        throw SchemaReadError(
          at: valuePath, .wrongType(found: value.typeName), allowed: ["string"])
      }
      guard properties[name] != nil else {
        throw SchemaReadError(at: valuePath, .unknownProperty(name), allowed: properties.keys)
      }
      if !seen.insert(name).inserted {
        throw SchemaReadError(at: valuePath, .invalidValue("`\(name)`, which stands twice"))
      }
      names.append(name)
    }
    return names
  }

  /// The names of the properties in the order in which they are generated.
  func order(of properties: JSONObject) throws(SchemaReadError) -> [String] {
    let order = try names("x-order", in: properties)
    let named = Set(order)
    return order + properties.keys.filter { !named.contains($0) }
  }
}
