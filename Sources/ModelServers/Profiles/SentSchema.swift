public import StructuredText

/// A schema as it is sent to a server, with a list of the parts that the server won't enforce.
public struct SentSchema: Sendable, Hashable {
  /// The original schema, in Apple's dialect.
  public let original: JSONValue
  /// The schema as it is sent.
  public let json: JSONValue
  /// The parts that the server won't enforce or needs in a different form.
  ///
  /// The parts are in the schema's order, followed by exceeded limits.
  public let losses: [SchemaLoss]
  /// Whether the server's answers are wrapped in an object with the property `value`.
  public let isWrapped: Bool
  /// A name for the schema.
  ///
  /// It consists of the ASCII letters, the digits, `_` and `-` in the schema's title, at most 64 of
  /// them. If the title has none of these, the name is "answer".
  public let name: String

  /// Creates a version of a schema that an interface supports.
  ///
  /// - Parameters:
  ///   - schema: The schema in Apple's dialect, as `GenerationSchema` writes it.
  ///   - profile: The interface's profile.
  public init(_ schema: JSONValue, for profile: SchemaProfile) {
    original = schema
    var writer = ProfileWriter(profile: profile, definitions: schema["$defs"]?.object ?? [:])
    let isObject = schema["type"]?.string == "object"
    isWrapped = profile.needsObjectRoot && !isObject
    json = isWrapped ? writer.wrapped(schema) : writer.whole(schema)
    losses = writer.allLosses
    name = Self.name(schema["title"]?.string)
  }

  private static func name(_ title: String?) -> String {
    let kept = (title ?? "").unicodeScalars.filter { scalar in
      scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
        || scalar == "_" || scalar == "-"
    }
    let text = String(String.UnicodeScalarView(kept)).prefix(64)
    return text.isEmpty ? "answer" : String(text)
  }

  /// Converts an answer to the form of the original schema, by removing the wrapper and the nulls
  /// that stand for absent properties.
  ///
  /// - Parameter answer: The server's answer.
  /// - Returns: The converted value, or the unchanged answer if the wrapper is missing.
  public func restored(_ answer: JSONValue) -> JSONValue {
    var value = answer
    if isWrapped {
      guard let object = answer.object, object.count == 1, let inner = object["value"] else {
        return answer
      }
      value = inner
    }
    return Restorer(root: original).restored(value, original)
  }
}

extension SentSchema {
  /// Restores the schema's capitalization in strings that differ from an enum value only in case.
  ///
  /// Some services document that they may return such strings.
  public func withSchemaCapitals(_ value: JSONValue) -> JSONValue {
    Restorer(root: original, foldsCapitals: true).restored(value, original)
  }
}

/// Converts values to the form of a schema, by removing nulls that stand for absent properties and,
/// optionally, by restoring capitals.
private struct Restorer {
  let root: JSONValue
  /// Whether to also restore capitals in strings that differ from an enum value only in case.
  var foldsCapitals = false

  func restored(_ value: JSONValue, _ schema: JSONValue) -> JSONValue {
    guard let schema = resolved(schema) else { return value }
    if foldsCapitals, let text = value.string {
      let choices = (schema["enum"]?.array ?? [schema["const"]].compactMap(\.self))
        .compactMap(\.string)
      if choices.contains(text) { return value }
      let alike = choices.filter { $0.lowercased() == text.lowercased() }
      if alike.count == 1 { return .string(alike[0]) }
    }
    if let choices = schema["anyOf"]?.array {
      let fitting = choices.first { fits(value, $0) }
      return fitting.map { restored(value, $0) } ?? value
    }
    switch value {
    case .array(let elements):
      guard let items = schema["items"] else { return value }
      return .array(elements.map { restored($0, items) })
    case .object(let members):
      guard let properties = schema["properties"]?.object else { return value }
      let required = Set((schema["required"]?.array ?? []).compactMap(\.string))
      let kept = members.members.compactMap { member -> JSONObject.Member? in
        guard let property = properties[member.key] else { return member }
        if member.value == .null, !required.contains(member.key) { return nil }
        return (key: member.key, value: restored(member.value, property))
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

  /// Returns whether a value has the outer shape of an alternative.
  private func fits(_ value: JSONValue, _ choice: JSONValue) -> Bool {
    guard let schema = resolved(choice) else { return false }
    if let constant = schema["const"] { return isEqual(constant, value) }
    if let values = schema["enum"]?.array { return values.contains { isEqual($0, value) } }
    guard case .object(let members) = value else {
      guard let type = schema["type"]?.string else { return true }
      return type == value.typeName || type == "integer" && value.int != nil
    }
    guard let properties = schema["properties"]?.object else { return false }
    return members.members.allSatisfy { member in
      guard let property = properties[member.key] else { return false }
      return property["const"].map { isEqual($0, member.value) } ?? true
    }
  }

  private func isEqual(_ left: JSONValue, _ right: JSONValue) -> Bool {
    if foldsCapitals, let one = left.string, let other = right.string {
      return one.lowercased() == other.lowercased()
    }
    return left == right
  }
}

/// The part of JSON pointers that references in schemas use.
enum JSONPointer {
  /// Returns the name of the definition that a reference points to.
  static func name(inReference reference: String) -> String {
    let last = reference.split(separator: "/").last.map(String.init) ?? ""
    return last.replacing("~1", with: "/").replacing("~0", with: "~")
  }

  /// Returns a name, escaped for use in a pointer.
  static func part(_ name: String) -> String {
    name.replacing("~", with: "~0").replacing("/", with: "~1")
  }
}
