/// A position in a text.
///
/// Lines and columns start at 1, and columns count Unicode scalars.
public struct SourceLocation: Sendable, Hashable {
  /// The line, starting at 1.
  public var line: Int
  /// The column in Unicode scalars, starting at 1.
  public var column: Int

  /// Creates a location.
  public init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }
}

/// A value read from a text, with the position of each of its parts.
///
/// Both the YAML and the JSON reader produce nodes. The code that interprets a file works on nodes,
/// so every error can name `line:column`.
public struct SourceNode: Sendable, Hashable {
  /// The content of a node.
  public enum Content: Sendable, Hashable {
    /// A string, a number, a Boolean or null.
    case scalar(JSONValue)
    /// The elements of an array or sequence.
    case sequence([SourceNode])
    /// The members of an object or mapping.
    case mapping([SourceMember])
  }

  /// The content.
  public var content: Content
  /// The position where the content begins.
  public var location: SourceLocation

  /// Creates a node.
  public init(_ content: Content, at location: SourceLocation) {
    self.content = content
    self.location = location
  }

  /// The value without locations.
  public var value: JSONValue {
    switch content {
    case .scalar(let value): value
    case .sequence(let nodes): .array(nodes.map(\.value))
    case .mapping(let members):
      .object(JSONObject(members.map { (key: $0.key, value: $0.node.value) }))
    }
  }

  /// The value of a mapping's key as a node, or nil if there is no such key.
  public subscript(key: String) -> SourceNode? {
    guard case .mapping(let members) = content else { return nil }
    return members.first { $0.key == key }?.node
  }
}

/// One member of a mapping in a text.
public struct SourceMember: Sendable, Hashable {
  /// The key.
  public var key: String
  /// The position of the key.
  public var keyLocation: SourceLocation
  /// The value of the key.
  public var node: SourceNode

  /// Creates a member.
  public init(key: String, keyLocation: SourceLocation, node: SourceNode) {
    self.key = key
    self.keyLocation = keyLocation
    self.node = node
  }
}

/// An error in a text: its position, what is wrong, and what is allowed there.
public struct StructuredTextError: Error, Sendable, Hashable {
  /// The position of the problem.
  public var location: SourceLocation
  /// The problem.
  public var problem: String
  /// The allowed alternatives; empty if the problem already names them.
  public var allowed: String

  /// Creates an error.
  public init(at location: SourceLocation, _ problem: String, allowed: String = "") {
    self.location = location
    self.problem = problem
    self.allowed = allowed
  }
}

extension StructuredTextError: CustomStringConvertible {
  /// The error as a sentence that begins with `line:column`.
  public var description: String {
    let place = "\(location.line):\(location.column): \(problem)"
    return allowed.isEmpty ? place : "\(place); \(allowed)"
  }
}
