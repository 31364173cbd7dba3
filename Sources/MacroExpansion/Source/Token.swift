/// A token of a declaration, with only as much detail as the outline needs.
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
  /// The UTF-8 offsets of the token in the source.
  var range: Range<Int>
  /// Whether a line break precedes the token.
  var startsLine: Bool
  /// Whether white space or a comment precedes the token.
  var followsSpace: Bool

  func `is`(_ text: String) -> Bool { kind != .string && kind != .regex && self.text == text }

  var opensGroup: Bool { kind == .punctuation && (text == "(" || text == "[" || text == "{") }
  var closesGroup: Bool { kind == .punctuation && (text == ")" || text == "]" || text == "}") }
}
