import EvalRecords

/// The comparisons' verdict on one slice, as all tables show it.
package struct SliceFinding {
  /// The verdict on the slice.
  ///
  /// If the comparison covers only this slice, this is the comparison's verdict. Otherwise, it is
  /// `regressed` if any gating effect regressed. If none did, it is `broken` or `notComparable` if
  /// a difference between the two sides prevents or limits the comparison. If there is no such
  /// difference, it is the worst verdict of the gating effects; as in ``Comparison``, an unclear
  /// change from the pooled history doesn't count.
  ///
  /// A gating effect is one that counts for the verdict of its comparison.
  package let verdict: ComparisonVerdict
  /// The effect on the pass rate compared with the baseline (not with the pooled history), or `nil`
  /// if there is none.
  package let passRate: EffectRecord?
  /// All effects on the slice.
  package let effects: [EffectRecord]
  /// The ids of the slice's test cases that newly fail for certain.
  let newlyFailing: [String]

  /// The most telling effect that decides the verdict, as in the headline, or `nil` if a difference
  /// between the sides does.
  var deciding: EffectRecord? {
    (HeadlinePart.telling(effects) + effects).first { $0.isGating && $0.verdict == verdict }
  }

  /// Returns the effect to show for one quantity, or `nil` if the comparison has none.
  ///
  /// A quantity may have two effects, one counted and one measured. An effect that regressed takes
  /// precedence, then an effect that counts for the verdict.
  package func effect(_ matches: (Quantity) -> Bool) -> EffectRecord? {
    let own = effects.filter { matches($0.quantity) && $0.reference == .baseline }
    return own.first { $0.verdict == .regressed } ?? own.first(where: \.isGating) ?? own.first
  }
}

extension ReportDocument {
  /// The findings on the slices that the comparisons include, keyed by slice.
  package var sliceFindings: [SliceKey: SliceFinding] {
    var effects: [SliceKey: [EffectRecord]] = [:]
    var verdicts: [SliceKey: ComparisonVerdict] = [:]
    var whole: [SliceKey: ComparisonVerdict] = [:]
    for record in comparisons.map(\.record) {
      let keys = Set(record.effects.map(\.place.candidate))
      if keys.count == 1, let key = keys.first { whole[key] = record.verdict }
      for effect in record.effects {
        effects[effect.place.candidate, default: []].append(effect)
      }
      for difference in record.differences {
        guard let place = difference.place else { continue }
        let key = place.candidate
        switch difference.fact.consequence {
        case .broken: verdicts[key] = .broken
        case .notComparable, .incomplete: if verdicts[key] == nil { verdicts[key] = .notComparable }
        case .leftOut, .noted, .doubtful: break
        }
      }
    }
    let flips = comparisons.flatMap(\.record.flips)
    var findings: [SliceKey: SliceFinding] = [:]
    for (key, effects) in effects {
      let gating = Set(
        effects.filter {
          $0.isGating && ($0.reference != .pooledHistory || $0.verdict != .inconclusive)
        }.map(\.verdict))
      let order: [ComparisonVerdict] = [
        .broken, .notComparable, .inconclusive, .improved, .ok,
      ]
      // A regression counts even if something else is missing or differs.
      let worst =
        gating.contains(.regressed)
        ? .regressed
        : verdicts[key] ?? order.first { gating.contains($0) } ?? .inconclusive
      findings[key] = SliceFinding(
        verdict: whole[key] ?? worst,
        passRate: effects.first { $0.quantity == .passRate && $0.reference == .baseline },
        effects: effects,
        newlyFailing: flips.filter { $0.place.candidate == key }.flatMap(\.failing).distinct)
    }
    return findings
  }
}
