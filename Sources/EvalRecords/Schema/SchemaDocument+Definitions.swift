import StructuredText

extension SchemaDocument {
  /// The definitions, keyed by name, in schema order.
  package var definitions: JSONObject { root["$defs"]?.object ?? [:] }

  /// The schema without its definitions.
  package var body: JSONValue {
    guard case .object(var members) = root else { return root }
    members["$defs"] = nil
    return .object(members)
  }

  /// The schema with only the definitions that can be reached from its root.
  package var withoutUnusedDefinitions: JSONValue {
    guard case .object(var members) = root, !definitions.isEmpty else { return root }
    let all = definitions
    var used: Set<String> = []
    var pending = Self.references(in: body)
    while let name = pending.popLast() {
      guard used.insert(name).inserted, let definition = all[name] else { continue }
      pending += Self.references(in: definition)
    }
    let kept = all.members.filter { used.contains($0.key) }
    members["$defs"] = kept.isEmpty ? nil : .object(JSONObject(kept))
    return .object(members)
  }

  /// The strings that the schema lists, which are its enum cases and constants.
  package var listedNames: Set<String> {
    var names: Set<String> = []
    var pending = [root]
    while let value = pending.popLast() {
      switch value {
      case .object(let members):
        if let name = members["const"]?.string { names.insert(name) }
        names.formUnion((members["enum"]?.array ?? []).compactMap(\.string))
        pending += members.members.map(\.value)
      case .array(let elements): pending += elements
      default: break
      }
    }
    return names
  }

  /// Returns the names of the definitions that a part of a schema refers to, at any depth.
  private static func references(in part: JSONValue) -> [String] {
    var names: [String] = []
    var pending = [part]
    while let value = pending.popLast() {
      switch value {
      case .object(let members):
        if let name = members["$ref"]?.string, name.hasPrefix("#/$defs/") {
          names.append(String(name.dropFirst("#/$defs/".count)))
        }
        pending += members.members.map(\.value)
      case .array(let elements): pending += elements
      default: break
      }
    }
    return names
  }
}
