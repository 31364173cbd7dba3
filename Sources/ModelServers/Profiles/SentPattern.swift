/// A pattern in the form in which it is sent to servers.
///
/// JSON Schema searches for a pattern, so the form has both anchors. It has no flags, because few
/// servers know them: letters become classes.
///
/// ```
/// [a-z]+           ^([a-z]+)$
/// ^a|b$            ^(a|b)$
/// (?i)^yes-[a-f]$  ^[yY][eE][sS]-[a-fA-F]$
/// ```
struct SentPattern {
  /// The pattern as it is sent.
  let text: String

  /// Creates the form of a pattern that must match the whole string.
  init(_ written: String) {
    var scalars = Array(written.unicodeScalars)[...]
    var folding = CaseFolding()
    if scalars.starts(with: "(?i)".unicodeScalars) {
      scalars = scalars.dropFirst(4)
      folding.isOn = true
    }
    let parts = Self.alternatives(scalars)
    let bodies = parts.map { folding.folded($0.body) }
    let isWhole = parts.count == 1 && parts[0].isAnchored
    text = isWhole ? "^\(bodies[0])$" : "^(\(bodies.joined(separator: "|")))$"
  }

  private typealias Alternative = (body: ArraySlice<Unicode.Scalar>, isAnchored: Bool)

  /// Returns the alternatives outside of groups, without the anchors at their ends.
  private static func alternatives(_ scalars: ArraySlice<Unicode.Scalar>) -> [Alternative] {
    var parts: [Alternative] = []
    var start = scalars.startIndex
    var depth = 0
    var isInClass = false
    var index = scalars.startIndex
    var lastEscape: Int?
    func add(upTo end: Int) {
      var body = scalars[start..<end]
      let hasStart = body.first == "^"
      if hasStart { body = body.dropFirst() }
      let hasEnd = body.last == "$" && lastEscape != end - 1
      if hasEnd { body = body.dropLast() }
      parts.append((body, hasStart && hasEnd))
    }
    while index < scalars.endIndex {
      switch scalars[index] {
      case "\\":
        index += 1
        lastEscape = index
      case "]": isInClass = false
      case "[": isInClass = true
      case "(" where !isInClass: depth += 1
      case ")" where !isInClass: depth -= 1
      case "|" where !isInClass && depth == 0:
        add(upTo: index)
        start = index + 1
      default: break
      }
      index += 1
    }
    add(upTo: scalars.endIndex)
    return parts
  }
}

/// Replaces the letters of a pattern that ignores case with classes of both cases.
private struct CaseFolding {
  /// Whether the pattern ignores case.
  var isOn = false

  /// Returns a part of a pattern in which no group has the flag `i`.
  func folded(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
    var result = ""
    var outer: [Bool] = []
    var isOn = isOn
    var rest = scalars
    while let scalar = rest.popFirst() {
      switch scalar {
      case "\\": result.unicodeScalars.append(contentsOf: [scalar] + Self.escape(&rest))
      case "[": result += Self.characterClass(&rest, isOn)
      case "(":
        outer.append(isOn)
        result += "(" + Self.head(&rest, &isOn)
      case ")":
        isOn = outer.popLast() ?? isOn
        result += ")"
      default:
        let cases = isOn ? Self.cases(of: scalar) : [scalar]
        let text = String(String.UnicodeScalarView(cases))
        result += cases.count > 1 ? "[\(text)]" : text
      }
    }
    return result
  }

  /// Takes the flags or the name of a group, and returns them without the flag `i`.
  private static func head(_ rest: inout ArraySlice<Unicode.Scalar>, _ isOn: inout Bool) -> String {
    guard rest.first == "?" else { return "" }
    if rest.starts(with: "?<".unicodeScalars) || rest.starts(with: "?P<".unicodeScalars) {
      let name = rest.prefix { $0 != ">" }
      rest = rest.dropFirst(name.count)
      return String(String.UnicodeScalarView(name))
    }
    let head = rest.prefix { $0 != ":" && $0 != ")" }
    guard head.dropFirst().allSatisfy("ims-".unicodeScalars.contains) else { return "" }
    rest = rest.dropFirst(head.count)
    let off = head.firstIndex(of: "-") ?? head.endIndex
    if let flag = head.firstIndex(of: "i") { isOn = flag < off }
    let kept = String(String.UnicodeScalarView(head.filter { $0 != "i" }))
    return kept.hasSuffix("-") ? String(kept.dropLast()) : kept
  }

  /// Takes the rest of an escape.
  private static func escape(_ rest: inout ArraySlice<Unicode.Scalar>) -> [Unicode.Scalar] {
    guard let kind = rest.popFirst() else { return [] }
    var count = ["x": 2, "u": 4, "c": 1][kind] ?? 0
    if let end = rest.firstIndex(of: "}"), rest.first == "{", "xupP".unicodeScalars.contains(kind) {
      count = end + 1 - rest.startIndex
    }
    defer { rest = rest.dropFirst(count) }
    return [kind] + rest.prefix(count)
  }

  /// Takes the rest of a class.
  private static func characterClass(
    _ rest: inout ArraySlice<Unicode.Scalar>, _ isOn: Bool
  ) -> String {
    var result = "["
    if rest.first == "^" {
      result += "^"
      rest = rest.dropFirst()
    }
    while let scalar = rest.popFirst(), scalar != "]" {
      if scalar == "\\" {
        result.unicodeScalars.append(contentsOf: [scalar] + escape(&rest))
      } else if rest.first == "-", let last = rest.dropFirst().first, last != "]", last != "\\" {
        rest = rest.dropFirst(2)
        result += "\(scalar)-\(last)"
        for (low, high, offset) in [("a", "z", -32), ("A", "Z", 32)]
          as [(Unicode.Scalar, Unicode.Scalar, Int)] where isOn
        {
          let (from, to) = (max(scalar, low), min(last, high))
          guard from <= to else { continue }
          result += "\(shifted(from, offset))-\(shifted(to, offset))"
        }
      } else {
        let cases = isOn ? cases(of: scalar) : [scalar]
        result.unicodeScalars.append(contentsOf: cases)
      }
    }
    return result + "]"
  }

  private static func shifted(_ scalar: Unicode.Scalar, _ offset: Int) -> Unicode.Scalar {
    Unicode.Scalar(UInt8(Int(scalar.value) + offset))
  }

  /// Returns a scalar with the scalars that differ from it only in case.
  private static func cases(of scalar: Unicode.Scalar) -> [Unicode.Scalar] {
    var cases = [scalar]
    for text in [scalar.properties.lowercaseMapping, scalar.properties.uppercaseMapping] {
      let mapped = Array(text.unicodeScalars)
      if mapped.count == 1, !cases.contains(mapped[0]) { cases.append(mapped[0]) }
    }
    return cases
  }
}
