/// How a token is chosen among the legal ones.
///
/// The order is fixed: the mask, then the temperature, then top-k, top-p, min-p, each over what
/// the one before left. Repetition penalties have no place here: the grammar demands repetitions.
package struct SamplingSettings: Sendable, Hashable {
  /// Always the likeliest token, the lowest number among equals; the rest is then without effect.
  package var isGreedy: Bool
  /// Divides the logits; 0 and below is greedy.
  package var temperature: Double
  /// Keeps the k likeliest tokens; 0 keeps all.
  package var topK: Int
  /// Keeps the likeliest tokens that together have at least this share; 1 keeps all.
  package var topP: Double
  /// Keeps tokens of at least this share of the likeliest one's probability; 0 keeps all.
  package var minP: Double

  /// Creates settings.
  package init(
    isGreedy: Bool = false, temperature: Double = 1, topK: Int = 0, topP: Double = 1,
    minP: Double = 0
  ) {
    self.isGreedy = isGreedy
    self.temperature = temperature
    self.topK = topK
    self.topP = topP
    self.minP = minP
  }

  var picksLikeliest: Bool { isGreedy || !(temperature > 0) }
}
