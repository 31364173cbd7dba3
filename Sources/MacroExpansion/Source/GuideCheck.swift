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
    if let range = reversedRange(in: guide) { return range }
    guard let kind = kind(of: type.base), let name = name(of: guide), !kind.guides.contains(name)
    else { return nil }
    let allowed =
      kind.guides.isEmpty
      ? "state the rule in the description"
      : "use " + kind.guides.map { "`.\($0)`" }.joined(separator: ", ")
    return "`.\(name)` can't constrain \(kind.name); \(allowed)"
  }

  /// Returns the problem with a range of two numbers whose first number is larger.
  ///
  /// The program would compile, and end as soon as it read the guide.
  private static func reversedRange(in guide: String) -> String? {
    let tokens = Scanner.tokens(of: guide)
    /// Returns the number at a position, with its sign.
    func number(_ index: Int) -> (value: Double, text: String)? {
      guard tokens.indices.contains(index), tokens[index].kind == .number,
        let value = Double(tokens[index].text.filter { $0 != "_" })
      else { return nil }
      let isNegative = index > 0 && tokens[index - 1].is("-")
      return (isNegative ? -value : value, (isNegative ? "-" : "") + tokens[index].text)
    }
    for index in tokens.indices.dropLast(3)
    where tokens[index...index + 2].allSatisfy({ $0.is(".") }) {
      let isNegative = tokens[index + 3].is("-")
      guard let low = number(index - 1), let high = number(index + (isNegative ? 4 : 3)),
        low.value > high.value
      else { continue }
      return "the range \(low.text)...\(high.text) is reversed; write \(high.text)...\(low.text)"
    }
    return nil
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
