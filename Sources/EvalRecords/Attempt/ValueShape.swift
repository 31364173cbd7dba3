import StructuredText

/// The lengths of an output's arrays and the branches that the output took.
///
/// Both can be determined without a schema.
package struct ValueShape: Sendable, Hashable {
  /// An array and its length.
  package struct ArrayLength: Sendable, Hashable {
    /// The array's path, with `[*]` in place of indices.
    package var path: String
    /// The number of elements.
    package var length: Int
  }

  /// The arrays in the order in which they occur.
  package private(set) var arrays: [ArrayLength] = []
  /// The branch taken at each requested path.
  package private(set) var branches: [String: String] = [:]

  /// Creates a shape by parsing an output.
  ///
  /// - Parameters:
  ///   - output: The text of a value.
  ///   - paths: The paths of enums. The enum case is the value itself for a string enum, and the
  ///     string under the key `type` for a payload enum.
  /// - Returns: `nil` if the text is not a JSON value.
  package init?(output: String, branchesAt paths: Set<String> = []) {
    guard let value = try? JSONValue(parsing: output) else { return nil }
    // The parser limits the nesting, so it also limits the depth of this walk.
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
        // If no branches are requested, a leaf needs no path.
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

  /// Returns a normalized path, with `[*]` in place of each array index: `$.days[2].items` →
  /// `$.days[*].items`, `$['cards']` → `$.cards`.
  ///
  /// - Parameter path: A path. If a part can't be parsed, it and everything after it stay
  ///   unchanged.
  package static func pattern(_ path: String) -> String {
    guard path.utf8.contains(UInt8(ascii: "[")) else { return path }
    var rest = Substring(path)
    var result = ""
    while let open = rest.firstIndex(of: "[") {
      result += rest[..<open]
      guard let (step, end) = bracketed(rest[open...]) else { return result + rest[open...] }
      result += step
      rest = rest[end...]
    }
    return result + rest
  }

  /// Parses `[2]`, `[*]` or `['name']` at the beginning of a text.
  ///
  /// - Returns: The normalized step and its end, or `nil` if the text doesn't begin with a step.
  private static func bracketed(_ text: Substring) -> (step: String, end: Substring.Index)? {
    let inside = text.dropFirst()
    guard let first = inside.first else { return nil }
    guard first == "'" || first == "\"" else {
      guard let close = inside.firstIndex(of: "]") else { return nil }
      let isIndex =
        inside[..<close] == "*" || inside[..<close].utf8.allSatisfy { 0x30...0x39 ~= $0 }
      return isIndex ? ("[*]", inside.index(after: close)) : nil
    }
    var name = ""
    var position = inside.index(after: inside.startIndex)
    while position < inside.endIndex, inside[position] != first {
      if inside[position] == "\\" {
        position = inside.index(after: position)
        guard position < inside.endIndex else { return nil }
      }
      name.append(inside[position])
      position = inside.index(after: position)
    }
    guard position < inside.endIndex else { return nil }
    position = inside.index(after: position)
    guard position < inside.endIndex, inside[position] == "]" else { return nil }
    return (step(name), inside.index(after: position))
  }
}
