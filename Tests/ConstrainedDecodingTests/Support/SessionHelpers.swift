import Tokenization

@testable import ConstrainedDecoding

extension DecodingSession {
  /// Returns the tokens that must come next.
  func forcedRun(limit: Int = 64) -> [TokenID] { lookAhead(limit: limit).run }

  /// Evaluates the texts after which a decision is still open, the most probable first, until none
  /// is left or the budget is used up.
  ///
  /// - Parameters:
  ///   - budget: The maximum number of evaluations.
  ///   - evaluate: A closure that returns the model's logits after some tokens, or nil to stop.
  /// - Returns: The number of evaluations.
  @discardableResult
  mutating func resolveDecisions(budget: Int, evaluate: ([TokenID]) -> [Float]?) -> Int {
    var used = 0
    while used < budget, let path = nextOpenPaths().first, let logits = evaluate(path) {
      used += 1
      logits.withUnsafeBufferPointer { _ = follow(path, logits: $0) }
    }
    return used
  }
}
