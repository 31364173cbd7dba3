import StructuredText

/// Rewrites a schema for an interface, and records the parts that the interface won't enforce.
struct ProfileWriter {
  let profile: SchemaProfile
  let definitions: JSONObject
  private var losses: [SchemaLoss] = []
  private var counts = SchemaCounts()
  private var inlined = 0

  /// The nulls that the whole schema allows.
  private let nulls: NullRemover

  init(profile: SchemaProfile, root: JSONValue) {
    self.profile = profile
    definitions = root["$defs"]?.object ?? [:]
    nulls = NullRemover(root: root)
  }

  /// All losses, with exceeded limits last.
  var allLosses: [SchemaLoss] {
    losses
      + profile.limits.compactMap { what, most in
        let count = counts.counts[what] ?? 0
        return count > most
          ? SchemaLoss(place: "#", reason: .limit(what, count: count, most: most)) : nil
      }
  }

  /// Returns the rewritten schema with its definitions.
  mutating func whole(_ schema: JSONValue) -> JSONValue {
    var members = node(schema, at: "#", level: 1).object ?? [:]
    addDefinitions(to: &members)
    return .object(members)
  }

  /// Returns the rewritten schema as the property `value` of an object.
  mutating func wrapped(_ schema: JSONValue) -> JSONValue {
    losses.append(SchemaLoss(place: "#", reason: .wrappedRoot))
    let inner = node(schema, at: "#", level: 2)
    var members: JSONObject = [
      "type": "object", "properties": ["value": inner], "required": ["value"],
      "additionalProperties": false,
    ]
    addDefinitions(to: &members)
    guard profile.needsObjectRoot, Self.refersToRoot(schema) else { return .object(members) }
    // A reference to `#` would now refer to the wrapper.
    members["properties"] = ["value": ["$ref": "#/$defs/Root"]]
    var all = members["$defs"]?.object ?? [:]
    all["Root"] = inner
    members["$defs"] = .object(all)
    return Self.redirected(.object(members))
  }

  private mutating func addDefinitions(to members: inout JSONObject) {
    members["$defs"] = nil
    guard !definitions.isEmpty else { return }
    var written: JSONObject = [:]
    for definition in definitions {
      let place = "#/$defs/\(JSONPointer.part(definition.key))"
      if !profile.allowsRecursion, isRecursive(definition.key) {
        losses.append(SchemaLoss(place: place, reason: .recursion))
      }
      written[definition.key] = titled(
        node(definition.value, at: place, level: 2), by: definition.key)
    }
    members["$defs"] = .object(written)
  }

  /// Returns a definition with its name as its title, which Apple's server demands.
  private func titled(_ schema: JSONValue, by name: String) -> JSONValue {
    guard profile.isOfApple, var members = schema.object, members["title"] == nil,
      members["properties"] != nil
    else { return schema }
    members["title"] = .string(name)
    return .object(members)
  }

  // MARK: Nodes

  private mutating func node(_ schema: JSONValue, at place: String, level: Int) -> JSONValue {
    guard var members = schema.object else { return schema }
    members["x-order"] = nil
    members["$defs"] = nil
    counts.reach(.levels, level)
    if let reference = members["$ref"]?.string {
      return self.reference(reference, members, at: place, level: level)
    }
    var limits = KeywordLimits(profile: profile)
    limits.adapt(&members)
    counts.add(.enumValues, members["enum"]?.array?.count ?? 0)
    limits.describe(&members)
    losses += limits.keywords.map { SchemaLoss(place: place, reason: .described($0)) }
    losses += profile.ignored.sorted().filter { members[$0] != nil }
      .map { SchemaLoss(place: place, reason: .ignored($0)) }
    if !profile.allowsNull, members["type"] == "null" {
      losses.append(SchemaLoss(place: place, reason: .null))
    }
    // Apple's server refuses the title of a string, which Apple's own encoding never has.
    if profile.isOfApple, members["type"] == "string", members["enum"] == nil {
      members["title"] = nil
    }
    if let pattern = members["pattern"]?.string {
      members["pattern"] = .string(SentPattern(pattern).text)
    }
    if members["anyOf"] != nil { counts.add(.unions) }
    for keyword in ["items", "not", "propertyNames"] {
      guard let inner = members[keyword] else { continue }
      members[keyword] = node(inner, at: "\(place)/\(keyword)", level: level + 1)
    }
    for keyword in ["anyOf", "allOf", "prefixItems"] {
      guard let inner = members[keyword]?.array else { continue }
      members[keyword] = .array(
        inner.enumerated().map { index, part in
          node(part, at: "\(place)/\(keyword)/\(index)", level: level + 1)
        })
    }
    if members["properties"] != nil {
      object(&members, at: place, level: level)
    } else if profile.refusesAnyValue,
      !members.keys.contains(where: ["type", "anyOf", "enum"].contains)
    {
      losses.append(SchemaLoss(place: place, reason: .anyValue))
    }
    return .object(members)
  }

