/// A trie of byte strings, and a second trie of the strings that begin with white space, without
/// that white space.
///
/// ```
///                        trie                  blank     rest
/// {   ":   the           all of them
/// ␣   ⏎␣␣                all of them           these
/// ␣{   ⏎␣␣{   ␣"a        all of them                     {  (two values)   "a
/// ```
///
/// As in `TokenTrie`, each string has a value. If the mode allows any white space, the same text
/// may follow any amount of it. So a single walk through `rest` finds the tokens that fit, instead
/// of one walk through `trie` for every run of white space that begins a token.
final class SpacedTrie: Sendable {
  let trie: TokenTrie
  /// The values whose strings consist only of white space.
  let blank: [Int32]
  /// For each value in `blank`, the numbers of line feeds and blanks in its string.
  let blankRuns: [WhitespaceRun]
  /// The texts after leading white space, without empty texts; the values are indices into
  /// `groups`.
  let rest: TokenTrie
  /// The values, grouped by the text after the leading white space of their strings.
  let groups: [[Int32]]
  /// For each value in `groups`, the numbers of line feeds and blanks at the beginning of its
  /// string.
  let groupRuns: [[WhitespaceRun]]

  /// The bytes with which a token of JSON's syntax can begin: brackets, separators and scalars.
  ///
  /// `rest` leaves out strings with any other byte after their white space.
  static let firstBytes = ByteSet("\"{}[]:,-0123456789tfn")

  /// Creates both tries; the parameters are those of `TokenTrie`.
  init(_ strings: [ArraySlice<UInt8>], values: [Int32]) {
    trie = TokenTrie(strings, values: values)
    var blank: [Int32] = []
    var blankRuns: [WhitespaceRun] = []
    var groups: [[Int32]] = []
    var groupRuns: [[WhitespaceRun]] = []
    var rests: [ArraySlice<UInt8>] = []
    var index: [ArraySlice<UInt8>: Int] = [:]
    for value in values {
      let string = strings[Int(value)]
      guard let first = string.first, ByteSet.whitespace.contains(first) else { continue }
      let rest = string.drop { ByteSet.whitespace.contains($0) }
      guard let next = rest.first else {
        blank.append(value)
        blankRuns.append(WhitespaceRun(at: string))
        continue
      }
      guard Self.firstBytes.contains(next) else { continue }
      let group = index[rest] ?? groups.count
      if group == groups.count {
        index[rest] = group
        groups.append([])
        groupRuns.append([])
        rests.append(rest)
      }
      groups[group].append(value)
      groupRuns[group].append(WhitespaceRun(at: string))
    }
    self.blank = blank
    self.blankRuns = blankRuns
    self.groups = groups
    self.groupRuns = groupRuns
    rest = TokenTrie(rests, values: Array(0..<Int32(groups.count)))
  }
}
