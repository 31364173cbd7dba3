import StructuredText

/// Takes the keywords that an interface doesn't enforce out of one schema object, and states them
/// in the description.
struct KeywordLimits {
  let profile: SchemaProfile
  /// The keywords that were taken out, as the suite's author knows them.
  private(set) var keywords: [String] = []
  private var words: [String] = []

  init(profile: SchemaProfile) { self.profile = profile }

  /// The usual order of the keywords in descriptions; any others follow.
  private static let order = [
    "minItems", "maxItems", "uniqueItems", "prefixItems", "minimum", "exclusiveMinimum", "maximum",
    "exclusiveMaximum", "multipleOf", "minLength", "maxLength", "pattern", "allOf", "not",
    "patternProperties", "propertyNames", "minProperties", "maxProperties",
  ]

  /// Writes keywords in the form that the interface understands, or in a weaker form.
  mutating func adapt(_ members: inout JSONObject) {
    // A number with equal bounds is a constant.
    if let value = members["minimum"], value == members["maximum"], !profile.enforces("minimum") {
      members["minimum"] = nil
      members["maximum"] = nil
      members["const"] = value
    }
    if members["type"] == nil, let value = members["const"] {
      members["type"] = .string(value.typeName)
    }
    if profile == .gemini, let value = members["const"] {
      members["const"] = nil
      if case .bool = value {
        take("const", value)
      } else {
        members["enum"] = [value]
      }
    }
    for (exclusive, plain) in [("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum")]
    where !profile.enforces(exclusive) && profile.enforces(plain) {
      if let bound = members[exclusive] { members[plain] = bound }
    }
    adaptArray(&members)
    adaptObject(&members)
  }

  private mutating func adaptArray(_ members: inout JSONObject) {
    if profile == .anthropic, let count = members["minItems"]?.int, count > 1 {
      take("minItems", members["minItems"])
      members["minItems"] = 1
    }
    guard let prefix = members["prefixItems"]?.array else { return }
    let rest = members["items"] ?? [:]
    if profile.enforces("prefixItems") {
      // `maxItems` already says that no further elements are allowed.
      if profile != .jsonSchema, rest == false { members["items"] = nil }
      return
    }
    members["items"] = Self.anyOf(prefix + (rest == false ? [] : [rest]))
  }

  private mutating func adaptObject(_ members: inout JSONObject) {
    guard profile != .jsonSchema, let properties = members["properties"]?.object else { return }
    let others = members["additionalProperties"] ?? false
    let rules = members["patternProperties"]?.object ?? [:]
    let excluded = properties.members.filter { $0.value == false }.map(\.key)
    if !excluded.isEmpty {
      members["properties"] = .object(
        JSONObject(properties.members.filter { $0.value != false }))
      if profile.allowsOtherKeys {
        take("properties", .object(JSONObject(excluded.map { ($0, false) })))
      }
    }
    if !profile.allowsOtherKeys {
      // Without such keys, rules for them would only mislead the model.
      members["patternProperties"] = nil
      members["propertyNames"] = nil
    }
    guard !rules.isEmpty else { return }
    members["additionalProperties"] = Self.anyOf(
      rules.members.map(\.value) + (others == false ? [] : [others]))
  }

  /// Returns the schema of the values that at least one of several schemas allows.
  private static func anyOf(_ choices: [JSONValue]) -> JSONValue {
    var seen: Set<JSONValue> = []
    let different = choices.filter { seen.insert($0).inserted }
    if different.contains([:]) { return [:] }
    return different.count == 1 ? different[0] : ["anyOf": .array(different)]
  }

  /// Takes out the keywords that the interface doesn't enforce, and adds them to the description.
  mutating func describe(_ members: inout JSONObject) {
    let others = members.keys.filter { !Self.order.contains($0) }.sorted()
    for keyword in Self.order + others where !profile.enforces(keyword) {
      guard let value = members[keyword] else { continue }
      members[keyword] = nil
      guard keyword == "allOf" else {
        take(keyword, value)
        continue
      }
      // A string with several patterns is the only schema with this keyword.
      for part in value.array ?? [] { take("pattern", part["pattern"] ?? part) }
    }
    guard !words.isEmpty else { return }
    let text = "{\(words.joined(separator: ", "))}"
    let known = members["description"]?.string
    members["description"] = .string(known.map { "\($0) \(text)" } ?? text)
  }

  private mutating func take(_ keyword: String, _ value: JSONValue?) {
    guard let value else { return }
    words.append("\(keyword): \(value.string ?? Self.withoutOrder(value).compactText)")
    if !keywords.contains(keyword) { keywords.append(keyword) }
  }

  private static func withoutOrder(_ value: JSONValue) -> JSONValue {
    switch value {
    case .array(let elements): .array(elements.map(withoutOrder))
    case .object(let members):
      .object(
        JSONObject(
          members.members.filter { $0.key != "x-order" || $0.value.array == nil }
            .map { (key: $0.key, value: withoutOrder($0.value)) }))
    default: value
    }
  }
}
