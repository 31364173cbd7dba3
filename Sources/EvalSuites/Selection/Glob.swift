/// A pattern for names in which `*` stands for any text, including none.
struct Glob {
  private let parts: [Substring]

  /// Creates a pattern.
  ///
  /// - Parameter text: The pattern; every character except `*` stands for itself.
  init(_ text: String) {
    parts = text.split(separator: "*", omittingEmptySubsequences: false)
  }

  /// Returns whether the pattern matches the whole name.
  ///
  /// The function looks for the parts between the stars from left to right, and takes the first
  /// position of each.
  ///
  /// - Complexity: At most the product of the lengths of the pattern and the name.
  func matches(_ name: String) -> Bool {
    guard let first = parts.first, let last = parts.last, name.hasPrefix(first) else {
      return false
    }
    if parts.count == 1 { return name == first }
    var rest = name[name.index(name.startIndex, offsetBy: first.count)...]
    for part in parts.dropFirst().dropLast() where !part.isEmpty {
      guard let found = rest.firstRange(of: part) else { return false }
      rest = rest[found.upperBound...]
    }
    return rest.hasSuffix(last)
  }
}
