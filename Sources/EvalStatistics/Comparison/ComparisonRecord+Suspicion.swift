import EvalRecords

extension ComparisonRecord {
  /// The gating effects with a suspected regression.
  ///
  /// Without the adjustment for multiplicity, such an effect is significant at twice the level.
  /// More draws are needed to confirm the regression.
  package var suspectedEffects: [EffectRecord] {
    effects.filter { effect in
      effect.isGating
        && effect.notes.contains { if case .suspected = $0 { true } else { false } }
    }
  }
}
