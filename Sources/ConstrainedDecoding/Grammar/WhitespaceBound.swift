/// How much white space may stand in one place where the model chooses it (`WhitespaceMode.any`).
///
/// A run of white space is legal while it has at most `lineEnds` line feeds, and at most `blanks`
/// other characters (spaces, tabs, carriage returns) before, between and after them. Two line
/// feeds and 32 blanks hold every layout that a JSON writer makes: a blank line, and an indentation
/// of four spaces eight levels deep. Nobody can write blanks without end within it.
///
/// ```
/// {⏎␣␣"a":␣[          line feeds 1, blanks 2; then blanks 1
/// {⏎⏎⏎                the third line feed is not legal
/// ```
///
/// The states of a run are numbered: line feeds so far · (`blanks` + 1) + blanks since the last one.
package struct WhitespaceBound: Sendable, Hashable {
  /// The most line feeds of a run.
  package let lineEnds: Int
  /// The most other characters of a run before, between and after its line feeds.
  package let blanks: Int

  /// Creates a bound.
  ///
  /// - Parameters:
  ///   - lineEnds: The most line feeds, at most 100.
  ///   - blanks: The most other characters in a row, at most 100.
  package init(lineEnds: Int = 2, blanks: Int = 32) {
    self.lineEnds = min(max(0, lineEnds), 100)
    self.blanks = min(max(0, blanks), 100)
  }

  /// The number of states that a run can be in.
  var stateCount: Int { (lineEnds + 1) * (blanks + 1) }

  /// The state after a line feed, or nil if none may come.
  func afterLineEnd(_ state: Int) -> Int? {
    let lines = state / (blanks + 1)
    return lines < lineEnds ? (lines + 1) * (blanks + 1) : nil
  }

  /// The state after another character of white space, or nil if none may come.
  func afterBlank(_ state: Int) -> Int? {
    state % (blanks + 1) < blanks ? state + 1 : nil
  }

  /// Whether a run may go on by some characters.
  ///
  /// - Parameters:
  ///   - run: The characters.
  ///   - state: The state before them.
  @inline(__always)
  func allows(_ run: WhitespaceRun, from state: Int) -> Bool {
    let width = blanks + 1
    guard state % width + Int(run.head) <= blanks else { return false }
    return Int(run.longest) <= blanks && state / width + Int(run.lineEnds) <= lineEnds
  }
}

/// The length of some white space, as far as a bound counts it.
struct WhitespaceRun: Sendable, Hashable {
  /// The blanks before the first line feed.
  var head: UInt8 = 0
  var lineEnds: UInt8 = 0
  /// The most blanks after a line feed and before the next one.
  var longest: UInt8 = 0

  /// No white space.
  static let none = WhitespaceRun()

  init() {}

  /// Counts the white space with which some bytes begin.
  init(at bytes: ArraySlice<UInt8>) {
    var blanks: UInt8 = 0
    for byte in bytes {
      guard ByteSet.whitespace.contains(byte) else { break }
      // 255 is above every bound.
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
