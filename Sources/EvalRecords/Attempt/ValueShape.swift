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
      for element in elements { walk(element, path + JSONPlace.Step.wildcard.text, paths) }
    case .object(let members):
      for (name, member) in members {
        // If no branches are requested, a leaf needs no path.
        if paths.isEmpty, member.array == nil, member.object == nil { continue }
        walk(member, path + JSONPlace.Step.name(name).text, paths)
      }
    case .null, .bool, .number, .string: return
    }
  }
}
