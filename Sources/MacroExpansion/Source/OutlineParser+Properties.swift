extension OutlineParser {
  private struct Binding {
    var name: Token
    var type: String?
    var value: Range<Int>?
    var isComputed = false
  }

  /// Parses the bindings after `var` or `let`.
  mutating func bindings(of outline: inout TypeOutline, prefix: MemberPrefix) {
    let isConstant = current(is: "let")
    var bindings: [Binding] = []
    repeat {
      position += 1
      guard let name = current else { return }
      if name.is("(") {
        skipGroup()
        _ = typeAnnotation()
        _ = initialValue(isTyped: false)
        if !prefix.isStatic {
          fail("`@Generable` needs one `var` or `let` for each property", at: name)
        }
        continue
      }
      var binding = Binding(name: name)
      position += 1
      binding.type = typeAnnotation()
      binding.value = initialValue(isTyped: binding.type != nil)
      if current(is: "{") {
        let isObserved = peek(1)?.is("didSet") ?? false || peek(1)?.is("willSet") ?? false
        binding.isComputed = !isObserved && binding.value == nil
        skipGroup()
      }
      bindings.append(binding)
    } while current(is: ",")
    shareTypes(&bindings)
    for binding in bindings {
      outline.ownNames.insert(unquoted(binding.name.text))
      if prefix.isStatic || prefix.modifiers.contains("lazy") || binding.isComputed { continue }
      if isConstant, binding.value != nil { continue }
      if let property = property(binding, isConstant: isConstant, prefix, of: outline) {
        outline.properties.append(property)
      }
    }
  }

  /// Returns the first stored property of a declaration, or `nil` if there is none.
  static func storedProperty(of declaration: String) -> StoredProperty? {
    var parser = OutlineParser(declaration)
    while let token = parser.current {
      if token.is("@") {
        _ = parser.attribute()
        continue
      }
      guard token.is("var") || token.is("let") else {
        parser.position += 1
        continue
      }
      parser.position += 1
      guard let name = parser.current, name.kind == .word else { return nil }
      parser.position += 1
      let type = parser.typeAnnotation()
      let value = parser.initialValue(isTyped: type != nil)
      return StoredProperty(
        name: String(name.text), type: type, value: value.map { parser.text($0) },
        isConstant: token.is("let"), offset: name.range.lowerBound)
    }
    return nil
  }

  /// Copies type annotations backwards, because the annotation in `var a, b: Int` applies to both
  /// names.
  private func shareTypes(_ bindings: inout [Binding]) {
    var type: String?
    for index in bindings.indices.reversed() {
      if bindings[index].type != nil {
        type = bindings[index].type
      } else if bindings[index].value == nil {
        bindings[index].type = type
      }
    }
  }

  private mutating func property(
    _ binding: Binding, isConstant: Bool, _ prefix: MemberPrefix, of outline: TypeOutline
  ) -> TypeOutline.Property? {
    let name = binding.name
    let isGuided = prefix.attributes.contains { $0.name == "Guide" }
    guard let type = binding.type else {
      // A property with a value but no type annotation, such as `var id = UUID()`, is not
      // generated. The app sets it.
      if binding.value == nil || isGuided {
        fail("`@Generable` needs the type of `\(name.text)`; write it after a colon", at: name)
      }
      return nil
    }
    if let problem = TypeText(type).problem {
      fail("`@Generable` can't generate `\(name.text)`: \(problem)", at: name)
      return nil
    }
    if outline.kind == .actor, !isConstant {
      fail("the generated code reads the actor from outside; make `\(name.text)` a `let`", at: name)
      return nil
    }
    let guide = guide(prefix)
    let problems = guide.guides.compactMap { GuideCheck.problem(with: $0, on: TypeText(type)) }
    if let problem = problems.first {
      fail("`\(name.text)`: \(problem)", at: name)
      return nil
    }
    return TypeOutline.Property(
      name: String(name.text), type: type, access: prefix.access, guide: guide)
  }

  /// Returns the combined content of a member's `@Guide` attributes.
  func guide(_ prefix: MemberPrefix) -> TypeOutline.Guide {
    var guide = TypeOutline.Guide()
    for attribute in prefix.attributes where attribute.name == "Guide" {
      guide.attributeCount += 1
      for argument in attribute.arguments {
        if argument.label == "description" {
          guide.descriptions.append(argument.source)
        } else if argument.label == nil {
          guide.guides.append(argument.source)
        }
      }
    }
    return guide
  }

  func unquoted(_ name: Substring) -> String { name.filter { $0 != "`" } }

  // MARK: Annotations and values

  /// Parses the type after a colon, as source text.
  private mutating func typeAnnotation() -> String? {
    guard current(is: ":") else { return nil }
    position += 1
    let start = position
    var angles = 0
    while let token = current {
      if token.is("<") { angles += 1 }
      if token.is(">"), angles > 0 { angles -= 1 }
      if angles == 0 {
        if token.is("=") || token.is("{") || token.is("}") || token.is(";") || token.is(",") {
          break
        }
        let continues =
          token.is(".") || token.is("->") || token.is("&") || tokens[position - 1].is("->")
          || tokens[position - 1].is("&") || tokens[position - 1].is(".")
        if token.startsLine, position > start, !continues { break }
      }
      if token.is("(") || token.is("[") { skipGroup() } else { position += 1 }
    }
    return text(start..<position)
  }

  /// Returns the tokens of the value after an equals sign.
  private mutating func initialValue(isTyped: Bool) -> Range<Int>? {
    guard current(is: "=") else { return nil }
    position += 1
    let start = position
    while let token = current {
      if token.is(",") || token.is(";") || token.is("}") { break }
      if position > start {
        if token.startsLine, !continuesLine(token) { break }
        if token.is("{"),
          peek(1)?.is("didSet") ?? false || peek(1)?.is("willSet") ?? false
        {
          break
        }
      }
      if token.opensGroup {
        skipGroup()
      } else if token.is("<"), !token.followsSpace {
        skipGenericArguments()
      } else {
        position += 1
      }
    }
    return start..<position
  }

  /// Skips a generic argument list such as `<A, B>`, or only the `<` if it is an operator.
  private mutating func skipGenericArguments() {
    let start = position
    var depth = 0
    while let token = current, !token.startsLine, !token.is("="), !token.is("{") {
      if token.is("<") { depth += 1 }
      if token.is(">") { depth -= 1 }
      if token.is("(") || token.is("[") { skipGroup() } else { position += 1 }
      if depth == 0 { return }
    }
    position = start + 1
  }

  /// Returns whether a token at the start of a line continues the expression on the previous line.
  private func continuesLine(_ token: Token) -> Bool {
    if token.kind == .punctuation, !token.is("@"), !token.is("#"), !token.opensGroup { return true }
    let last = tokens[position - 1]
    return last.kind == .punctuation && !last.closesGroup && !last.is("?") && !last.is("!")
      && !last.is(">")
  }
}
