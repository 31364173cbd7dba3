/// Why a model file cannot be used: what is wrong, where, and what would be right.
public struct ModelFileError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The file's path.
  public var file: String
  /// Where in the file: a metadata key, a tensor's name, or a byte offset.
  public var place: String
  /// What is wrong there.
  public var problem: Problem
  /// What would be accepted, or what to do instead; empty if there is nothing to say.
  public var allowed: String

  /// Kinds of problems.
  public enum Problem: Sendable, Hashable {
    /// The file cannot be opened or read; the operating system's words.
    case unreadable(String)
    /// The file ends before what it announces.
    case truncated(needed: UInt64, available: UInt64)
    /// A value that the format does not allow; the value in words.
    case invalid(String)
    /// Something that must be there is missing.
    case missing
    /// Valid, but not implemented here; its name.
    case unsupported(String)
  }

  /// Creates an error.
  public init(file: String, place: String, problem: Problem, allowed: String = "") {
    self.file = file
    self.place = place
    self.problem = problem
    self.allowed = allowed
  }

  /// The error in words.
  public var description: String {
    let what =
      switch problem {
      case .unreadable(let reason): "cannot be read: \(reason)"
      case .truncated(let needed, let available):
        "the file ends too early: \(needed) bytes needed, \(available) left"
      case .invalid(let value): "\(value) is not valid"
      case .missing: "missing"
      case .unsupported(let name): "\(name) is not supported"
      }
    let end = allowed.isEmpty ? "" : " (\(allowed))"
    return "\(file): \(place): \(what)\(end)"
  }
}
