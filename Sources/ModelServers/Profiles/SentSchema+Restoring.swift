public import StructuredText

extension SentSchema {
  /// Undoes in an answer what the sent schema changed: removes the wrapper, and the nulls that only
  /// the sent schema allows, which stand for absent properties.
  ///
  /// Nothing else is changed, so that an answer gets the same verdict as in a recording.
  ///
  /// - Parameter answer: The server's answer.
  /// - Returns: The answer to the original schema, or the unchanged answer if the wrapper is
  ///   missing.
  public func restored(_ answer: JSONValue) -> JSONValue {
    var value = answer
    if isWrapped {
      guard let object = answer.object, object.count == 1, let inner = object["value"] else {
        return answer
      }
      value = inner
    }
    guard losses.contains(where: { $0.reason == .optionalAsNull }) else { return value }
    return NullRemover(root: original).value(value, original)
  }
}

/// Removes the nulls that stand for absent properties.
///
/// These are the nulls of optional properties whose own schema doesn't allow null.
struct NullRemover {
  let root: JSONValue

  /// Returns a value of a schema without the nulls that stand for absent properties.
  func value(_ value: JSONValue, _ schema: JSONValue) -> JSONValue {
    guard let schema = resolved(schema) else { return value }
    if let choices = schema["anyOf"]?.array {
      let fitting = choices.first { fits(value, $0) }
      return fitting.map { self.value(value, $0) } ?? value
    }
    switch value {
    case .array(let elements):
      let first = schema["prefixItems"]?.array ?? []
      let elements = elements.enumerated().map { index, element in
        let items = first.indices.contains(index) ? first[index] : schema["items"]
        return items.map { self.value(element, $0) } ?? element
      }
      return .array(elements)
    case .object(let members):
      let required = Set((schema["required"]?.array ?? []).compactMap(\.string))
      let kept = members.members.compactMap { member -> JSONObject.Member? in
        guard let property = schema["properties"]?[member.key] else {
          let others = schema["additionalProperties"] ?? true
          return (key: member.key, value: self.value(member.value, others))
        }
        if member.value == .null, !required.contains(member.key), !allowsNull(property) {
          return nil
        }
        return (key: member.key, value: self.value(member.value, property))
      }
      return .object(JSONObject(kept))
    default: return value
    }
  }

  /// Resolves the references at the top of a schema, or returns `nil` if that is impossible.
  private func resolved(_ schema: JSONValue) -> JSONValue? {
    var schema = schema
    for _ in 0..<64 {
      guard let reference = schema["$ref"]?.string else { return schema }
      if reference == "#" { return root }
      guard let next = root["$defs"]?[JSONPointer.name(inReference: reference)] else { return nil }
      schema = next
    }
    return nil
  }

  /// Returns whether null is one of a schema's own values.
  func allowsNull(_ schema: JSONValue, depth: Int = 0) -> Bool {
    guard depth < 64, let schema = resolved(schema) else { return false }
    if let choices = schema["anyOf"]?.array {
      return choices.contains { allowsNull($0, depth: depth + 1) }
    }
    return fits(.null, schema)
  }

  /// Returns whether a value has the outer shape of an alternative.
  private func fits(_ value: JSONValue, _ choice: JSONValue) -> Bool {
    guard let schema = resolved(choice) else { return false }
    if let constant = schema["const"] { return constant == value }
    if let values = schema["enum"]?.array { return values.contains(value) }
    guard case .object(let members) = value else {
      guard let type = schema["type"]?.string else { return true }
      return type == value.typeName || type == "integer" && value.int != nil
    }
    guard let properties = schema["properties"]?.object else { return false }
    return members.members.allSatisfy { member in
      guard let property = properties[member.key] else { return false }
      return property["const"].map { $0 == member.value } ?? true
    }
  }
}
