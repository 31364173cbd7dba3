extension OutlineParser {
  /// Parses the cases after the keyword `case`.
  mutating func cases(of outline: inout TypeOutline, prefix: MemberPrefix) {
    if prefix.modifiers.contains("indirect") { outline.isIndirect = true }
    let guide = guide(prefix)
    if !guide.guides.isEmpty {
      fail("a case can have a description, but no other guides", at: current)
    }
    repeat {
      position += 1
      guard let name = current, name.kind == .word else { return }
      var item = TypeOutline.Case(name: String(name.text), guide: guide)
      position += 1
      if current(is: "(") {
        let end = end(ofGroupAt: position)
        for part in parts(position + 1..<max(position + 1, end - 1)) {
          item.payload.append(payload(part, of: name))
        }
        position = end
        checkKeys(of: item, at: name)
      }
      if current(is: "=") {
        let start = position + 1
        position += 1
        while let token = current, !token.is(","), !token.is(";"), !token.is("}"),
          position == start || !token.startsLine
        { position += 1 }
        item.rawValue = text(start..<position)
      }
      outline.cases.append(item)
    } while current(is: ",")
  }

  private mutating func payload(_ range: Range<Int>, of name: Token) -> TypeOutline.Payload {
    var range = range
    var label: String?
    // `label: T`, `_ name: T` or `T`
    let words = range.prefix { tokens[$0].kind == .word }
    if (1...2).contains(words.count), words.endIndex < range.upperBound,
      tokens[words.endIndex].is(":")
    {
      if !tokens[range.lowerBound].is("_") { label = String(tokens[range.lowerBound].text) }
      range = words.endIndex + 1..<range.upperBound
    }
    if let equals = range.first(where: { tokens[$0].is("=") }) {
      range = range.lowerBound..<equals
    }
    let type = text(range)
    if let problem = TypeText(type).problem {
      fail(
        "`@Generable` can't generate the payload of `\(name.text)`: \(problem)",
        at: range.first.map { tokens[$0] })
    }
    return TypeOutline.Payload(label: label, type: type)
  }

  private mutating func checkKeys(of item: TypeOutline.Case, at name: Token) {
    let labels = item.payload.compactMap(\.label)
    if labels.contains("type") {
      fail(
        "`type` is reserved for the name of the case; give the payload of `\(item.name)` "
          + "another label",
        at: name)
    }
    if Set(item.keys).count < item.keys.count {
      fail("give every payload of `\(item.name)` a different label", at: name)
    }
  }
}

extension TypeOutline.Case {
  /// The name without backticks.
  var plainName: String { name.filter { $0 != "`" } }

  /// The keys of the payload.
  ///
  /// The key of a labeled value is its label. The key of a single unlabeled value is `value`. The
  /// keys of several unlabeled values are `value1`, `value2` and so on, numbered by position in the
  /// whole payload.
  var keys: [String] {
    let isAlone = payload.filter { $0.label == nil }.count == 1
    return payload.enumerated().map { index, value in
      value.label?.filter { $0 != "`" } ?? (isAlone ? "value" : "value\(index + 1)")
    }
  }
}
