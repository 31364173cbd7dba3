/// The settings for choosing one of the legal tokens.
///
/// The order is fixed: the mask, then the temperature, then top-k, top-p and min-p, each applied to
/// the result of the previous one. There are no repetition penalties, because the grammar requires
/// repetitions.
package struct SamplingSettings: Sendable, Hashable {
  /// Whether to always choose the most likely token; the other settings then have no effect.
  ///
  /// If several tokens are equally likely, the one with the lowest number wins.
  package var isGreedy: Bool
  /// The divisor of the logits; 0 or less means greedy.
  package var temperature: Double
  /// The number of most likely tokens to keep; 0 keeps all.
  package var topK: Int
  /// The total probability that the kept tokens must reach, starting with the most likely; 1 keeps
  /// all.
  package var topP: Double
  /// The minimum probability of a kept token, relative to the most likely token; 0 keeps all.
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
  /// Whether the settings remove tokens that the mask allows.
  var truncates: Bool { topK > 0 || topP < 1 || minP > 0 }
}

extension TokenDistribution {
  /// Removes the tokens that the settings don't allow from those to choose from.
  func truncate(_ settings: SamplingSettings) {
    let legalCount = legal.reduce(0) { $0 + $1.nonzeroBitCount }
    let count = settings.topK > 0 ? min(settings.topK, legalCount) : legalCount
    if count < legalCount || settings.topP < 1 {
      keep(likeliest(atMost: count, of: legalCount, share: settings.topP))
    }
    if settings.minP > 0 {
      let weights = chosenFrom
      // The most likely token's weight is 1.
      let least = min(settings.minP, 1)
      forEachLegal { if weights[Int($0)] < least { weights[Int($0)] = 0 } }
      sampledTotal = sum(of: weights, over: forEachLegal)
    }
  }
}
