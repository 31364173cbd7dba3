/// A model as the decoder sees it: tokens go in, logits come out.
///
/// A predictor keeps several independent sequences of tokens, each in a numbered slot. So the
/// repeats of a test case can be evaluated together, and the prefix that they share is evaluated
/// only once. Only one thread at a time may use a predictor, so each worker has a separate one; all
/// predictors share the weights.
///
/// ```
/// slot 0   instructions + schema + test case          ──┐ copy(fromSlot: 0, toSlot: 1)
/// slot 1   instructions + schema + test case + answer ◄─┘ rewind(slot: 1, to: n): to any length
/// ```
public protocol TokenPredictor: AnyObject {
  /// The model's tokens.
  var vocabulary: Vocabulary { get }
  /// The maximum number of tokens in a slot.
  var contextLength: Int { get }
  /// The number of slots.
  var slotCount: Int { get }

  /// Returns the number of tokens in a slot.
  func length(ofSlot slot: Int) -> Int

  /// Appends tokens to slots, evaluates them, and passes the logits to a closure.
  ///
  /// The same tokens give the same logits to the last bit, however they are split into calls and
  /// whatever else is in the batch.
  ///
  /// - Parameters:
  ///   - batch: The tokens to append, with at most one entry per slot.
  ///   - receive: A closure that is called once for each requested position. It receives the
  ///     entry's index in the batch, the position within the entry's tokens, and the logits (as
  ///     many as the vocabulary has tokens), which are valid only during the call.
  /// - Throws: `PredictorError` if a slot would overflow, or if a slot or token doesn't exist.
  func evaluate(
    _ batch: [PredictorInput],
    receive: (_ entry: Int, _ position: Int, _ logits: UnsafeBufferPointer<Float>) -> Void
  ) throws(PredictorError)

  /// Shortens a slot to its first `length` tokens.
  func rewind(slot: Int, to length: Int)

  /// Copies one slot to another.
  func copy(fromSlot source: Int, toSlot destination: Int)
}

/// Tokens to append to a slot, and the positions whose logits are requested.
public struct PredictorInput: Sendable {
  /// The tokens after which logits are requested.
  public enum Wanted: Sendable {
    /// No logits: the tokens are only context.
    case none
    /// The logits after the last token.
    case last
    /// The logits after every token.
    case all
  }

  /// The slot to append to.
  public var slot: Int
  /// The tokens to append.
  public var tokens: [TokenID]
  /// The tokens after which logits are requested.
  public var wanted: Wanted

  /// Creates an input.
  public init(slot: Int, tokens: [TokenID], wanted: Wanted) {
    self.slot = slot
    self.tokens = tokens
    self.wanted = wanted
  }
}

/// A reason why a predictor can't evaluate tokens.
public enum PredictorError: Error, Sendable, Hashable {
  /// A slot would hold more tokens than the context allows.
  case contextExceeded(length: Int, limit: Int)
  /// The vocabulary has no token with this number.
  case unknownToken(TokenID)
  /// The predictor has no slot with this number.
  case unknownSlot(Int)
}
