import GuidedGeneration
import StructuredText

/// Enumerates the texts of all values of a schema with finitely many values, independently of the
/// engine.
struct ValueEnumeration {
  let schema: GenerationSchema
  /// The characters of bounded strings.
  var alphabet = ["a", "é", "~"]

  init(schema: GenerationSchema) { self.schema = schema }

  /// Creates an enumeration whose strings can contain every character that the bytes of the texts
  /// can spell.
  ///
  /// The test vocabulary is made of these bytes, so the masks allow all these characters.
  init(closedOver schema: GenerationSchema, _ style: WhitespaceStyle) {
    self.schema = schema
    let plain = Set(texts(style).joined().unicodeScalars)
    alphabet += plain.filter {
      $0.value >= 0x20 && $0 != "\"" && $0 != "\\" && !"aé~".unicodeScalars.contains($0)
    }
    .map { String($0) }.sorted()
    if plain.contains("\\") || hasBoundedStrings(schema.root) {
      alphabet += ["\"", "\\"]
      let letters: [(Unicode.Scalar, String)] = [
        ("n", "\n"), ("t", "\t"), ("r", "\r"), ("b", "\u{8}"), ("f", "\u{C}"),
      ]
      alphabet += letters.filter { plain.contains($0.0) }.map(\.1)
    }
  }

  private func hasBoundedStrings(_ node: SchemaNode) -> Bool {
    switch node {
    case .string(let it): it.choices == nil
    case .object(let it): it.properties.contains { hasBoundedStrings($0.node) }
    case .array(let it): hasBoundedStrings(it.element)
    case .union(let it): it.choices.contains { hasBoundedStrings($0) }
    case .reference(let name, _):
      schema.definitions.contains { $0.name == name && hasBoundedStrings($0.node) }
    default: false
    }
  }

  func texts(_ style: WhitespaceStyle = .compact) -> Set<String> {
    Set(values(schema.root, depth: 0).map { style.write($0) })
  }

  private func values(_ node: SchemaNode, depth: Int) -> [JSONValue] {
    switch node {
    case .null: return [.null]
    case .boolean: return [.bool(true), .bool(false)]
    case .constant(let value, _): return [.bool(value)]
    case .integer(let it): return ((it.minimum ?? 0)...(it.maximum ?? 0)).map { .number(.init($0)) }
    case .string(let it):
      if let choices = it.choices { return choices.map { .string($0) } }
      return strings(it.minimumLength ?? 0, it.maximumLength ?? 0).map { .string($0) }
    case .union(let it): return it.choices.flatMap { values($0, depth: depth) }
    case .reference(let name, _):
      guard depth < 2 else { return [] }
      let node = schema.definitions.first { $0.name == name }?.node ?? schema.root
      return values(node, depth: depth + 1)
    case .array(let it):
      let elements = values(it.element, depth: depth)
      var result: [JSONValue] = []
      for count in (it.minimumCount ?? 0)...(it.maximumCount ?? 2) {
        var lists: [[JSONValue]] = [[]]
        for _ in 0..<count { lists = lists.flatMap { list in elements.map { list + [$0] } } }
        result += lists.map { .array($0) }
      }
      return result
    case .object(let it):
      var objects: [[JSONObject.Member]] = [[]]
      for property in it.properties {
        let some = values(property.node, depth: depth)
        objects = objects.flatMap { members in
          var extended = some.map { members + [(key: property.name, value: $0)] }
          if property.isOptional {
            let none: [JSONObject.Member] =
              it.representsNilExplicitly ? [(key: property.name, value: .null)] : []
            extended.append(members + none)
          }
          return extended
        }
      }
      return objects.map { .object(JSONObject($0)) }
    case .number, .any: return []
    }
  }

  private func strings(_ minimum: Int, _ maximum: Int) -> [String] {
    var result: [String] = []
    var level = [""]
    for length in 0...maximum {
      if length >= minimum { result += level }
      level = level.flatMap { text in alphabet.map { text + $0 } }
    }
    return result
  }
}

/// A JSON writer for tests, independent of the library's writer.
enum WhitespaceStyle: CaseIterable {
  case compact, singleSpace, pretty

  func write(_ value: JSONValue, depth: Int = 0) -> String {
    let inner = "\n" + String(repeating: "  ", count: depth + 1)
    let outer = "\n" + String(repeating: "  ", count: depth)
    func list(_ items: [String], _ open: String, _ close: String) -> String {
      if items.isEmpty { return open + close }
      switch self {
      case .compact: return open + items.joined(separator: ",") + close
      case .singleSpace: return open + items.joined(separator: ", ") + close
      case .pretty:
        return open + inner + items.joined(separator: "," + inner) + outer + close
      }
    }
    switch value {
    case .null: return "null"
    case .bool(let flag): return flag ? "true" : "false"
    case .number(let number): return number.text
    case .string(let text): return Self.quote(text)
    case .array(let elements):
      return list(elements.map { write($0, depth: depth + 1) }, "[", "]")
    case .object(let members):
      let colon = self == .compact ? ":" : ": "
      return list(
        members.map { Self.quote($0.key) + colon + write($0.value, depth: depth + 1) }, "{", "}")
    }
  }

  static func quote(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\t": result += "\\t"
      case "\r": result += "\\r"
      case "\u{8}": result += "\\b"
      case "\u{C}": result += "\\f"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
