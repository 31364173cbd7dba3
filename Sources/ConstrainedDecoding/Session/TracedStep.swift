import Tokenization

/// One step of a session: the chosen token and its alternatives.
package struct TracedStep: Sendable, Hashable {
  /// A likely token at the step, legal or not, or the chosen token.
  package struct Candidate: Sendable, Hashable {
    /// The token.
    package var token: TokenID
    /// The token's probability before the mask.
    package var raw: Double
    /// The token's probability after the mask; 0 if the token is not legal.
    package var masked: Double
    /// The token's probability after temperature and truncation.
    package var sampled: Double
    /// Whether the mask allows the token.
    package var isLegal: Bool
    /// Whether the schema allows the token's text, even if the policy on segmentations doesn't
    /// allow the token.
    package var fitsSchema: Bool
  }

  /// The entropies of a step in bits.
  package struct Entropies: Sendable, Hashable {
    /// The entropy of the model's own distribution, over the whole vocabulary.
    package var raw: Double
    /// The entropy after the mask, over the legal tokens.
    package var masked: Double
  }

  /// The chosen token.
  package var token: TokenID
  /// The path in the value at which the token begins.
  package var path: String
  /// Whether only one token was legal.
  package var isForced: Bool
  /// The number of legal tokens.
  package var legalCount: Int
  /// The mass that the mask kept (Z), from 0 to 1.
  package var keptMass: Double
  /// The entropies before and after the mask.
  package var entropies: Entropies
  /// The five most likely tokens before the mask, the five most likely legal tokens, and the chosen
  /// token, without duplicates, by descending raw probability.
  package var candidates: [Candidate]

  private static let candidateCount = 5

  /// Returns the candidates of a step.
  ///
  /// - Parameters:
  ///   - chosen: The chosen token.
  ///   - schemaMask: The tokens whose text the schema allows.
  ///   - distribution: The probabilities.
  ///   - logits: The model's logits.
  static func candidates(
    chosen: TokenID, within schemaMask: TokenMask, _ distribution: TokenDistribution,
    _ logits: UnsafeBufferPointer<Float>
  ) -> [Candidate] {
    let best =
      distribution.likeliest(candidateCount, logits, isLegal: false)
      + distribution.likeliest(candidateCount, logits, isLegal: true) + [chosen]
    var seen: Set<TokenID> = []
    return best.filter { seen.insert($0).inserted }
      .map { token in
        Candidate(
          token: token, raw: distribution.rawProbability(of: token),
          masked: distribution.maskedProbability(of: token),
          sampled: distribution.sampledProbability(of: token),
          isLegal: distribution.isLegal(token), fitsSchema: schemaMask.contains(token))
      }
      .sorted { $0.raw != $1.raw ? $0.raw > $1.raw : $0.token < $1.token }
  }
}
