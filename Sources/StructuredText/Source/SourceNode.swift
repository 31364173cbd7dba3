/// A place in a text: line and column count from one, the column in Unicode scalars.
public struct SourceLocation: Sendable, Hashable {
  /// The line, from one.
  public var line: Int
  /// The column in Unicode scalars, from one.
  public var column: Int

  /// Makes a location.
  public init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }
}

/// A value read from a text, in which every part knows where it stands.
///
/// The YAML and the JSON reader both give this; what a file means is decided from it, so that every
/// error can name `line:column`.
public struct SourceNode: Sendable, Hashable {
  /// What stands at the location.
  public enum Content: Sendable, Hashable {
    case scalar(JSONValue)
    case sequence([SourceNode])
    case mapping([SourceMember])
  }

  /// What stands here.
  public var content: Content
  /// Where it begins.
  public var location: SourceLocation

  /// Makes a node.
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

  /// The node under a key of a mapping, nil where there is none.
  public subscript(key: String) -> SourceNode? {
    guard case .mapping(let members) = content else { return nil }
    return members.first { $0.key == key }?.node
  }
}

/// One member of a mapping in a text.
public struct SourceMember: Sendable, Hashable {
  /// The key.
  public var key: String
  /// Where the key begins.
  public var keyLocation: SourceLocation
  /// What stands under the key.
  public var node: SourceNode

  /// Makes a member.
  public init(key: String, keyLocation: SourceLocation, node: SourceNode) {
    self.key = key
    self.keyLocation = keyLocation
    self.node = node
  }
}

/// A text that could not be read: where, what is wrong, and what is allowed there.
public struct StructuredTextError: Error, Sendable, Hashable {
  /// Where reading stopped.
  public var location: SourceLocation
  /// What is wrong.
  public var problem: String
  /// What is allowed here; empty where the problem says it all.
  public var allowed: String

  /// Makes an error.
  public init(at location: SourceLocation, _ problem: String, allowed: String = "") {
    self.location = location
    self.problem = problem
    self.allowed = allowed
  }
}

extension StructuredTextError: CustomStringConvertible {
  public var description: String {
    let place = "\(location.line):\(location.column): \(problem)"
    return allowed.isEmpty ? place : "\(place); \(allowed)"
  }
}
