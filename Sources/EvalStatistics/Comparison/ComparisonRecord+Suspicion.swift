import EvalRecords

extension ComparisonRecord {
  /// The gating effects that are suspected: regressions by themselves at twice the level, which
  /// more draws would have to confirm.
  package var suspectedEffects: [EffectRecord] {
    effects.filter { effect in
      effect.isGating
        && effect.notes.contains { if case .suspected = $0 { true } else { false } }
    }
  }
}
