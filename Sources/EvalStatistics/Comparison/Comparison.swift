import EvalRecords

/// Compares a candidate with a baseline: which quantities changed, by how much, and how certain
/// that is.
///
/// There are three groups of effects, each with a separate adjustment for multiple tests:
///
/// - The *gating* family: the pass rate, the pass rate against the pooled history (if earlier runs
///   have the same requests as the baseline), and the chance of empty arrays, of arrays shorter
///   than the suite's minimum and of wrong branches. If the engine measured a probability, its
///   count is shown but doesn't gate. Holm's method keeps the chance of *any* false "regressed" at
///   or below α; the tests for "improved" are a second, separate family.
/// - The counts that don't gate, and the single assertions: only for information, adjusted with
///   Benjamini and Hochberg's method.
/// - Units that are not comparable or broken: their numbers are shown, but nothing is tested.
///
/// Only the test cases, draws and assertions that both sides have are compared; the differences
/// list what is left out.
///
/// The overall verdict is the first of these that applies:
///
/// 1. `regressed`: a gating effect regressed;
/// 2. `broken`: a unit has too many backend errors;
/// 3. `notComparable`: the requests of a unit differ, it has missing data, or the sides have
///    nothing in common;
/// 4. `inconclusive`: a gating effect is inconclusive, and either it points to worse or none
///    improved;
/// 5. `improved`: a gating effect improved;
/// 6. `ok`.
public enum Comparison {
  /// Compares two sides.
  ///
  /// - Parameters:
  ///   - baseline: The accepted side.
  ///   - candidate: The side under test, which may be another variant of the same run.
  ///   - rules: The margin, the significance level and further rules.
  /// - Returns: The effects, most informative first, and the overall verdict.
  public static func compare(
    baseline: ComparisonSide, candidate: ComparisonSide, rules: ComparisonRules = .init()
  ) -> ComparisonRecord {
    let (units, unmatched) = ComparisonUnit.units(baseline, candidate)
    var differences = unmatched
    var drafts: [EffectDraft] = []
    var hasBroken = false
    // Attempts that one side planned but never made are missing data, not left out.
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
      // The existing data is tested, because it can show a regression even if other data is
      // missing.
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
    // A pooled history adds power; if it is inconclusive, the other effects decide as they would
    // without it.
    let isUnsure = gating.contains {
      $0.record.verdict == .inconclusive && (!improved || $0.worsening > 0)
        && $0.record.reference != .pooledHistory
    }
    if isUnsure { return .inconclusive }
    return improved ? .improved : .ok
  }

  /// Returns the sort key of an effect: findings first, then by subject, with a probability before
  /// its count.
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
