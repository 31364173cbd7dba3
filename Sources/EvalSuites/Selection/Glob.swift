/// A pattern for names in which `*` matches any text, including the empty string.
struct Glob {
  private let parts: [Substring]

  /// Creates a pattern.
  ///
  /// - Parameter text: The pattern; all other characters match themselves.
  init(_ text: String) {
    parts = text.split(separator: "*", omittingEmptySubsequences: false)
  }

  /// Returns whether the pattern matches the whole name.
  ///
  /// The function searches for the parts between the stars from left to right, and takes the first
  /// match of each part.
  ///
  /// - Complexity: O(length of the pattern × length of the name).
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
