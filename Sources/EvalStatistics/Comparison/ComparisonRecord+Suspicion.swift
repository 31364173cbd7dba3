import EvalRecords

extension ComparisonRecord {
  /// The suspected gating effects: each test alone is significant at twice the level, and more
  /// draws are needed to confirm the regression.
  package var suspectedEffects: [EffectRecord] {
    effects.filter { effect in
      effect.isGating
        && effect.notes.contains { if case .suspected = $0 { true } else { false } }
    }
  }
}
