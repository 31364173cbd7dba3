/// Converts a pattern that may match anywhere, as in JSON Schema, to a pattern that matches the
/// whole string.
///
/// ```
/// ^[a-z]+$     ^[a-z]+$                     both ends are anchored: no change
/// [a-z]+       ^(?:[\s\S]*(?:[a-z]+)[\s\S]*)$
/// ^a|b$        ^(?:(?:a)[\s\S]*|[\s\S]*(?:b))$
/// (^a|^b)      ^(?:(?:a|b)[\s\S]*)$         a group around the whole pattern may hold the anchors
/// ```
///
/// Alternatives with the same anchors stay together. If they were separate, the automaton would
/// have to remember which alternatives it has found.
enum PatternAnchoring {
  /// A pattern for any text.
  static let any = "[\\s\\S]*"

  /// Returns a pattern that matches the whole string if any part of the string matches the given
  /// pattern.
  static func wholePattern(of pattern: String) -> String {
    let scalars = Array(pattern.unicodeScalars)
    let isAnchored = isAnchored(scalars[...])
    return isAnchored ? pattern : wholePattern(scalars[...], isAtStart: false, isAtEnd: false)
  }

  /// Returns a pattern that matches a whole string if at least one of the given patterns matches
  /// the whole string.
  static func wholePattern(ofAny patterns: [String]) -> String {
    let scalars = Array(patterns.map { "(?:\($0))" }.joined(separator: "|").unicodeScalars)
    return wholePattern(scalars[...], isAtStart: true, isAtEnd: true)
  }

  /// Returns a pattern that matches the whole string if a part of the string matches `scalars`.
  ///
  /// If `isAtStart` is true, the part must begin where the string begins. If `isAtEnd` is true, it
  /// must end where the string ends.
  static func wholePattern(
    _ scalars: ArraySlice<Unicode.Scalar>, isAtStart: Bool, isAtEnd: Bool
  ) -> String {
    var parts: [PatternPart] = []
    var scalars = scalars
    // Set aside the flag for the whole pattern, because the flag must come first.
    let ignoresCase = scalars.starts(with: "(?i)".unicodeScalars)
    if ignoresCase { scalars = scalars.dropFirst(4) }
    collect(
      PatternPart(scalars: scalars, isAtStart: isAtStart, isAtEnd: isAtEnd), depth: 0, into: &parts)
    var joined: [(isAtStart: Bool, isAtEnd: Bool, texts: [String])] = []
    for part in parts {
      let position = joined.firstIndex {
        $0.isAtStart == part.isAtStart && $0.isAtEnd == part.isAtEnd
      }
      if let position {
        joined[position].texts.append(part.text)
      } else {
        joined.append((part.isAtStart, part.isAtEnd, [part.text]))
      }
    }
    let whole = joined.map { group in
      let isEmpty = group.texts.allSatisfy(\.isEmpty)
      let body = isEmpty ? "" : "(?:\(group.texts.joined(separator: "|")))"
      return (group.isAtStart ? "" : any) + body + (group.isAtEnd ? "" : any)
    }
    return (ignoresCase ? "(?i)" : "") + "^(?:" + whole.joined(separator: "|") + ")$"
  }

  private static func isAnchored(_ scalars: ArraySlice<Unicode.Scalar>) -> Bool {
    let parts = PatternPart(scalars: scalars).alternatives
    return parts.count == 1 && parts[0].isAtStart && parts[0].isAtEnd
  }

  /// Adds the alternatives of a part, including the alternatives inside a group that spans the
  /// whole part.
  private static func collect(_ part: PatternPart, depth: Int, into parts: inout [PatternPart]) {
    for alternative in part.alternatives {
      if depth < 16, let content = alternative.groupContent {
        var inner = alternative
        inner.scalars = content
        collect(inner, depth: depth + 1, into: &parts)
      } else {
        parts.append(alternative)
      }
    }
  }
}

/// A part of a pattern, and whether it is anchored to the beginning or the end of the string.
struct PatternPart {
  var scalars: ArraySlice<Unicode.Scalar>
  var isAtStart = false
  var isAtEnd = false

  /// The part as text.
  var text: String {
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars)
    return String(text)
  }

  /// The alternatives outside of groups, without their anchors.
  var alternatives: [PatternPart] {
    var parts: [PatternPart] = []
    var start = scalars.startIndex
    var depth = 0
    var endsEscaped = false
    func add(upTo end: Int, endsEscaped: Bool) {
      var part = PatternPart(scalars: scalars[start..<end], isAtStart: isAtStart, isAtEnd: isAtEnd)
      if part.scalars.first == "^" {
        part.isAtStart = true
        part.scalars = part.scalars.dropFirst()
      }
      if part.scalars.last == "$", !endsEscaped {
        part.isAtEnd = true
        part.scalars = part.scalars.dropLast()
      }
      parts.append(part)
    }
    forEachScalar { index, isPlain in
      if isPlain {
        switch scalars[index] {
        case "(": depth += 1
        case ")": depth -= 1
        case "|" where depth == 0:
          add(upTo: index, endsEscaped: endsEscaped)
          start = index + 1
        default: break
        }
      }
      endsEscaped = !isPlain
      return true
    }
    add(upTo: scalars.endIndex, endsEscaped: endsEscaped)
    return parts
  }

  /// The contents of the group that spans the whole part, or `nil` if the part isn't a group, or if
  /// the group is a look-around or sets flags.
  var groupContent: ArraySlice<Unicode.Scalar>? {
    guard scalars.first == "(", let end = endOfGroup, end == scalars.endIndex else { return nil }
    let content = scalars.dropFirst().dropLast()
    guard content.first == "?" else { return content }
    if content.starts(with: "?:".unicodeScalars) { return content.dropFirst(2) }
    let isNamed =
      content.starts(with: "?<".unicodeScalars) && !content.starts(with: "?<=".unicodeScalars)
      && !content.starts(with: "?<!".unicodeScalars)
    guard isNamed, let name = content.firstIndex(of: ">") else { return nil }
    return content[(name + 1)...]
  }

  /// The index after the group at the beginning of the part, or `nil` if the group isn't closed.
  var endOfGroup: Int? {
    var depth = 0
    var end: Int?
    forEachScalar { index, isPlain in
      if isPlain, scalars[index] == "(" { depth += 1 }
      if isPlain, scalars[index] == ")" { depth -= 1 }
      if depth == 0 { end = index + 1 }
      return depth > 0
    }
    return end
  }

  /// Calls a closure for each scalar until the closure returns false.
  ///
  /// `isPlain` is true if the scalar is outside of escapes and classes.
  private func forEachScalar(_ body: (_ index: Int, _ isPlain: Bool) -> Bool) {
    var isEscaped = false
    var isInClass = false
    for index in scalars.indices {
      let scalar = scalars[index]
      var isPlain = false
      if isEscaped {
        isEscaped = false
      } else if scalar == "\\" {
        isEscaped = true
      } else if isInClass {
        if scalar == "]" { isInClass = false }
      } else if scalar == "[" {
        isInClass = true
      } else {
        isPlain = true
      }
      if !body(index, isPlain) { return }
    }
  }
}
