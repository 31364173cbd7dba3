extension GenerationSettings {
  /// A `topP` up to which the most likely token alone always reaches the share.
  ///
  /// The most likely of n tokens has a probability of at least 1/n, and no vocabulary has a million
  /// tokens.
  private static let leastShare = 1e-6

  /// Whether the settings leave one token at each step, so that the answer doesn't depend on the
  /// seed.
  ///
  /// `SamplingSettings.picksLikeliest`, which the engine uses, covers only the settings for which
  /// the engine computes no distribution.
  public var samplesNothing: Bool {
    isGreedy || temperature <= 0 || topK == 1 || topP <= Self.leastShare || minP >= 1
  }
}

extension StubScript {
  /// Whether all repeats get the same answer.
  public var isFixed: Bool {
    let possible = entries.filter { choice == .sequence || $0.weight > 0 }
    return possible.allSatisfy {
      $0.content == possible.first?.content && $0.fault == possible.first?.fault
    }
  }

  /// Whether repeats get different answers, but the number of a repeat decides which, not chance.
  public var takesTurns: Bool { choice == .sequence && !isFixed }
}
