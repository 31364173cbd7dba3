/// A part of a rendered conversation.
///
/// Marks and text stay separate until they become tokens. So a mark in a user's text remains
/// ordinary text.
public enum ChatPiece: Sendable, Hashable {
  /// A mark of the format, such as `<|im_start|>`.
  case special(String)
  /// Ordinary text.
  case text(String)

  /// The piece as text.
  public var written: String {
    switch self {
    case .special(let text), .text(let text): text
    }
  }

  /// Whether the piece is a mark.
  var isMark: Bool {
    if case .special = self { true } else { false }
  }
}
