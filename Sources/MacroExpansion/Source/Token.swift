/// The smallest parts of a declaration that its outline is made of.
struct Token: Equatable {
  enum Kind {
    case word
    case punctuation
    case string
    case regex
    case number
  }

  var kind: Kind
  var text: Substring
  /// UTF-8 offsets in the source.
  var range: Range<Int>
  /// Whether a line break comes before the token.
  var startsLine: Bool
  /// Whether white space or a comment comes before the token.
  var followsSpace: Bool

  func `is`(_ text: String) -> Bool { kind != .string && kind != .regex && self.text == text }

  var opensGroup: Bool { kind == .punctuation && (text == "(" || text == "[" || text == "{") }
  var closesGroup: Bool { kind == .punctuation && (text == ")" || text == "]" || text == "}") }
}
