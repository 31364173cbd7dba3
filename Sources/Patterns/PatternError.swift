/// An error in a pattern: its syntax is malformed or not supported, or its automaton is too large.
public struct PatternError: Error, Sendable, Hashable {
  /// The position of the error in Unicode scalars, starting at 0, or nil if the error concerns the
  /// whole pattern.
  public var offset: Int?
  /// The problem.
  public var problem: String
  /// The allowed alternatives; empty if there are none, or if `problem` already names them.
  public var allowed: String

  /// Creates an error.
  public init(at offset: Int?, _ problem: String, allowed: String = "") {
    self.offset = offset
    self.problem = problem
    self.allowed = allowed
  }
}

extension PatternError: CustomStringConvertible {
  /// The position, the problem and the alternatives in one line; positions count from 1.
  public var description: String {
    let place = offset.map { "character \($0 + 1): " } ?? ""
    return place + problem + (allowed.isEmpty ? "" : "; \(allowed)")
  }
}
