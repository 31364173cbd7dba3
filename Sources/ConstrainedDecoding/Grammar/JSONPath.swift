/// Writes paths to parts of a value: `$.cards[2].answer`, `$['Prep time']`.
package enum JSONPath {
  /// Returns the path step to a member: `.name`, or `['…']` if the name is not a plain word.
  package static func member(_ name: String) -> String {
    if isWord(name) { return "." + name }
    let escaped = name.flatMap { character -> [Character] in
      character == "'" || character == "\\" ? ["\\", character] : [character]
    }
    return "['" + String(escaped) + "']"
  }

  private static func isWord(_ name: String) -> Bool {
    guard let first = name.utf8.first, isLetter(first) else { return false }
    return name.utf8.allSatisfy { isLetter($0) || (0x30...0x39).contains($0) }
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "_") || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
  }
}
