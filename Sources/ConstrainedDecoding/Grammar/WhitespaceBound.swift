/// The bound on a *run* of white space (all the white space at one place) in `WhitespaceMode.any`,
/// the mode in which the model chooses the white space.
///
/// A run of white space is legal if it has at most `lineEnds` line feeds, and at most `blanks`
/// other characters (spaces, tabs, carriage returns) in a row. Two line feeds and 32 blanks allow
/// the usual layouts of JSON writers, including a blank line and eight levels of indentation, four
/// spaces each. Endless white space is impossible.
///
/// ```
/// {⏎␣␣"a":␣[          line feeds 1, blanks 2; then blanks 1
/// {⏎⏎⏎                the third line feed is not legal
/// ```
///
/// The state of a run has this number: line feeds so far · (`blanks` + 1) + blanks since the last
/// line feed.
package struct WhitespaceBound: Sendable, Hashable {
  /// The maximum number of line feeds in a run.
  package let lineEnds: Int
  /// The maximum number of other characters in a row.
  package let blanks: Int

  /// Creates a bound.
  ///
  /// - Parameters:
  ///   - lineEnds: The maximum number of line feeds, at most 100.
  ///   - blanks: The maximum number of other characters in a row, at most 100.
  package init(lineEnds: Int = 2, blanks: Int = 32) {
    self.lineEnds = min(max(0, lineEnds), 100)
    self.blanks = min(max(0, blanks), 100)
  }

  /// The number of states that a run can have.
  var stateCount: Int { (lineEnds + 1) * (blanks + 1) }

  /// Returns the state after a line feed, or nil if the bound allows no further line feed.
  func afterLineEnd(_ state: Int) -> Int? {
    let lines = state / (blanks + 1)
    return lines < lineEnds ? (lines + 1) * (blanks + 1) : nil
  }

  /// Returns the state after another white-space character, or nil if the bound allows none.
  func afterBlank(_ state: Int) -> Int? {
    state % (blanks + 1) < blanks ? state + 1 : nil
  }

  /// Returns whether a run may continue with the given white space.
  ///
  /// - Parameters:
  ///   - run: The numbers of line feeds and blanks in the white space to add.
  ///   - state: The state of the white space before it.
  @inline(__always)
  func allows(_ run: WhitespaceRun, from state: Int) -> Bool {
    let width = blanks + 1
    guard state % width + Int(run.head) <= blanks else { return false }
    return Int(run.longest) <= blanks && state / width + Int(run.lineEnds) <= lineEnds
  }
}

/// The numbers of line feeds and blanks in a piece of white space, which `WhitespaceBound` limits.
struct WhitespaceRun: Sendable, Hashable {
  /// The number of blanks before the first line feed.
  var head: UInt8 = 0
  var lineEnds: UInt8 = 0
  /// The length of the longest sequence of blanks after the first line feed.
  var longest: UInt8 = 0

  /// No white space.
  static let none = WhitespaceRun()

  init() {}

  /// Creates the counts of the white space at the beginning of a text.
  init(at bytes: ArraySlice<UInt8>) {
    var blanks: UInt8 = 0
    for byte in bytes {
      guard ByteSet.whitespace.contains(byte) else { break }
      // Counts stop at 255, which is above every bound.
      if byte == UInt8(ascii: "\n") {
        if lineEnds < .max { lineEnds += 1 }
        blanks = 0
        continue
      }
      if blanks < .max { blanks += 1 }
      if lineEnds == 0 { head = blanks } else { longest = max(longest, blanks) }
    }
  }
}
