import EvalRecords

extension ComparisonRecord {
  /// The gating effects with a suspected regression: without an adjustment for other tests, each is
  /// significant at twice the level, and more draws are needed to confirm the regression.
  package var suspectedEffects: [EffectRecord] {
    effects.filter { effect in
      effect.isGating
        && effect.notes.contains { if case .suspected = $0 { true } else { false } }
    }
  }
}
