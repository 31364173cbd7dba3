/// One turn of a conversation.
public struct ChatTurn: Sendable, Hashable {
  /// Who speaks, as most formats call it.
  public enum Role: String, Sendable, Hashable {
    case system
    case user
    case assistant
  }

  /// Who speaks.
  public var role: Role
  /// What is said.
  public var text: String

  /// Creates a turn.
  public init(_ role: Role, _ text: String) {
    self.role = role
    self.text = text
  }

  /// The speaker's name, where a format has no marks.
  var label: String { role.rawValue.prefix(1).uppercased() + role.rawValue.dropFirst() }
}
