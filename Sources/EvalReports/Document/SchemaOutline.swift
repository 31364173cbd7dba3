import StructuredText

/// What a report needs to know of a recorded schema: its arrays, its branches, its guides.
///
/// Schemas are read from records that may be damaged or hostile: unknown shapes are skipped,
/// references are followed to a fixed depth, and the number of places is bounded.
struct SchemaOutline: Sendable, Hashable {
  /// An array in the schema.
  struct ArrayPlace: Sendable, Hashable {
    /// Its path, with `[*]` for elements: `$.cards`, `$.days[*].meals`.
    var path: String
    var minimum: Int?
    var maximum: Int?
  }

  /// A place where the value is one of several named cases.
  struct BranchPlace: Sendable, Hashable {
    var path: String
    /// The cases in the schema's order.
    var cases: [String]
  }

  /// A text or a bound that an edit can change.
  struct Guide: Sendable, Hashable {
    /// Where it stands: `DraftCardSet.cards`, `minItems of DraftCardSet.cards`.
    var place: String
    var text: String
    /// Whether it is prose, to be compared word by word.
    var isProse: Bool
  }

  private(set) var arrays: [ArrayPlace] = []
  private(set) var branches: [BranchPlace] = []
  private(set) var guides: [Guide] = []

  private static let maximumDepth = 16
  private static let maximumPlaces = 500

  /// Outlines a schema in Apple's dialect; damaged text gives an empty outline.
  init(schema text: String) {
    guard let root = try? JSONValue(parsing: text) else { return }
    let definitions = root["$defs"] ?? .null
    collectShapes(root, path: "$", depth: 0, definitions: definitions)
    collectGuides(of: root, name: root["title"]?.string ?? "root")
    for (name, definition) in definitions.object?.members ?? [] {
      collectGuides(of: definition, name: Self.shortName(name))
    }
  }

  /// The bounds of an array, nil where the schema has no such array.
  func array(at path: String) -> ArrayPlace? { arrays.first { $0.path == path } }

  private mutating func collectShapes(
    _ node: JSONValue, path: String, depth: Int, definitions: JSONValue
  ) {
    guard depth < Self.maximumDepth, arrays.count + branches.count < Self.maximumPlaces else {
      return
    }
    if let target = Self.target(of: node, in: definitions) {
      return collectShapes(target, path: path, depth: depth + 1, definitions: definitions)
    }
    if let cases = node["enum"]?.array, cases.allSatisfy({ $0.string != nil }), cases.count > 1 {
      addBranch(path, cases.compactMap(\.string))
    }
    if let choices = node["anyOf"]?.array {
      let targets = choices.map { Self.target(of: $0, in: definitions) ?? $0 }
      let names = targets.compactMap { $0["properties"]?["type"]?["const"]?.string }
      if names.count == targets.count, names.count > 1 { addBranch(path, names) }
      for target in targets {
        collectShapes(target, path: path, depth: depth + 1, definitions: definitions)
      }
    }
    if let items = node["items"] {
      if array(at: path) == nil {
        arrays.append(
          ArrayPlace(path: path, minimum: node["minItems"]?.int, maximum: node["maxItems"]?.int))
      }
      collectShapes(items, path: path + "[*]", depth: depth + 1, definitions: definitions)
    }
    for (name, property) in node["properties"]?.object?.members ?? [] {
      collectShapes(
        property, path: ValuePath.appending(name, to: path), depth: depth + 1,
        definitions: definitions)
    }
  }

  private mutating func addBranch(_ path: String, _ cases: [String]) {
    guard !branches.contains(where: { $0.path == path }) else { return }
    branches.append(BranchPlace(path: path, cases: cases))
  }

  private mutating func collectGuides(of node: JSONValue, name: String) {
    addGuides(of: node, at: name)
    for (property, child) in node["properties"]?.object?.members ?? [] {
      addGuides(of: child, at: "\(name).\(property)")
    }
  }

  private mutating func addGuides(of node: JSONValue, at place: String) {
    guard guides.count < Self.maximumPlaces else { return }
    if let description = node["description"]?.string {
      guides.append(Guide(place: place, text: description, isProse: true))
    }
    for bound in ["minItems", "maxItems", "minimum", "maximum", "pattern"] {
      guard let value = node[bound], let text = value.string ?? value.number?.text else { continue }
      guides.append(Guide(place: "\(bound) of \(place)", text: text, isProse: false))
    }
    if let cases = node["enum"]?.array?.compactMap(\.string), !cases.isEmpty {
      guides.append(
        Guide(place: "cases of \(place)", text: cases.joined(separator: ", "), isProse: false))
    }
    if let choices = node["anyOf"]?.array {
      let names = choices.map { Self.shortName($0["$ref"]?.string ?? $0["title"]?.string ?? "…") }
      guides.append(
        Guide(place: "choices of \(place)", text: names.joined(separator: ", "), isProse: false))
    }
  }

  private static func target(of node: JSONValue, in definitions: JSONValue) -> JSONValue? {
    let prefix = "#/$defs/"
    guard let reference = node["$ref"]?.string, reference.hasPrefix(prefix) else { return nil }
    return definitions[String(reference.dropFirst(prefix.count))]
  }

  private static func shortName(_ name: String) -> String {
    String(name.split(separator: "/").last ?? Substring(name))
  }
}

/// Paths into values as the records write them.
enum ValuePath {
  /// A property's path below another path.
  static func appending(_ name: String, to path: String) -> String {
    let isPlain =
      !name.isEmpty
      && name.unicodeScalars.allSatisfy {
        $0 == "_" || $0.properties.isAlphabetic || $0.properties.numericType != nil
      }
    return isPlain ? "\(path).\(name)" : "\(path)['\(name)']"
  }

  /// A path with every element index replaced by `[*]`.
  static func generalized(_ path: String) -> String {
    guard path.utf8.contains(UInt8(ascii: "[")) else { return path }
    var result = ""
    var digits = ""
    var isIndex = false
    for character in path {
      switch character {
      case "[":
        result.append(character)
        isIndex = true
      case "]" where isIndex && !digits.isEmpty:
        result += "*]"
        (digits, isIndex) = ("", false)
      case "0"..."9" where isIndex: digits.append(character)
      default:
        result += digits
        result.append(character)
        (digits, isIndex) = ("", false)
      }
    }
    return result + digits
  }
}
