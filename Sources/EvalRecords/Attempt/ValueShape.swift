import StructuredText

/// How long the arrays of an output are and which branches it took: what can be counted in a value
/// without knowing its schema.
package struct ValueShape: Sendable, Hashable {
  /// An array and its length.
  package struct ArrayLength: Sendable, Hashable {
    /// The array's path, with `[*]` for the elements on the way.
    package var path: String
    /// The number of its elements.
    package var length: Int
  }

  /// The arrays in the order in which they stand.
  package private(set) var arrays: [ArrayLength] = []
  /// The branch taken at each path that was asked for.
  package private(set) var branches: [String: String] = [:]

  /// Reads an output.
  ///
  /// - Parameters:
  ///   - output: The text of a value.
  ///   - paths: The paths of enums: a string enum's case is the string, a payload enum's is under
  ///     the key `type`.
  /// - Returns: nil where the text is no JSON value.
  package init?(output: String, branchesAt paths: Set<String> = []) {
    guard let value = try? JSONValue(parsing: output) else { return nil }
    // The reader limits the nesting, so that the walk's depth is limited too.
    walk(value, "$", paths)
  }

  private mutating func walk(_ value: JSONValue, _ path: String, _ paths: Set<String>) {
    if paths.contains(path), let branch = value.string ?? value["type"]?.string {
      branches[path] = branch
    }
    switch value {
    case .array(let elements):
      arrays.append(ArrayLength(path: path, length: elements.count))
      for element in elements { walk(element, path + "[*]", paths) }
    case .object(let members):
      for (name, member) in members {
        // A leaf that nobody asks for needs no path.
        if paths.isEmpty, member.array == nil, member.object == nil { continue }
        walk(member, path + Self.step(name), paths)
      }
    case .null, .bool, .number, .string: return
    }
  }

  private static func step(_ name: String) -> String {
    let isPlain =
      name.utf8.first.map { $0 < 0x30 || $0 > 0x39 } == true
      && name.utf8.allSatisfy { byte in
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
          || (0x61...0x7A).contains(byte) || byte == 0x5F || byte >= 0x80
      }
    if isPlain { return "." + name }
    let escaped = name.map { $0 == "'" || $0 == "\\" ? "\\\($0)" : String($0) }.joined()
    return "['\(escaped)']"
  }

  /// A path with `[*]` for every index: `$.days[2].items` → `$.days[*].items`.
  ///
  /// Brackets inside a quoted name stay as they are.
  package static func withoutIndices(_ path: String) -> String {
    guard path.utf8.contains(UInt8(ascii: "[")) else { return path }
    var result: [UInt8] = []
    var digits: [UInt8] = []
    var isInBrackets = false
    var isInQuotes = false
    for byte in path.utf8 {
      if isInBrackets, (0x30...0x39).contains(byte) {
        digits.append(byte)
        continue
      }
      if isInBrackets, byte == UInt8(ascii: "]"), !digits.isEmpty {
        result.append(contentsOf: "*]".utf8)
        digits = []
        isInBrackets = false
        continue
      }
      result.append(contentsOf: digits)
      digits = []
      if byte == UInt8(ascii: "'"), isInQuotes ? result.last != UInt8(ascii: "\\") : isInBrackets {
        isInQuotes.toggle()
      }
      result.append(byte)
      isInBrackets = byte == UInt8(ascii: "[") && !isInQuotes
    }
    return String(decoding: result + digits, as: UTF8.self)
  }
}
