import EvalRecords

/// Compares a candidate with a baseline: which quantities moved, by how much, and how sure that is.
///
/// Three groups of effects, each with its own adjustment for many tests:
///
/// - the *gating* family: the pass rate, also beside the pooled history where earlier runs have what
///   the baseline has, and the chance of empty arrays, of arrays shorter than the suite's minimum and of wrong branches; where the engine measured the probability, its count is
///   shown but does not gate. Holm keeps the chance of *any* false "regressed" at or below α; the
///   tests for "improved" are a second family of their own;
/// - the counts that don't gate, and the single assertions: a screen, adjusted after Benjamini and
///   Hochberg;
/// - units that are not comparable or broken: their numbers are shown, nothing is tested.
///
/// Compared are the cases, draws and assertions that both sides have; the differences say what is left
/// out.
///
/// The verdict over all is the first of these that holds:
///
/// 1. `regressed`: a gating effect regressed;
/// 2. `broken`: a unit has too many backend errors;
/// 3. `notComparable`: the requests of a unit differ, data are missing in it, or the sides have nothing
///    in common;
/// 4. `inconclusive`: a gating effect is inconclusive, and none improved or it points to worse;
/// 5. `improved`: a gating effect improved;
/// 6. `ok`.
public enum Comparison {
  /// Compares two sides.
  ///
  /// - Parameters:
  ///   - baseline: What was accepted before.
  ///   - candidate: What is under test; it may be another variant of the same run.
  ///   - rules: The margin, the significance level and what else counts.
  /// - Returns: The effects, the most telling first, and the verdict over all.
  public static func compare(
    baseline: ComparisonSide, candidate: ComparisonSide, rules: ComparisonRules = .init()
  ) -> ComparisonRecord {
    let (units, unmatched) = ComparisonUnit.units(baseline, candidate)
    var differences = unmatched
    var drafts: [EffectDraft] = []
    var hasBroken = false
    // What one side planned and never made is missing, not left out.
    var hasIncomparable = unmatched.contains { $0.fact.consequence == .incomplete }
    for unit in units {
      let reasons = unit.differences
      let broken = unit.breakage(above: rules.brokenShare)
      differences += reasons
      var obstacle: (verdict: ComparisonVerdict, reasons: [EffectNote])?
      let consequences = Set(reasons.map(\.fact.consequence))
      if consequences.contains(.notComparable) {
        hasIncomparable = true
        obstacle = (.notComparable, [.notComparable])
      }
      // What is there is tested: a regression in it is one, whatever is missing.
      if consequences.contains(.incomplete) { hasIncomparable = true }
      if !broken.isEmpty {
        hasBroken = true
        differences += broken.map { side in
          let slice = unit.slice(side)
          return ComparisonDifference(
            place: unit.place,
            fact: .errors(side: side, errors: slice.errorCount, attempts: slice.attempts.count))
        }
        obstacle = (
          .broken,
          broken.map { side in
            let slice = unit.slice(side)
            return .errors(
              side: side, errors: slice.errorCount, attempts: slice.attempts.count)
          }
        )
      }
      if obstacle == nil, let hidden = unit.hiddenFailures(rules) {
        hasBroken = true
        differences.append(ComparisonDifference(place: unit.place, fact: hidden))
      }
      drafts += unit.drafts(rules).map {
        var draft = $0
        draft.obstacle = obstacle
        return draft
      }
    }
    if units.isEmpty {
      differences.append(ComparisonDifference(fact: .nothingInCommon))
    }
    judge(&drafts, alpha: rules.alpha)
    let order = drafts.enumerated().map { (rank: rank($1) + [Double($0)], index: $0) }
      .sorted { $0.rank.lexicographicallyPrecedes($1.rank) }
    return ComparisonRecord(
      baseline: baseline.record, candidate: candidate.record,
      verdict: units.isEmpty
        ? .notComparable
        : overall(drafts, hasBroken: hasBroken, hasIncomparable: hasIncomparable),
      differences: differences, effects: order.map { drafts[$0.index].record }, alpha: rules.alpha)
  }

  /// Adjusts the p-values within their families and gives each effect its verdict.
  private static func judge(_ drafts: inout [EffectDraft], alpha: Double) {
    for isGating in [true, false] {
      let family = drafts.indices.filter {
        drafts[$0].isGating == isGating && drafts[$0].obstacle == nil
      }
      let adjust = isGating ? Multiplicity.holm : Multiplicity.benjaminiHochberg
      let worse = adjust(family.map { drafts[$0].worseP })
      let better = adjust(family.map { drafts[$0].betterP })
      for (position, index) in family.enumerated() {
        drafts[index].decide(
          adjusted: (worse[position], better[position]),
          by: family.count == 1
            ? nil
            : isGating
              ? .holm(tests: family.count) : .benjaminiHochberg(tests: family.count),
          familySize: family.count, alpha: alpha)
      }
    }
    for index in drafts.indices where drafts[index].obstacle != nil {
      drafts[index].decide(adjusted: (1, 1), familySize: 1, alpha: alpha)
    }
  }

  private static func overall(
    _ drafts: [EffectDraft], hasBroken: Bool, hasIncomparable: Bool
  ) -> ComparisonVerdict {
    let gating = drafts.filter { $0.isGating && $0.obstacle == nil }
    if gating.contains(where: { $0.record.verdict == .regressed }) { return .regressed }
    if hasBroken { return .broken }
    if hasIncomparable { return .notComparable }
    let improved = gating.contains { $0.record.verdict == .improved }
    // A pooled history adds power; where it can't tell, the other effects decide as without it.
    let isUnsure = gating.contains {
      $0.record.verdict == .inconclusive && (!improved || $0.worsening > 0)
        && $0.record.reference != .pooledHistory
    }
    if isUnsure { return .inconclusive }
    return improved ? .improved : .ok
  }

  /// The order of effects: findings first, then by subject, the probability before its count.
  private static func rank(_ draft: EffectDraft) -> [Double] {
    let verdicts: [ComparisonVerdict] = [
      .regressed, .improved, .broken, .notComparable, .inconclusive, .ok,
    ]
    let verdict = verdicts.firstIndex(of: draft.record.verdict) ?? verdicts.count
    return [
      Double(verdict), Double(draft.subject.rawValue), draft.isGating ? 0 : 1,
      -abs(draft.worsening),
    ]
  }
}
