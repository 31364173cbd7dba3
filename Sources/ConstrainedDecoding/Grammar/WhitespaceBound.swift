import Foundation

/// The bound on a *run* of white space (all the white space at one place) in `WhitespaceMode.any`,
/// the mode in which the model chooses the white space.
///
/// A run has at most `lineEnds` line feeds. The number of its other characters (spaces, tabs,
/// carriage returns, the *blanks*) is limited too, and the limit grows with the nesting depth, so
/// that every level can be indented. Beside a colon, only `colonBlanks` blanks are allowed, and no
/// line feed. So the white space of a value is never much longer than in a usual layout.
///
/// ```
/// {⏎␣␣"a":␣[          depth 1: a line feed and 2 blanks; beside the colon: 1 blank
/// {⏎⏎                 the second line feed is not legal
/// {"a":␣␣             nor is the second blank after a colon
/// ```
///
/// The state of a run has this number: line feeds left · (`mostBlanks` + 1) + blanks left. A run
/// begins in a state that depends on its place.
package struct WhitespaceBound: Sendable, Hashable {
  /// The maximum number of line feeds in a run.
  package let lineEnds: Int
  /// The maximum number of blanks in a run, outside all arrays and objects.
  package let blanks: Int
  /// The number of further blanks that each level of nesting allows.
  package let blanksPerLevel: Int
  /// The maximum number of blanks on each side of a colon.
  package let colonBlanks: Int
  let resets: Bool

  /// The number of levels after which the limit grows no further.
  private static let levels = 16

  /// Creates a bound.
  ///
  /// - Parameters:
  ///   - lineEnds: The maximum number of line feeds, at most 10.
  ///   - blanks: The maximum number of blanks at depth 0, at most 100.
  ///   - blanksPerLevel: The number of further blanks that each level of nesting allows, at most 8.
  ///   - colonBlanks: The maximum number of blanks on each side of a colon, at most `blanks`.
  package init(
    lineEnds: Int = 1, blanks: Int = 2, blanksPerLevel: Int = 4, colonBlanks: Int = 1
  ) {
    self.lineEnds = min(max(0, lineEnds), 10)
    self.blanks = min(max(0, blanks), 100)
    self.blanksPerLevel = min(max(0, blanksPerLevel), 8)
    self.colonBlanks = min(max(0, colonBlanks), self.blanks)
    resets = false
  }

  /// A bound that doesn't depend on the nesting depth, for grammars that can't count it; it allows
  /// four levels of indentation.
  package static let withoutDepth = WhitespaceBound(blanks: 17, blanksPerLevel: 0)

  private init(old: Int) {
    lineEnds = 2
    blanks = 32
    blanksPerLevel = 0
    colonBlanks = 32
    resets = true
  }

  package static let chosen: WhitespaceBound = {
    guard let text = ProcessInfo.processInfo.environment["ASSAY_WS"] else {
      return WhitespaceBound()
    }
    if text == "old" { return WhitespaceBound(old: 0) }
    let n = text.split(separator: ",").map { Int($0) ?? 0 }
    return WhitespaceBound(lineEnds: n[0], blanks: n[1], blanksPerLevel: n[2], colonBlanks: n[3])
  }()

  /// The maximum number of blanks in any run.
  var mostBlanks: Int { blanks + blanksPerLevel * Self.levels }

  /// The number of states that a run can have.
  var stateCount: Int { (lineEnds + 1) * (mostBlanks + 1) }

  /// Returns the state before a run among the elements or members of a container.
  ///
  /// - Parameter depth: The nesting depth of the elements; 1 in the outermost container.
  func state(atDepth depth: Int) -> Int {
    lineEnds * (mostBlanks + 1) + blanks + blanksPerLevel * min(depth, Self.levels)
  }

  /// The state before a run beside a colon.
  var stateAtColon: Int { resets ? state(atDepth: 0) : colonBlanks }

  /// Returns the state after a line feed, or nil if the bound allows no further line feed.
  func afterLineEnd(_ state: Int) -> Int? {
    let width = mostBlanks + 1
    if state < width { return nil }
    return resets ? (state / width - 1) * width + mostBlanks : state - width
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
    if resets {
      guard Int(run.head) <= state % width else { return false }
      return Int(run.longest) <= mostBlanks && Int(run.lineEnds) <= state / width
    }
    return Int(run.blanks) <= state % width && Int(run.lineEnds) <= state / width
  }
}

/// The numbers of line feeds and blanks in a piece of white space, which `WhitespaceBound` limits.
struct WhitespaceRun: Sendable, Hashable {
  var lineEnds: UInt8 = 0
  var blanks: UInt8 = 0
  var head: UInt8 = 0
  var longest: UInt8 = 0

  /// No white space.
  static let none = WhitespaceRun()

  init() {}

  /// Creates the counts of the white space at the beginning of a text.
  init(at bytes: ArraySlice<UInt8>) {
    var row: UInt8 = 0
    for byte in bytes {
      guard ByteSet.whitespace.contains(byte) else { break }
      // Counts stop at 255, which is above every bound.
      if byte == UInt8(ascii: "\n") {
        if lineEnds < .max { lineEnds += 1 }
        row = 0
      } else {
        if blanks < .max { blanks += 1 }
        if row < .max { row += 1 }
        if lineEnds == 0 { head = row } else { longest = max(longest, row) }
      }
    }
  }
}
