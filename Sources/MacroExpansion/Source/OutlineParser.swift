/// Parses the declaration of a type into its outline.
struct OutlineParser {
  let source: String
  let tokens: [Token]
  var position = 0
  var diagnostics: [Diagnostic] = []

  init(_ source: String) {
    self.source = source
    tokens = Scanner.tokens(of: source)
  }

  /// Returns the outline of a type declaration, or diagnostics if the declaration has problems.
  static func outline(of source: String) -> (outline: TypeOutline?, diagnostics: [Diagnostic]) {
    var parser = OutlineParser(source)
    let outline = parser.type()
    return (parser.diagnostics.isEmpty ? outline : nil, parser.diagnostics)
  }

  /// Parses a single attribute without a declaration.
  static func attribute(_ source: String) -> AttributeOutline? {
    var parser = OutlineParser(source)
    while let token = parser.current, !token.is("@") { parser.position += 1 }
    return parser.current == nil ? nil : parser.attribute()
  }

  // MARK: Tokens

  var current: Token? { position < tokens.count ? tokens[position] : nil }

  func peek(_ offset: Int) -> Token? {
    let index = position + offset
    return tokens.indices.contains(index) ? tokens[index] : nil
  }

  func current(is text: String) -> Bool { current?.is(text) ?? false }

  /// Returns the source text of a range of tokens.
  func text(_ range: Range<Int>) -> String {
    guard !range.isEmpty, range.upperBound <= tokens.count else { return "" }
    let utf8 = source.utf8
    let start = utf8.index(utf8.startIndex, offsetBy: tokens[range.lowerBound].range.lowerBound)
    let end = utf8.index(
      utf8.startIndex, offsetBy: tokens[range.upperBound - 1].range.upperBound)
    return String(source[start..<end])
  }

  /// Returns the index after the group that begins with the given token.
  func end(ofGroupAt start: Int) -> Int {
    var depth = 0
    for index in start..<tokens.count {
      if tokens[index].opensGroup { depth += 1 }
      if tokens[index].closesGroup { depth -= 1 }
      if depth == 0 { return index + 1 }
    }
    return tokens.count
  }

  mutating func skipGroup() { position = end(ofGroupAt: position) }

  /// Splits a range at commas, except for commas in groups and generic argument lists.
  func parts(_ range: Range<Int>) -> [Range<Int>] {
    var parts: [Range<Int>] = []
    var start = range.lowerBound
    var index = start
    var angles = 0
    while index < range.upperBound {
      let token = tokens[index]
      if token.opensGroup {
        index = min(end(ofGroupAt: index), range.upperBound)
        continue
      }
      if token.is("<"), !token.followsSpace { angles += 1 }
      if token.is(">"), angles > 0 { angles -= 1 }
      if token.is(","), angles == 0 {
        parts.append(start..<index)
        start = index + 1
      }
      index += 1
    }
    if start < range.upperBound { parts.append(start..<range.upperBound) }
    return parts
  }

  mutating func fail(_ message: String, at token: Token?) {
    diagnostics.append(
      Diagnostic(message: message, offset: token?.range.lowerBound ?? 0))
  }

  // MARK: Attributes

  /// Parses the attribute that begins with the `@` at the current position.
  mutating func attribute() -> AttributeOutline {
    let offset = current?.range.lowerBound ?? 0
    position += 1
    var attribute = AttributeOutline(name: "", offset: offset)
    while let token = current, token.kind == .word {
      attribute.name = String(token.text)
      position += 1
      guard current(is: "."), peek(1)?.kind == .word else { break }
      position += 1
    }
    if current(is: "<"), current?.followsSpace == false {
      skipAngles()
    }
    if let token = current, token.is("("), !token.followsSpace {
      let end = end(ofGroupAt: position)
      attribute.arguments = parts(position + 1..<max(position + 1, end - 1)).map(argument)
      position = end
    }
    return attribute
  }

  private func argument(_ range: Range<Int>) -> AttributeOutline.Argument {
    let hasLabel =
      range.count > 2 && tokens[range.lowerBound].kind == .word
      && tokens[range.lowerBound + 1].is(":")
    guard hasLabel else { return .init(label: nil, source: text(range)) }
    return .init(
      label: String(tokens[range.lowerBound].text),
      source: text(range.lowerBound + 2..<range.upperBound))
  }

  // MARK: Types

  private static let otherTypes: Set<Substring> = ["class", "protocol", "extension"]

  private mutating func type() -> TypeOutline? {
    var access = ""
    var isIndirect = false
    while let token = current {
      if token.is("@") {
        _ = attribute()
        continue
      }
      if token.kind == .word {
        if token.is("public") || token.is("package") { access = "\(token.text) " }
        if token.is("indirect") { isIndirect = true }
        if let kind = TypeOutline.Kind(rawValue: String(token.text)),
          let name = peek(1), name.kind == .word
        {
          position += 2
          var outline = TypeOutline(
            kind: kind, name: String(name.text), access: access, isIndirect: isIndirect)
          outline.inherited = inheritance()
          position += 1
          members(of: &outline)
          if kind == .enum, outline.cases.isEmpty, diagnostics.isEmpty {
            fail(
              "`@Generable` needs an enum with at least one case, but `\(name.text)` has none",
              at: name)
          }
          return outline
        }
        if Self.otherTypes.contains(token.text), peek(1)?.kind == .word {
          fail(
            "`@Generable` belongs on a struct, an actor or an enum; make "
              + "`\(peek(1)?.text ?? "")` a struct", at: token)
          return nil
        }
      }
      position += 1
    }
    fail("`@Generable` belongs on a struct, an actor or an enum", at: tokens.first)
    return nil
  }

  /// Parses the inherited types after the colon, up to the type's opening brace.
  private mutating func inheritance() -> [String] {
    var start: Int?
    while let token = current, !token.is("{"), !token.is("where") {
      if token.is("<"), start == nil {
        skipAngles()
        continue
      }
      if token.is(":"), start == nil { start = position + 1 }
      position += 1
    }
    let inherited = start.map { parts($0..<position).map(text) } ?? []
    while let token = current, !token.is("{") { _ = token; position += 1 }
    return inherited
  }

  mutating func skipAngles() {
    var depth = 0
    while let token = current {
      if token.is("<") { depth += 1 }
      if token.is(">") { depth -= 1 }
      position += 1
      if depth == 0 { return }
    }
  }
}
