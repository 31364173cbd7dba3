/// A model as the decoder sees it: tokens in, logits out.
///
/// A predictor keeps several independent sequences of tokens, each in a numbered slot, so that
/// repeats of one case can be evaluated together and a shared prefix is evaluated once. It is used
/// by one thread at a time; workers have one each over the same weights.
///
/// ```
/// slot 0   instructions + schema + case          ──┐ copy(from: 0, to: 1)
/// slot 1   instructions + schema + case + answer ◄─┘ rewind(1, to: n) goes back to any length
/// ```
public protocol TokenPredictor: AnyObject {
  /// The model's tokens.
  var vocabulary: Vocabulary { get }
  /// The most tokens that a slot can hold.
  var contextLength: Int { get }
  /// The number of slots.
  var slotCount: Int { get }

  /// The number of tokens in a slot.
  func length(ofSlot slot: Int) -> Int

  /// Evaluates tokens appended to slots and hands out logits.
  ///
  /// The same tokens give the same logits to the last bit, however they are split into calls and
  /// whatever else is in the batch.
  ///
  /// - Parameters:
  ///   - batch: What to append; at most one entry for each slot.
  ///   - receive: Called once for each wanted position with the entry's index in the batch, the
  ///     position within the entry's tokens, and the logits (as many as the vocabulary has
  ///     tokens), which are valid only during the call.
  /// - Throws: `PredictorError` where a slot would overflow or a token is not in the vocabulary.
  func evaluate(
    _ batch: [PredictorInput],
    receive: (_ entry: Int, _ position: Int, _ logits: UnsafeBufferPointer<Float>) -> Void
  ) throws(PredictorError)

  /// Shortens a slot to its first tokens.
  func rewind(slot: Int, to length: Int)

  /// Makes one slot equal to another.
  func copy(fromSlot source: Int, toSlot destination: Int)
}

/// Tokens to append to a slot, and the positions at which logits are wanted.
public struct PredictorInput: Sendable {
  /// Which logits are wanted.
  public enum Wanted: Sendable {
    /// None: the tokens are only context.
    case none
    /// Those after the last token.
    case last
    /// Those after every token.
    case all
  }

  /// The slot.
  public var slot: Int
  /// The tokens to append.
  public var tokens: [TokenID]
  /// Which logits are wanted.
  public var wanted: Wanted

  /// Creates an input.
  public init(slot: Int, tokens: [TokenID], wanted: Wanted) {
    self.slot = slot
    self.tokens = tokens
    self.wanted = wanted
  }
}

/// Why a predictor could not evaluate tokens.
public enum PredictorError: Error, Sendable, Hashable {
  /// A slot would hold more tokens than the context has room for.
  case contextExceeded(length: Int, limit: Int)
  /// A token number that the vocabulary does not have.
  case unknownToken(TokenID)
  /// A slot number that the predictor does not have.
  case unknownSlot(Int)
}
