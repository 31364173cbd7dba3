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
  /// The places of assertions and test cases, each with the numbers of its parts; an assertion
  /// comes before its test case.
  private var places: [(parts: ClosedRange<Int>, place: SwiftPlace)] = []

  init(suite: SwiftPlace) { self.suite = suite }

  /// Adds an assertion or a test case.
  mutating func add(_ place: SwiftPlace, parts: ClosedRange<Int>) { places.append((parts, place)) }

  /// Returns the place of the assertion or test case to which a part belongs, or the place of the
  /// suite.
  func place(of location: SourceLocation) -> SwiftPlace {
    places.first { $0.parts.contains(location.line) }?.place ?? suite
  }
}
