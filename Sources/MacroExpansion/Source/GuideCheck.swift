/// Checks whether a guide fits a type, as far as the source text can tell.
///
/// The compiler would find the same errors, but report them in the expanded code. This check
/// reports them at the property.
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

  /// Returns the problem with a property's guide and how to fix it.
  ///
  /// Returns `nil` if there is no problem, or if the source text isn't conclusive.
  static func problem(with guide: String, on type: TypeText) -> String? {
    guard let kind = kind(of: type.base), let name = name(of: guide), !kind.guides.contains(name)
    else { return nil }
    let allowed =
      kind.guides.isEmpty
      ? "state the rule in the description"
      : "use " + kind.guides.map { "`.\($0)`" }.joined(separator: ", ")
    return "`.\(name)` can't constrain \(kind.name); \(allowed)"
  }

  private static func kind(of type: String) -> Kind? {
    let name = type.hasPrefix("Swift.") ? String(type.dropFirst(6)) : type
    return types[name] ?? (name.hasPrefix("[") || name.hasPrefix("Array<") ? array : nil)
  }

  /// Returns the library's name for a guide: `range` for `.range(1...2)`, `pattern` for `/a/`.
  private static func name(of guide: String) -> String? {
    if guide.hasPrefix("/") || guide.hasPrefix("#/") { return "pattern" }
    guard guide.hasPrefix(".") else { return nil }
    let name = String(guide.dropFirst().prefix { $0.isLetter })
    return known.contains(name) ? name : nil
  }
}
