import Tokenization

extension LocalModel {
  /// The tokens of a rendered conversation, with the begin token where the model expects one.
  ///
  /// A mark that the model has no token for is encoded as text.
  ///
  /// - Parameter pieces: The conversation.
  public func encode(_ pieces: [ChatPiece]) -> [TokenID] {
    var tokens: [TokenID] = []
    if tokenizer.addsBeginToken, let begin = tokenizer.beginToken { tokens.append(begin) }
    var text = ""
    for piece in pieces {
      switch piece {
      case .text(let more): text += more
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
}
