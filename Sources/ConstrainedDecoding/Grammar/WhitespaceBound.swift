/// The bound on a *run* of white space (all the white space at one place) in `WhitespaceMode.any`,
/// the mode in which the model chooses the white space.
///
/// A run has at most `lineEnds` line feeds. The number of its other characters (spaces, tabs and
/// carriage returns, the *blanks*) is limited too, and the limit grows with the nesting depth, so
/// that every level can be indented. On each side of a colon, a run has no line feed, and at most
/// `inlineBlanks` blanks. The same applies in containers that are nested more deeply than
/// `lineLevels`, so these stay on one line.
///
/// Before a comma, the limit is that of a closing bracket. With a lower one, white space that a
/// model begins after an element would leave only the bracket, and the array would end more often.
///
/// Without `lineLevels`, a model that nests values without end would fill most of its answer with
/// indentation. A lower limit would change how often nested arrays are empty: a model that begins a
/// line after `[` takes the bracket more often if it can't.
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
  /// The maximum number of blanks on each side of a colon, and in containers that stay on one line.
  package let inlineBlanks: Int
  /// The maximum nesting depth of elements and members that may begin a line.
  package let lineLevels: Int

  /// Creates a bound.
  ///
  /// - Parameters:
  ///   - lineEnds: The maximum number of line feeds, at most 10.
  ///   - blanks: The maximum number of blanks, without those for the nesting depth, at most 100.
  ///   - blanksPerLevel: The number of further blanks for each level of nesting, at most 8.
  ///   - inlineBlanks: The maximum number of blanks on each side of a colon, and in containers that
  ///     stay on one line, at most `blanks`.
  ///   - lineLevels: The maximum nesting depth of elements and members that may begin a line.
  package init(
    lineEnds: Int = 1, blanks: Int = 2, blanksPerLevel: Int = 4, inlineBlanks: Int = 1,
    lineLevels: Int = 8
  ) {
    self.lineEnds = min(max(0, lineEnds), 10)
    self.blanks = min(max(0, blanks), 100)
    self.blanksPerLevel = min(max(0, blanksPerLevel), 8)
    self.inlineBlanks = min(max(0, inlineBlanks), self.blanks)
    self.lineLevels = min(max(0, lineLevels), 1000)
  }

  /// A bound that doesn't depend on the nesting depth, for grammars that can't count it; it allows
  /// four levels of indentation.
  package static let withoutDepth = WhitespaceBound(
    blanks: 17, blanksPerLevel: 0, lineLevels: 1000)

  /// The maximum number of blanks in any run, which is less than `WhitespaceRun` can count.
  var mostBlanks: Int { min(blanks + blanksPerLevel * lineLevels, 250) }

  /// The number of states that a run can have.
  var stateCount: Int { (lineEnds + 1) * (mostBlanks + 1) }

  /// Returns the state before a run beside a bracket or a comma.
  ///
  /// - Parameter depth: The nesting depth of the elements or members around the run; 1 in the
  ///   outermost array or object.
  func state(atDepth depth: Int) -> Int {
    if depth > lineLevels { return inlineBlanks }
    return lineEnds * (mostBlanks + 1) + min(blanks + blanksPerLevel * depth, mostBlanks)
  }

  /// The state before a run that comes before or after a colon.
  var stateBesideColon: Int { inlineBlanks }

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
