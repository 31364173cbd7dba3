/// One turn of a conversation.
public struct ChatTurn: Sendable, Hashable {
  /// The speaker's role.
  ///
  /// The raw values are the names that most formats use.
  public enum Role: String, Sendable, Hashable {
    /// The instructions.
    case system
    /// The user.
    case user
    /// The model.
    case assistant
  }

  /// The speaker's role.
  public var role: Role
  /// The text of the turn.
  public var text: String

  /// Creates a turn.
  public init(_ role: Role, _ text: String) {
    self.role = role
    self.text = text
  }

  /// The speaker's label in formats with “User: …” instead of role tokens.
  var label: String { role.rawValue.prefix(1).uppercased() + role.rawValue.dropFirst() }
}
