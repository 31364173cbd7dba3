/// Turns a pattern that is searched for, as JSON Schema has it, into one of the whole string.
///
/// ```
/// ^[a-z]+$     ^[a-z]+$                     both ends are anchored: it stays
/// [a-z]+       ^(?:[\s\S]*(?:[a-z]+)[\s\S]*)$
/// ^a|b$        ^(?:a[\s\S]*|[\s\S]*b)$
/// ```
enum PatternAnchoring {
  static func wholePattern(of pattern: String) -> String {
    let alternatives = alternatives(of: pattern)
    let any = "[\\s\\S]*"
    if alternatives.count == 1, alternatives[0].isAtStart, alternatives[0].isAtEnd {
      return pattern
    }
    let whole = alternatives.map { part in
      let body = part.text.isEmpty ? "" : "(?:\(part.text))"
      return (part.isAtStart ? "" : any) + body + (part.isAtEnd ? "" : any)
    }
    return "^(?:" + whole.joined(separator: "|") + ")$"
  }

  private struct Alternative {
    var text: String
    var isAtStart: Bool
    var isAtEnd: Bool
  }

  /// The alternatives outside of groups, without their anchors.
  private static func alternatives(of pattern: String) -> [Alternative] {
    var parts: [[Unicode.Scalar]] = [[]]
    /// Whether the last scalar of a part is escaped.
    var endsEscaped = [false]
    var depth = 0
    var isInClass = false
    var isEscaped = false
    for scalar in pattern.unicodeScalars {
      if !isEscaped, !isInClass, depth == 0, scalar == "|" {
        parts.append([])
        endsEscaped.append(false)
        continue
      }
      if !isEscaped {
        switch scalar {
        case "[" where !isInClass: isInClass = true
        case "]" where isInClass: isInClass = false
        case "(" where !isInClass: depth += 1
        case ")" where !isInClass: depth -= 1
        default: break
        }
      }
      endsEscaped[parts.count - 1] = isEscaped
      isEscaped = !isEscaped && scalar == "\\"
      parts[parts.count - 1].append(scalar)
    }
    return zip(parts, endsEscaped).map { part, endsEscaped in
      var part = part[...]
      let isAtStart = part.first == "^"
      if isAtStart { part = part.dropFirst() }
      let isAtEnd = part.last == "$" && !endsEscaped
      if isAtEnd { part = part.dropLast() }
      var text = String.UnicodeScalarView()
      text.append(contentsOf: part)
      return Alternative(text: String(text), isAtStart: isAtStart, isAtEnd: isAtEnd)
    }
  }
}
