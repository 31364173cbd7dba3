import Patterns

/// Reads the patterns of a document, and refuses those that Assay can't compile.
///
/// Each pattern is read only once, because several places may have the same pattern.
final class PatternReader {
  private struct Key: Hashable {
    /// The pattern as bytes, because Swift considers strings in different normal forms equal.
    var pattern: [UInt8]
    var isSearched: Bool
  }

  private let compiles: Bool
  private var known: [Key: PatternLookahead] = [:]

  /// Creates a reader.
  ///
  /// - Parameter compiles: Whether the reader also refuses a pattern whose syntax is supported but
  ///   whose automaton is too large.
  init(compiles: Bool) { self.compiles = compiles }

  /// Reads a pattern for strings.
  ///
  /// - Parameters:
  ///   - written: The pattern.
  ///   - isSearched: Whether the pattern may match any part of a string instead of the whole
  ///     string.
  ///   - keyword: The keyword to which the pattern belongs.
  ///   - path: The place of the pattern.
  func pattern(
    _ written: String, isSearched: Bool, keyword: String = "pattern", at path: String
  ) throws(SchemaReadError) -> PatternLookahead {
    let key = Key(pattern: Array(written.utf8), isSearched: isSearched)
    if let read = known[key] { return read }
    do throws(PatternError) {
      let read = try PatternLookahead(written, isSearched: isSearched)
      for pattern in [read.pattern] + read.others + read.excluded {
        try check(pattern, of: written)
      }
      known[key] = read
      return read
    } catch {
      let start = written.prefix(80)
      let shown = start.endIndex == written.endIndex ? written : start + "…"
      throw SchemaReadError(at: path, .refusedKeyword(keyword, reason: "\"\(shown)\": \(error)"))
    }
  }

  /// Reads a pattern for keys, which may match any part of a key.
  func keyPattern(_ written: String, at path: String) throws(SchemaReadError) -> String {
    let keyword = "patternProperties"
    let read = try pattern(written, isSearched: true, keyword: keyword, at: path)
    guard read.others.isEmpty, read.excluded.isEmpty else {
      throw SchemaReadError(
        at: path, .refusedKeyword(keyword, reason: "look-ahead is not supported in a key's pattern")
      )
    }
    return read.pattern
  }

  private func check(_ pattern: String, of written: String) throws(PatternError) {
    do throws(PatternError) {
      try Pattern.checkSyntax(of: pattern)
      if compiles { _ = try Pattern(parsing: pattern) }
    } catch {
      // A position in another text than the written one helps nobody.
      let isWritten = pattern.utf8.elementsEqual(written.utf8)
      throw PatternError(
        at: isWritten ? error.offset : nil, error.problem, allowed: error.allowed)
    }
  }
}
