import Tokenization

extension LocalModel {
  /// Encodes a rendered conversation.
  ///
  /// The result starts with the begin token if the model expects one.
  ///
  /// If the vocabulary has no token for a mark, the mark is encoded as text. With Phi-3's
  /// SentencePiece tokenizer, marks absorb the white space after them, as in the original
  /// implementation.
  ///
  /// - Parameter pieces: The conversation.
  public func encode(_ pieces: [ChatPiece]) -> [TokenID] {
    var tokens: [TokenID] = []
    if tokenizer.addsBeginToken, let begin = tokenizer.beginToken { tokens.append(begin) }
    var text = ""
    for piece in pieces {
      switch piece {
      case .text(let more):
        let isAfterMark = text.isEmpty && !tokens.isEmpty && marksTakeSpace
        text += isAfterMark ? String(more.drop(while: \.isWhitespace)) : more
      case .special(let written):
        guard let token = tokenizer.specialToken(written) else {
          text += written
          continue
        }
        tokens += tokenizer.encode(text)
        text = ""
        tokens.append(token)
      }
    }
    return tokens + tokenizer.encode(text)
  }

  /// Whether marks absorb the white space that follows.
  private var marksTakeSpace: Bool { shape.architecture == .phi3 && !tokenizer.isByteLevel }
}
