import StructuredText

/// A place in a Swift source file.
package struct SwiftPlace: Sendable, Hashable {
  /// The path of the file.
  package var file: String
  /// The line, starting at 1.
  package var line: Int
  /// The column, starting at 1.
  package var column: Int
}

/// The places of the parts of a suite that is written in Swift.
///
/// The parts have consecutive numbers, which are the lines of their locations.
struct SwiftPlaces {
  /// The place of the suite.
  let suite: SwiftPlace
  /// The places of the test cases, each with the numbers of its parts.
  private var cases: [(numbers: ClosedRange<Int>, place: SwiftPlace)] = []

  init(suite: SwiftPlace) { self.suite = suite }

  /// Adds a test case.
  mutating func add(_ place: SwiftPlace, parts: ClosedRange<Int>) { cases.append((parts, place)) }

  /// Returns the place of the test case to which a part belongs, or the place of the suite.
  func place(of location: SourceLocation) -> SwiftPlace {
    cases.first { $0.numbers.contains(location.line) }?.place ?? suite
  }
}
