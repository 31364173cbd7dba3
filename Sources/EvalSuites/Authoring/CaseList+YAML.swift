import StructuredText

extension CaseList {
  /// Adds elements to a list in a YAML text, in the style of the list's last element.
  ///
  /// - Parameters:
  ///   - drafts: The test cases.
  ///   - list: The node of the list, which isn't empty.
  ///   - text: The text.
  /// - Returns: The new text, or `nil` if the list isn't written with a dash before each element.
  static func itemsAdded(
    _ drafts: [CaseDraft], to list: SourceNode, in text: String
  ) -> String? {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map {
      // Swift treats CR LF as one character, so this call splits only at lone line feeds.
      String($0)
    }
    let lineEnd = lineEnd(in: text)
    if lineEnd == "\r\n" { lines = text.components(separatedByLineEnd: lineEnd) }
    guard let item = list.elements.last, lines.indices.contains(item.location.line - 1) else {
      return nil
    }
    let start = item.location.line - 1
    let head = lines[start].unicodeScalars.prefix(item.location.column - 1)
    let dash = head.prefix { $0 == " " }.count
    guard head.dropFirst(dash).first == "-",
      head.dropFirst(dash + 1).allSatisfy({ $0 == " " }), head.count > dash + 1
    else { return nil }
    let isFlow = lines[start].unicodeScalars.dropFirst(item.location.column - 1).first == "{"
    var end = start
    for (index, line) in lines.enumerated().dropFirst(start + 1) {
      if line.allSatisfy(\.isWhitespace) { continue }
      guard line.prefix(while: { $0 == " " }).count > dash else { break }
      end = index
    }
    let gap = String(repeating: " ", count: head.count - dash - 1)
    let items = drafts.flatMap { draft -> [String] in
      let indentation = String(repeating: " ", count: dash)
      if isFlow { return ["\(indentation)-\(gap)\(flow(draft.value))"] }
      let inner = block(draft.value)
      return inner.enumerated().map { index, line in
        let start = index == 0 ? "\(indentation)-\(gap)" : "\(indentation) \(gap)"
        return line.isEmpty ? "" : start + line
      }
    }
    let isLast = end == lines.count - 1
    lines.insert(contentsOf: items, at: end + 1)
    return lines.joined(separator: lineEnd) + (isLast ? lineEnd : "")
  }

  private static func flow(_ value: JSONObject) -> String {
    "{ " + value.members.map { "\(key($0.key)): \($0.value.compactText)" }.joined(separator: ", ")
      + " }"
  }

  private static func block(_ value: JSONObject) -> [String] {
    value.members.flatMap { member -> [String] in
      let name = key(member.key)
      guard case .string(let text) = member.value, let (mark, lines) = literal(text) else {
        let isPlain = member.key == "id" || member.key == "tags"
        let written = isPlain ? plain(member.value) : member.value.compactText
        return ["\(name): \(written)"]
      }
      return ["\(name): \(mark)"] + lines.map { $0.isEmpty ? "" : "  \($0)" }
    }
  }

  /// Returns an id or a list of tags in YAML; a text is put in quotes if YAML might not read it as
  /// a string.
  private static func plain(_ value: JSONValue) -> String {
    switch value {
    case .string(let text): isWord(text) ? text : value.compactText
    case .array(let values): "[" + values.map(plain).joined(separator: ", ") + "]"
    default: value.compactText
    }
  }

  private static func key(_ name: String) -> String {
    isWord(name) ? name : JSONValue.string(name).compactText
  }

  private static func isWord(_ text: String) -> Bool {
    let reserved = ["true", "false", "null", "yes", "no", "on", "off", "y", "n"]
    guard let first = text.utf8.first, !reserved.contains(text.lowercased()) else { return false }
    return UInt8(ascii: "a")...UInt8(ascii: "z") ~= first | 0x20
      && text.utf8.allSatisfy { byte in
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 || byte == UInt8(ascii: "_")
          || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || byte == UInt8(ascii: "-")
      }
  }

  /// Returns the header and the lines of a literal block for a text, or `nil` if the text has only
  /// one line or can't be written as a literal block.
  ///
  /// A literal block can't represent some kinds of white space and some other characters.
  private static func literal(_ text: String) -> (mark: String, lines: [String])? {
    guard text.contains("\n"), !text.hasPrefix(" "), !text.hasPrefix("\n"),
      text.unicodeScalars.allSatisfy({ scalar in
        scalar == "\n" || (0x20...0x7E).contains(scalar.value)
          || (0xA0...0xD7FF).contains(scalar.value) && ![0x2028, 0x2029].contains(scalar.value)
          || scalar.value >= 0x10000
      })
    else { return nil }
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let hasEnd = lines.last == ""
    if hasEnd { lines.removeLast() }
    guard lines.last != "", lines.allSatisfy({ $0.last != " " }) else { return nil }
    return (hasEnd ? "|" : "|-", lines)
  }
}

extension String {
  fileprivate func components(separatedByLineEnd lineEnd: String) -> [String] {
    split(separator: Character(lineEnd), omittingEmptySubsequences: false).map(String.init)
  }
}
