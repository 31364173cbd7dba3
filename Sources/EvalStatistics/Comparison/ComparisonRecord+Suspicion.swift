import EvalRecords

extension ComparisonRecord {
  /// The suspected gating effects: those that regressed at twice the level, tested separately, and
  /// that more draws would have to confirm.
  package var suspectedEffects: [EffectRecord] {
    effects.filter { effect in
      effect.isGating
        && effect.notes.contains { if case .suspected = $0 { true } else { false } }
    }
  }
}
