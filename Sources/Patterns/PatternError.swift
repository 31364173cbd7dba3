/// A pattern that is not read, or that needs too large an automaton.
public struct PatternError: Error, Sendable, Hashable {
  /// Where the pattern is wrong, in Unicode scalars from 0; nil where it is wrong as a whole.
  public var offset: Int?
  /// What is wrong.
  public var problem: String
  /// What is allowed instead; empty where the problem says it all.
  public var allowed: String

  /// Makes an error.
  public init(at offset: Int?, _ problem: String, allowed: String = "") {
    self.offset = offset
    self.problem = problem
    self.allowed = allowed
  }
}

extension PatternError: CustomStringConvertible {
  public var description: String {
    let place = offset.map { "character \($0 + 1): " } ?? ""
    return place + problem + (allowed.isEmpty ? "" : "; \(allowed)")
  }
}
