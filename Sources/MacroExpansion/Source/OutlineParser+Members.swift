/// The attributes and modifiers before a member.
struct MemberPrefix {
  var attributes: [AttributeOutline] = []
  var modifiers: Set<Substring> = []

  var isStatic: Bool { modifiers.contains("static") || modifiers.contains("class") }

  /// The access level to write before a generated member.
  var access: String {
    for level in ["public", "package", "fileprivate", "private"]
    where modifiers.contains(level[...]) { return level + " " }
    return modifiers.contains("open") ? "public " : ""
  }
}

extension OutlineParser {
  private static let modifiers: Set<Substring> = [
    "public", "package", "internal", "fileprivate", "private", "open", "static", "class", "final",
    "lazy", "weak", "unowned", "override", "mutating", "nonmutating", "nonisolated", "dynamic",
    "indirect", "required", "convenience", "optional", "isolated", "borrowing", "consuming",
    "distributed", "prefix", "postfix", "infix",
  ]
  private static let introducers: Set<Substring> = [
    "struct", "enum", "class", "actor", "extension", "protocol", "func", "init", "deinit",
    "subscript", "macro",
  ]

  /// Parses the members of a type up to its closing brace.
  mutating func members(of outline: inout TypeOutline) {
    var prefix = MemberPrefix()
    var conditionDepth = 0
    while let token = current, !token.is("}") {
      if token.is("@") {
        prefix.attributes.append(attribute())
      } else if token.is("#") {
        conditionDepth += directive()
      } else if isModifier(token) {
        prefix.modifiers.insert(token.text)
        position += 1
        // `private(set)` doesn't restrict reading the property.
        if current(is: "("), current?.followsSpace == false {
          if peek(1)?.is("set") ?? false { prefix.modifiers.remove(token.text) }
          skipGroup()
        }
      } else {
        switch token.text {
        case "var" where token.kind == .word, "let" where token.kind == .word:
          let count = outline.properties.count
          bindings(of: &outline, prefix: prefix)
          if conditionDepth > 0, outline.properties.count > count {
            fail(
              "`@Generable` can't tell whether this is compiled; move "
                + "`\(outline.properties[count].name)` out of `#if`", at: token)
          }
        case "case" where token.kind == .word && outline.kind == .enum:
          cases(of: &outline, prefix: prefix)
        case "typealias", "associatedtype", "import":
          if let name = peek(1) { outline.ownNames.insert(String(name.text)) }
          position += 1
          while let token = current, !token.startsLine, !token.is("}"), !token.is(";") {
            if token.opensGroup { skipGroup() } else { position += 1 }
          }
        case _ where token.kind == .word && Self.introducers.contains(token.text):
          declaration(of: &outline)
        default:
          if token.opensGroup { skipGroup() } else { position += 1 }
        }
        prefix = MemberPrefix()
      }
    }
  }

  private func isModifier(_ token: Token) -> Bool {
    guard token.kind == .word, Self.modifiers.contains(token.text) else { return false }
    // `class func` and `class Name { }` begin with the same keyword.
    guard token.is("class"), let next = peek(1) else { return true }
    return next.is("func") || next.is("var") || next.is("let") || next.is("subscript")
      || Self.modifiers.contains(next.text)
  }

  /// Skips `#if`, `#else`, `#endif` or another directive.
  ///
  /// - Returns: The change in the number of open conditions.
  private mutating func directive() -> Int {
    position += 1
    let name = current?.text
    while let token = current, !token.startsLine, !token.is("}") {
      if token.opensGroup { skipGroup() } else { position += 1 }
    }
    return name == "if" ? 1 : name == "endif" ? -1 : 0
  }

  /// Skips a nested type, a function or an initializer, and records its name in the outline.
  private mutating func declaration(of outline: inout TypeOutline) {
    let introducer = current
    position += 1
    if let name = current, name.kind == .word { outline.ownNames.insert(String(name.text)) }
    if introducer?.is("init") ?? false, isContentInitializer() {
      outline.hasContentInitializer = true
    }
    while let token = current, !token.is("{") {
      if token.is("}") { return }
      if token.opensGroup { skipGroup() } else { position += 1 }
    }
    skipGroup()
  }

  /// Returns whether `(_ content: GeneratedContent)` comes next.
  private func isContentInitializer() -> Bool {
    guard current(is: "("), peek(1)?.is("_") ?? false, peek(3)?.is(":") ?? false else {
      return false
    }
    let end = end(ofGroupAt: position)
    return end - position >= 6 && tokens[end - 2].is("GeneratedContent")
  }
}
