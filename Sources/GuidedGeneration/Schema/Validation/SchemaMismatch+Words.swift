import StructuredText

extension SchemaMismatch: CustomStringConvertible {
  /// The mismatch in words: `$.days is 12; allowed: 1 to 9`.
  package var description: String { "\(path) \(reason.words)" }
}

extension SchemaMismatch.Reason {
  /// The problem and the allowed values, as text that follows the path.
  package var words: String {
    switch self {
    case .type(let found, let allowed): "is \(found); allowed: \(allowed)"
    case .missingProperty(let name): "lacks the required property \(Self.quoted(name))"
    case .unknownProperty(let name, let allowed):
      "has the unknown property \(Self.quoted(name)); allowed: \(Self.list(allowed))"
        + Self.lookalike(name, among: allowed)
    case .choice(let found, let allowed):
      "is \(Self.quoted(found)); allowed: \(Self.list(allowed))"
        + Self.lookalike(found, among: allowed)
    case .excludedChoice(let found): "is \(Self.quoted(found)), which the schema excludes"
    case .pattern(let found, let pattern):
      "is \(Self.quoted(found)); allowed: text that matches `\(Self.cut(pattern))`"
    case .excludedPattern(let found, let pattern):
      "is \(Self.quoted(found)); allowed: text that doesn't match `\(Self.cut(pattern))`"
    case .length(let count, let range): "has \(Self.counted(count, "character", range))"
    case .count(let count, let range): "has \(Self.counted(count, "element", range))"
    case .propertyCount(let count, let range):
      "has \(Self.counted(count, "property", plural: "properties", range))"
    case .number(let number, let range): "is \(Self.cut(number.text)); allowed: \(range.words)"
    case .multiple(let number, let factor):
      "is \(Self.cut(number.text)); allowed: multiples of \(Self.cut(factor.text))"
    case .repeatedElement: "has an element twice; allowed: each value once"
    case .unusablePattern(let pattern):
      "can't be checked: the pattern `\(Self.cut(pattern))` can't be compiled"
    }
  }

  private static func counted(
    _ count: Int, _ noun: String, plural: String? = nil, _ range: ClosedRange<Int>
  ) -> String {
    let allowed =
      switch (range.lowerBound, range.upperBound) {
      case (let least, .max): "at least \(least)"
      case (0, let most): "at most \(most)"
      case (let least, let most) where least == most: "exactly \(least)"
      case (let least, let most): "\(least) to \(most)"
      }
    return "\(count) \(count == 1 ? noun : plural ?? noun + "s"); allowed: \(allowed)"
  }

  private static func list(_ names: [String]) -> String {
    let shown = names.prefix(12).map(quoted).joined(separator: ", ")
    if names.isEmpty { return "none" }
    return shown + (names.count > 12 ? " and \(names.count - 12) more" : "")
  }

  /// Tells a text from an allowed text that looks the same.
  private static func lookalike(_ text: String, among allowed: [String]) -> String {
    let parts = allowed.lazy.compactMap { Lookalike.parts(text, $0) }.first
    return parts.map { "; the answer has \($0.left), and the schema has \($0.right)" } ?? ""
  }

  private static func quoted(_ text: String) -> String { "\"\(cut(text))\"" }

  /// Returns the text, cut off after 80 characters, because untrusted text may have any length.
  private static func cut(_ text: String) -> String {
    let start = text.prefix(80)
    return start.endIndex == text.endIndex ? text : start + "…"
  }
}

extension SchemaMismatch.NumberRange {
  /// The bounds in words: `1 to 9`, `more than 0`.
  fileprivate var words: String {
    if let minimum, let maximum, !excludesMinimum, !excludesMaximum {
      return "\(minimum.text) to \(maximum.text)"
    }
    let parts = [
      minimum.map { (excludesMinimum ? "more than " : "at least ") + $0.text },
      maximum.map { (excludesMaximum ? "less than " : "at most ") + $0.text },
    ]
    return parts.compactMap(\.self).joined(separator: " and ")
  }
}
