/// Which guides belong to which types, as far as their texts tell.
///
/// The compiler would find the same, in the expansion; here the error lands on the property.
enum GuideCheck {
  private struct Kind {
    var name: String
    var guides: [String]
  }

  private static let string = Kind(
    name: "a string", guides: ["constant", "anyOf", "pattern"])
  private static let number = Kind(name: "a number", guides: ["minimum", "maximum", "range"])
  private static let array = Kind(
    name: "an array", guides: ["minimumCount", "maximumCount", "count", "element"])
  private static let boolean = Kind(name: "a Boolean", guides: [])

  private static let types: [String: Kind] = [
    "String": string, "Int": number, "Double": number, "Float": number, "Decimal": number,
    "Bool": boolean,
  ]

  private static let known = Set((string.guides + number.guides + array.guides))

  /// What is wrong with a guide of a property, in words that say what to do; nil if nothing is,
  /// or where the texts do not tell.
  static func problem(with guide: String, on type: TypeText) -> String? {
    guard let kind = kind(of: type.base), let name = name(of: guide), !kind.guides.contains(name)
    else { return nil }
    let allowed =
      kind.guides.isEmpty
      ? "say it in the description"
      : "use " + kind.guides.map { "`.\($0)`" }.joined(separator: ", ")
    return "`.\(name)` does not hold \(kind.name); \(allowed)"
  }

  private static func kind(of type: String) -> Kind? {
    let name = type.hasPrefix("Swift.") ? String(type.dropFirst(6)) : type
    return types[name] ?? (name.hasPrefix("[") || name.hasPrefix("Array<") ? array : nil)
  }

  /// The name of a guide of the library: `range` of `.range(1...2)`, `pattern` of `/a/`.
  private static func name(of guide: String) -> String? {
    if guide.hasPrefix("/") || guide.hasPrefix("#/") { return "pattern" }
    guard guide.hasPrefix(".") else { return nil }
    let name = String(guide.dropFirst().prefix { $0.isLetter })
    return known.contains(name) ? name : nil
  }
}
