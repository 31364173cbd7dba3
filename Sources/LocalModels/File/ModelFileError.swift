/// The reason why a model file can't be used: the problem, its place, and what is allowed there.
public struct ModelFileError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The file's path.
  public var file: String
  /// The place in the file: a metadata key, a tensor's name, or a byte offset.
  public var place: String
  /// The problem.
  public var problem: Problem
  /// The accepted alternatives or advice, or an empty string if there is nothing to add.
  public var allowed = ""

  /// The kinds of problems.
  public enum Problem: Sendable, Hashable {
    /// The file can't be opened or read, for the associated reason.
    case unreadable(String)
    /// The file ends too early for its contents.
    case truncated(needed: UInt64, available: UInt64)
    /// The format doesn't allow the value that the associated string describes.
    case invalid(String)
    /// A required part is missing.
    case missing
    /// The file uses the named feature, which is valid but not implemented here.
    case unsupported(String)
  }

  /// The error as a sentence.
  public var description: String {
    let what =
      switch problem {
      case .unreadable(let reason): "can't be read: \(reason)"
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
