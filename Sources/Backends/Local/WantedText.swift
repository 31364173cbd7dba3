import Tokenization

/// The beginning of a text that the mask kept the model from writing: a forbidden token, and the
/// tokens with which the model itself would have completed the word.
///
/// ```
/// {"cards": [⏎     forbidden: D     the model continues:  raft   Card   Set   ␣{
///                                   so it wanted to write DraftCardSet
/// ```
struct WantedText {
  /// The index of the answer's step at which the token is forbidden.
  let step: Int
  /// The tokens, beginning with the forbidden one.
  private(set) var tokens: [TokenID]
  /// Whether the word is complete, or long enough.
  private(set) var isDone = false

  /// The maximum number of tokens.
  private static let mostTokens = 6

  init(step: Int, token: TokenID) {
    self.step = step
    tokens = [token]
  }

  /// Returns the tokens from the beginning of an answer to the end of the text.
  func path(after answer: [TokenID]) -> [TokenID] { answer.prefix(step) + tokens }

  /// Adds the model's most likely next token if it continues the word.
  mutating func add(_ token: TokenID, _ vocabulary: Vocabulary) {
    let character = String(decoding: vocabulary.bytes(of: token), as: UTF8.self).first
    if let character, character.isLetter || character.isNumber {
      tokens.append(token)
      isDone = tokens.count == Self.mostTokens
    } else {
      isDone = true
    }
  }

  /// Returns the text.
  func text(_ vocabulary: Vocabulary) -> String {
    String(decoding: tokens.flatMap { vocabulary.bytes(of: $0) }, as: UTF8.self)
  }

  /// Returns the token with the largest logit, or `nil` if there is none.
  static func likeliest(_ logits: UnsafeBufferPointer<Float>) -> TokenID? {
    logits.indices.max { logits[$0] < logits[$1] }.map { TokenID($0) }
  }
}
