import StructuredText

/// A problem in a suite; it gives the position, what is wrong, and what is allowed there.
public struct SuiteProblem: Error, Sendable, Hashable {
  /// The file.
  public var file: String
  /// The line, starting at 1, or 0 if the problem concerns the whole file.
  public var line: Int
  /// The column, counted in characters from 1, or 0 if the problem concerns the whole file.
  public var column: Int
  /// A description of what is wrong.
  public var problem: String
  /// A description of what is allowed; empty if the problem already says it.
  public var allowed: String

  /// Creates a problem.
  public init(file: String, line: Int, column: Int, problem: String, allowed: String = "") {
    self.file = file
    self.line = line
    self.column = column
    self.problem = problem
    self.allowed = allowed
  }
}

extension SuiteProblem: CustomStringConvertible {
  /// The problem in the format of compiler messages: `file:line:column: problem; allowed`.
  public var description: String {
    let place = line > 0 ? "\(file):\(line):\(column)" : file
    return allowed.isEmpty ? "\(place): \(problem)" : "\(place): \(problem); \(allowed)"
  }
}

/// Collects the problems of one file.
struct ProblemCollector {
  /// The file in which the problems are.
  let file: String
  /// The places of the parts if they are Swift source, or `nil` if they are in the file.
  var places: SwiftPlaces?
  /// The problems so far, in the order in which they were found.
  private(set) var problems: [SuiteProblem] = []

  /// Adds a problem at a position.
  mutating func add(_ location: SourceLocation, _ problem: String, allowed: String = "") {
    problems.append(self.problem(at: location, problem, allowed: allowed))
  }

  /// Returns a problem at a position, without adding it.
  func problem(
    at location: SourceLocation, _ problem: String, allowed: String
  ) -> SuiteProblem {
    let place = place(of: location)
    return SuiteProblem(
      file: place.file, line: place.line, column: place.column, problem: problem, allowed: allowed)
  }

  /// Returns a position as messages name it: `file:line:column`.
  func address(of location: SourceLocation) -> String {
    let place = place(of: location)
    return "\(place.file):\(place.line):\(place.column)"
  }

  private func place(of location: SourceLocation) -> SwiftPlace {
    places?.place(of: location)
      ?? SwiftPlace(file: file, line: location.line, column: location.column)
  }

  /// Adds problems that already have a file and a position.
  mutating func add(_ others: [SuiteProblem]) { problems += others }

  /// Adds a syntax error in a path.
  mutating func add(_ location: SourceLocation, path: String, _ error: PathSyntaxError) {
    add(
      location, "`\(path)` is not a path: \(error.problem) (character \(error.column))",
      allowed: error.allowed)
  }
}