  private mutating func reference(
    _ reference: String, _ members: JSONObject, at place: String, level: Int
  ) -> JSONValue {
    guard profile.wantsBareReferences, let description = members["description"] else {
      if !profile.allowsRecursion, reference == "#" {
        losses.append(SchemaLoss(place: place, reason: .recursion))
      }
      return .object(members)
    }
    let name = JSONPointer.name(inReference: reference)
    let target = reference == "#" ? nil : definitions[name]
    guard let target, target["$ref"] == nil, !isRecursive(name), inlined < Self.mostInlined else {
      return ["anyOf": [["$ref": .string(reference)]], "description": description]
    }
    inlined += 1
    var whole = node(target, at: place, level: level).object ?? [:]
    whole["description"] = description
    return .object(whole)
  }

  /// The maximum number of references that are replaced with their targets.
  ///
  /// Definitions could otherwise multiply, because each of them may refer to another one twice.
  private static let mostInlined = 200

  private mutating func object(_ members: inout JSONObject, at place: String, level: Int) {
    let properties = members["properties"]?.object ?? [:]
    let required = Set((members["required"]?.array ?? []).compactMap(\.string))
    var written: JSONObject = [:]
    var hasOptional = false
    for property in properties {
      let below = "\(place)/properties/\(JSONPointer.part(property.key))"
      counts.add(.properties)
      var value = node(property.value, at: below, level: level + 1)
      if required.contains(property.key) {
        if hasOptional, profile == .anthropic {
          losses.append(SchemaLoss(place: below, reason: .order))
        }
      } else if value != false {
        hasOptional = true
        counts.add(.optionalProperties)
        if profile.requiresEveryProperty {
          let isNullable = nulls.allowsNull(property.value)
          losses.append(
            SchemaLoss(
              place: below, reason: isNullable ? .optionalAsRequired : .optionalAsNull))
          if !isNullable { value = Self.nullable(value) }
        }
      }
      written[property.key] = value
    }
    members["properties"] = .object(written)
    otherKeys(&members, at: place, level: level)
    if profile.requiresEveryProperty {
      members["required"] = .array(written.keys.map { .string($0) })
    }
    if profile.isOfApple {
      members["x-order"] = .array(written.keys.map { .string($0) })
      if members["required"] == nil { members["required"] = [] }
    }
    if profile == .gemini {
      members["propertyOrdering"] = .array(written.keys.map { .string($0) })
    }
  }

  /// Rewrites the rules for the keys that an object doesn't name.
  private mutating func otherKeys(_ members: inout JSONObject, at place: String, level: Int) {
    if let rules = members["patternProperties"]?.object {
      var written: JSONObject = [:]
      for rule in rules {
        let below = "\(place)/patternProperties/\(JSONPointer.part(rule.key))"
        written[SentPattern(rule.key).text] = node(rule.value, at: below, level: level + 1)
      }
      members["patternProperties"] = .object(written)
    }
    let others = members["additionalProperties"] ?? false
    if profile.allowsOtherKeys {
      members["additionalProperties"] = node(
        others, at: "\(place)/additionalProperties", level: level + 1)
      return
    }
    members["additionalProperties"] = false
    if others == false { return }
    let isMap = members["properties"]?.object?.isEmpty ?? true
    losses.append(SchemaLoss(place: place, reason: isMap ? .map : .otherKeys))
  }

  /// Returns a schema that also allows null.
  ///
  /// The description moves to the outer schema, where it describes both alternatives.
  private static func nullable(_ schema: JSONValue) -> JSONValue {
    guard var members = schema.object else { return schema }
    let description = members["description"]
    members["description"] = nil
    var result: JSONObject = [:]
    if let choices = members["anyOf"]?.array, members.count == 1 {
      result["anyOf"] = .array(choices + [["type": "null"]])
    } else {
      result["anyOf"] = [.object(members), ["type": "null"]]
    }
    result["description"] = description
    return .object(result)
  }

  // MARK: References

  /// Returns whether a definition refers to itself, directly or indirectly.
  private func isRecursive(_ name: String) -> Bool {
    var seen: Set<String> = []
    var open = definitions[name].map(Self.references) ?? []
    while let next = open.popLast() {
      if next == name { return true }
      if seen.insert(next).inserted, let node = definitions[next] {
        open += Self.references(in: node)
      }
    }
    return false
  }

  private static func references(in schema: JSONValue) -> [String] {
    switch schema {
    case .array(let elements): return elements.flatMap(references)
    case .object(let members):
      if let reference = members["$ref"]?.string {
        return [JSONPointer.name(inReference: reference)]
      }
      return members.members.flatMap { references(in: $0.value) }
    default: return []
    }
  }

  private static func refersToRoot(_ schema: JSONValue) -> Bool {
    switch schema {
    case .array(let elements): elements.contains(where: refersToRoot)
    case .object(let members):
      members["$ref"]?.string == "#" || members.members.contains { refersToRoot($0.value) }
    default: false
    }
  }

  private static func redirected(_ schema: JSONValue) -> JSONValue {
    switch schema {
    case .array(let elements): return .array(elements.map(redirected))
    case .object(let members):
      return .object(
        JSONObject(
          members.members.map { member in
            let isRoot = member.key == "$ref" && member.value.string == "#"
            return (
              key: member.key,
              value: isRoot ? .string("#/$defs/Root") : redirected(member.value)
            )
          }))
    default: return schema
    }
  }
}
