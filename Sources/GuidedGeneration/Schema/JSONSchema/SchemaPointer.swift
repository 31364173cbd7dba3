import StructuredText

/// JSON pointers (RFC 6901) into a schema document.
enum SchemaPointer {
  /// Returns the pointer to a definition, or `#` for the root itself.
  static func reference(to name: String) -> String {
    name == SchemaNode.rootName ? "#" : "#/$defs/" + escaped(name)
  }

  /// Returns the value that a pointer leads to, or `nil` if the pointer leads nowhere.
  static func value(at pointer: String, in document: JSONValue) -> JSONValue? {
    var value = document
    for part in parts(of: pointer) {
      let key = unescaped(part)
      switch value {
      case .object(let object):
        guard let next = object[key] else { return nil }
        value = next
      case .array(let elements):
        guard let index = Int(key), elements.indices.contains(index) else { return nil }
        value = elements[index]
      default: return nil
      }
    }
    return value
  }

  /// Returns the pointer with every part escaped in the canonical way.
  static func canonical(_ pointer: String) -> String {
    // Only a tilde can be written in two ways.
    guard pointer.utf8.contains(tilde) else { return pointer }
    return parts(of: pointer).reduce("#") { $0 + "/" + escaped(unescaped($1)) }
  }

  /// Returns the pointer to a member, or the given pointer if it already has the maximum length.
  static func child(of path: String, _ key: String) -> String {
    path.utf8.count < longestPath ? path + "/" + escaped(key) : path
  }

  /// Returns the keywords on the way to a schema or its keyword, without names and positions.
  static func keywords(of pointer: String) -> [Substring] {
    let naming: Set<Substring> = [
      "properties", "patternProperties", "$defs", "definitions", "dependentSchemas",
      "dependencies",
    ]
    var keywords: [Substring] = []
    var steps = pointer.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
    while let step = steps.popFirst() {
      keywords.append(step)
      if naming.contains(step) || steps.first.flatMap({ Int($0) }) != nil { _ = steps.popFirst() }
    }
    return keywords
  }

  private static let longestPath = 4096

  /// Returns the parts of a pointer between its slashes, without the leading `#/`.
  private static func parts(of pointer: String) -> [Substring] {
    let bytes = pointer.utf8.dropFirst(2)
    return bytes.split(separator: slash, omittingEmptySubsequences: false).map { Substring($0) }
  }

  // Bytes, not characters: in a name, a combining mark may follow a slash.

  private static func escaped(_ name: String) -> String {
    guard name.utf8.contains(where: { $0 == tilde || $0 == slash }) else { return name }
    var bytes: [UInt8] = []
    for byte in name.utf8 {
      switch byte {
      case tilde: bytes += [tilde, zero]
      case slash: bytes += [tilde, one]
      default: bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func unescaped(_ name: Substring) -> String {
    guard name.utf8.contains(tilde) else { return String(name) }
    var bytes: [UInt8] = []
    var rest = name.utf8[...]
    while let byte = rest.popFirst() {
      guard byte == tilde, let code = rest.first, code == zero || code == one else {
        bytes.append(byte)
        continue
      }
      rest.removeFirst()
      bytes.append(code == zero ? tilde : slash)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static let tilde = UInt8(ascii: "~")
  private static let slash = UInt8(ascii: "/")
  private static let zero = UInt8(ascii: "0")
  private static let one = UInt8(ascii: "1")
}

extension String {
  /// The text with escapes such as `%20` decoded, or the text itself if the result isn't valid
  /// text.
  var removingPercentEscapes: String {
    if !utf8.contains(UInt8(ascii: "%")) { return self }
    var bytes: [UInt8] = []
    var rest = Array(utf8)[...]
    while let byte = rest.popFirst() {
      let digits = rest.prefix(2)
      if byte == UInt8(ascii: "%"), digits.count == 2,
        let code = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
      {
        bytes.append(code)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(validating: bytes, as: UTF8.self) ?? self
  }
}
