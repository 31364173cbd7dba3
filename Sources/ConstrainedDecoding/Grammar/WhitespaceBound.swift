/// The bound on a *run* of white space (all the white space at one place) in `WhitespaceMode.any`,
/// the mode in which the model chooses the white space.
///
/// A run has at most `lineEnds` line feeds. The number of its other characters (spaces, tabs and
/// carriage returns, the *blanks*) is limited too, and the limit grows with the nesting depth, up
/// to `indentedLevels`, so that the levels can be indented. On each side of a colon, a run has no
/// line feed, and at most `blanksBesideColon` blanks.
///
/// Before a comma, the limit is that of a closing bracket. With a lower one, white space that a
/// model begins after an element would leave only the bracket, and the array would end more often.
///
/// Values that are nested deeply aren't kept on one line: a model that begins a line after `[`
/// takes the closing bracket more often if it can't. (On SmolLM2, P(empty) was 0.36 instead of 0.03
/// in the first array that had to stay on its line.)
///
/// So the usual layouts are possible, but the model can't fill its answer with white space.
///
/// ```
/// {⏎␣␣"a":␣[          depth 1: a line feed and up to 6 blanks; beside the colon, 1 blank
/// {⏎⏎                 the second line feed is not legal
/// {"a":␣␣             nor is the second blank after a colon
/// {"a"⏎:              nor is the line feed before a colon
/// ```
///
/// The state of a run has this number: line feeds left · (`mostBlanks` + 1) + blanks left. The
/// place of a run decides in which state it begins.
package struct WhitespaceBound: Sendable, Hashable {
  /// The maximum number of line feeds in a run.
  package let lineEnds: Int
  /// The maximum number of blanks in a run, without the blanks for the nesting depth.
  package let blanks: Int
  /// The number of further blanks that each level of nesting allows.
  package let blanksPerLevel: Int
  /// The maximum number of blanks on each side of a colon.
  package let blanksBesideColon: Int
  /// The number of levels of nesting that allow further blanks.
  package let indentedLevels: Int

  /// Creates a bound.
  ///
  /// - Parameters:
  ///   - lineEnds: The maximum number of line feeds, at most 10.
  ///   - blanks: The maximum number of blanks, without those for the nesting depth, at most 100.
  ///   - blanksPerLevel: The number of further blanks for each level of nesting, at most 8.
  ///   - blanksBesideColon: The maximum number of blanks on each side of a colon, at most `blanks`.
  ///   - indentedLevels: The number of levels of nesting that allow further blanks, at most 1000.
  package init(
    lineEnds: Int = 1, blanks: Int = 2, blanksPerLevel: Int = 4, blanksBesideColon: Int = 1,
    indentedLevels: Int = 8
  ) {
    self.lineEnds = min(max(0, lineEnds), 10)
    self.blanks = min(max(0, blanks), 100)
    self.blanksPerLevel = min(max(0, blanksPerLevel), 8)
    self.blanksBesideColon = min(max(0, blanksBesideColon), self.blanks)
    self.indentedLevels = min(max(0, indentedLevels), 1000)
  }

  /// A bound that doesn't depend on the nesting depth, for grammars that can't count it; it allows
  /// four levels of indentation.
  package static let withoutDepth = WhitespaceBound(blanks: 17, blanksPerLevel: 0)

  /// The maximum number of blanks in any run, which is less than `WhitespaceRun` can count.
  var mostBlanks: Int { min(blanks + blanksPerLevel * indentedLevels, 250) }

  /// The number of states that a run can have.
  var stateCount: Int { (lineEnds + 1) * (mostBlanks + 1) }

  /// Returns the state before a run beside a bracket or a comma.
  ///
  /// - Parameter depth: The nesting depth of the elements or members around the run; 1 in the
  ///   outermost array or object.
  func state(atDepth depth: Int) -> Int {
    lineEnds * (mostBlanks + 1) + min(blanks + blanksPerLevel * depth, mostBlanks)
  }

  /// The state before a run that comes before or after a colon.
  var stateBesideColon: Int { blanksBesideColon }

  /// Returns the state after a line feed, or nil if the bound allows no further line feed.
  func afterLineEnd(_ state: Int) -> Int? {
    state > mostBlanks ? state - mostBlanks - 1 : nil
  }

  /// Returns the state after another white-space character, or nil if the bound allows none.
  func afterBlank(_ state: Int) -> Int? {
    state % (mostBlanks + 1) > 0 ? state - 1 : nil
  }

  /// Returns whether a run may continue with the given white space.
  ///
  /// - Parameters:
  ///   - run: The numbers of line feeds and blanks in the white space to add.
  ///   - state: The state of the white space before it.
  @inline(__always)
  func allows(_ run: WhitespaceRun, from state: Int) -> Bool {
    let width = mostBlanks + 1
    return Int(run.blanks) <= state % width && Int(run.lineEnds) <= state / width
  }
}

/// The numbers of line feeds and blanks in a piece of white space, which `WhitespaceBound` limits.
struct WhitespaceRun: Sendable, Hashable {
  var lineEnds: UInt8 = 0
  var blanks: UInt8 = 0

  /// No white space.
  static let none = WhitespaceRun()

  init() {}

  /// Creates the counts of the white space at the beginning of a text.
  init(at bytes: ArraySlice<UInt8>) {
    for byte in bytes {
      guard ByteSet.whitespace.contains(byte) else { break }
      // Counts stop at 255, which is above every bound.
      if byte == UInt8(ascii: "\n") {
        if lineEnds < .max { lineEnds += 1 }
      } else if blanks < .max {
        blanks += 1
      }
    }
  }
}
