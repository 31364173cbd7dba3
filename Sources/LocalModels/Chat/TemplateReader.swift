/// Finds facts in the source of a chat template, in one pass and without running it.
///
/// A template is text with tags: `{{ … }}` writes a value, `{% … %}` is a statement, and `{# … #}`
/// is a comment. Strings in tags have single or double quotes.
struct TemplateReader {
  /// The texts that the template writes as a whole, for example `<|im_start|>system\nHello`.
  ///
  /// Strings that follow each other, as in `'a' + 'b'` or `{{ 'a' }}{{ 'b' }}`, are one text. Texts
  /// that are written only if there are tools are left out.
  private var texts: [String] = [""]
  /// The default system text that the template assigns to a variable, if it does.
  private var assigned: String?
  /// The code of all tags, without white space.
  private var code = ""
  /// For each `if` statement that is open, whether its condition asks for tools.
  private var conditions: [Bool] = []
  /// The number of open statements whose condition asks for tools.
  private var toolConditions = 0

  init(_ source: String) {
    var rest = Substring(source).unicodeScalars
    var plain = String.UnicodeScalarView()
    while let scalar = rest.popFirst() {
      guard scalar == "{", let kind = rest.first, "{%#".unicodeScalars.contains(kind) else {
        plain.append(scalar)
        continue
      }
      rest.removeFirst()
      write(String(plain))
      plain.removeAll()
      if kind == "#" {
        Self.skipComment(&rest)
      } else {
        readTag(&rest, closing: kind == "{" ? "}" : "%", isStatement: kind == "%")
      }
    }
    write(String(plain))
  }

  /// Whether the template removes the white space at the ends of messages.
  var trimsTexts: Bool {
    ["content", "content']"].contains { name in
      ["|trim", ".strip()"].contains { code.contains(name + $0) }
    }
  }

  /// Returns the text of the system turn that the template writes by default, or `nil` if it writes
  /// none, or none that is a fixed text.
  func defaultSystem(_ format: ChatFormat) -> String? {
    guard let (opening, closing) = format.systemTurnEnds else { return nil }
    for text in texts.lazy.map(\.unicodeScalars) {
      guard let start = text.firstRange(of: opening.unicodeScalars)?.upperBound,
        let end = text[start...].firstRange(of: closing.unicodeScalars)?.lowerBound, start < end
      else { continue }
      return String(text[start..<end])
    }
    return assigned
  }

  // MARK: Reading

  private mutating func write(_ text: String) {
    guard toolConditions == 0 else { return }
    // White space between tags is layout.
    if text.unicodeScalars.contains(where: { !$0.properties.isWhitespace }) {
      texts[texts.count - 1] += text
    }
  }

  private mutating func endText() { if texts.last != "" { texts.append("") } }

  /// Reads the rest of a tag.
  private mutating func readTag(
    _ rest: inout Substring.UnicodeScalarView, closing: Unicode.Scalar, isStatement: Bool
  ) {
    var words = ""
    var strings: [String] = []
    if isStatement { endText() }
    while let scalar = rest.popFirst() {
      if scalar == closing, rest.first == "}" {
        rest.removeFirst()
        break
      }
      if scalar == "'" || scalar == "\"" {
        let string = Self.string(&rest, quote: scalar)
        strings.append(string)
        words += "'\(string)'"
        if !isStatement { write(string) }
      } else if !scalar.properties.isWhitespace {
        words.unicodeScalars.append(scalar)
        // Anything but an operator that joins texts writes an unknown text.
        if !isStatement, !"+~-()".unicodeScalars.contains(scalar) { endText() }
      }
    }
    code += words
    if isStatement { take(statement: words, strings) }
  }

  /// Follows the conditions, and notes the default system text.
  private mutating func take(statement words: String, _ strings: [String]) {
    let words = words.drop { $0 == "-" || $0 == "+" }
    let whole = words.last == "-" ? words.dropLast() : words
    if words.hasPrefix("if") {
      open(String(words))
    } else if words.hasPrefix("elif") || words.hasPrefix("else") {
      close()
      open(String(words))
    } else if words.hasPrefix("endif") {
      close()
    } else if assigned == nil, toolConditions == 0, let string = strings.first,
      strings.count == 1, !string.isEmpty,
      Self.names.contains(where: { "set\($0)='\(string)'" == whole })
    {
      assigned = string
    }
  }

  private mutating func open(_ condition: String) {
    let asksForTools = condition.contains("tools") && !condition.contains("nottools")
    conditions.append(asksForTools)
    if asksForTools { toolConditions += 1 }
  }

  private mutating func close() {
    if conditions.popLast() == true { toolConditions -= 1 }
  }

  /// The variables to which templates assign a default system text.
  private static let names = [
    "system_message", "default_system_message", "system_prompt", "default_system_prompt",
  ]

  private static func skipComment(_ rest: inout Substring.UnicodeScalarView) {
    while let scalar = rest.popFirst() {
      if scalar == "#", rest.first == "}" {
        rest.removeFirst()
        return
      }
    }
  }

  /// Reads the rest of a string, up to its closing quote.
  private static func string(
    _ rest: inout Substring.UnicodeScalarView, quote: Unicode.Scalar
  ) -> String {
    var text = String.UnicodeScalarView()
    while let scalar = rest.popFirst(), scalar != quote {
      guard scalar == "\\", let next = rest.popFirst() else {
        text.append(scalar)
        continue
      }
      switch next {
      case "n": text.append("\n")
      case "t": text.append("\t")
      case "r": text.append("\r")
      case "\\", "'", "\"": text.append(next)
      default:
        text.append(scalar)
        text.append(next)
      }
    }
    return String(text)
  }
}
