import EvalRecords

/// Compares a candidate with a baseline: which quantities changed, by how much, and with how much
/// certainty.
///
/// A *unit* consists of the attempts of both sides at one suite, in one variant and on one backend.
/// The effects in all units form three groups. The first two are adjusted for multiplicity
/// separately:
///
/// - the *gating* family: the pass rate, its comparison with the pooled history (if there is one),
///   and the rates of empty and missing arrays, of arrays shorter than the suite's minimum and of
///   wrong branches. If the engine measured the probability of such a result in all test cases, the
///   probability is in the family; otherwise the count is. Holm's method keeps the family-wise
///   error rate of "regressed" at or below α, over all suites of a run. Tests that couldn't have
///   become significant take no share of α, and several tests of the same results count as one
///   test. The tests against the baseline and the tests against the history have separate levels.
///   The tests for "improved" form separate families;
/// - the counts that don't gate, and the assertions one by one: they only point out what to look
///   at, with the Benjamini-Hochberg adjustment;
/// - the effects in units that are broken or not comparable: their numbers are shown but not
///   tested.
///
/// Only the test cases, draws and assertions that both sides have are compared. The record's
/// `differences` say what is left out.
///
/// The overall verdict is the first of these that applies:
///
/// 1. `regressed`: a gating effect regressed;
/// 2. `broken`: a unit has too many backend errors, or errors on one side that may hide a
///    regression;
/// 3. `notComparable`: the requests of a unit differ, data of a unit is missing, or the sides have
///    nothing in common;
/// 4. `inconclusive`: a gating effect other than the comparison with the history is inconclusive,
///    and either it points toward a regression or no gating effect improved; or a test case newly
///    fails for certain (``FlippedCases``), or is left out and newly fails, and no gating effect
///    improved; or answers contradict
///    measured probabilities;
/// 5. `improved`: a gating effect improved;
/// 6. `ok`.
public enum Comparison {
  /// Compares two sides.
  ///
  /// - Parameters:
  ///   - baseline: The side to compare with.
  ///   - candidate: The side under test, which may be another variant of the same run.
  ///   - rules: The margin, the significance level and further rules.
  /// - Returns: The effects, most informative first, and the overall verdict.
  public static func compare(
    baseline: ComparisonSide, candidate: ComparisonSide, rules: ComparisonRules = .init()
  ) -> ComparisonRecord {
    var prepared = [Prepared(baseline, candidate, rules)]
    judge(&prepared, rules)
    return prepared[0].record(rules)
  }

  /// Compares the suites of one run, with a family-wise error rate of at most α over all of them.
  ///
  /// A suite in which no test case's result changed can't raise an alarm, so it takes no share of
  /// α.
  ///
  /// - Parameters:
  ///   - sides: The two sides of each comparison.
  ///   - rules: The margin, the significance level and further rules.
  /// - Returns: One comparison for each pair of sides.
  public static func night(
    _ sides: [(baseline: ComparisonSide, candidate: ComparisonSide)],
    rules: ComparisonRules = .init()
  ) -> [ComparisonRecord] {
    var rules = rules
    rules.isOneOfSeveral = sides.count > 1
    var prepared = sides.map { [rules] in Prepared($0.baseline, $0.candidate, rules) }
    judge(&prepared, rules)
    return prepared.map { $0.record(rules) }
  }

  /// A comparison before its effects are judged.
  private struct Prepared {
    let sides: (baseline: SideRecord, candidate: SideRecord)
    var differences: [ComparisonDifference]
    var drafts: [EffectDraft] = []
    var flips: [FlippedCases] = []
    var hasBroken = false
    /// Whether answers contradict measured probabilities.
    var hasDoubts = false
    /// Whether something is missing or can't be compared.
    var hasIncomparable: Bool
    var isEmpty: Bool

    init(_ baseline: ComparisonSide, _ candidate: ComparisonSide, _ rules: ComparisonRules) {
      sides = (baseline.record, candidate.record)
      let (units, unmatched) = ComparisonUnit.units(baseline, candidate)
      differences = unmatched
      isEmpty = units.isEmpty
      // If a side planned attempts but didn't make them, they count as missing, not just as left
      // out.
      hasIncomparable = unmatched.contains { $0.fact.consequence == .incomplete }
      for unit in units { add(unit, rules, baseline.knownDifferences) }
      if units.isEmpty { differences.append(ComparisonDifference(fact: .nothingInCommon)) }
    }

    private mutating func add(
      _ unit: ComparisonUnit, _ rules: ComparisonRules, _ known: [ComparisonDifference.Fact]
    ) {
      let facts = unit.rejudgementFacts(rules) + known
      let reasons =
        unit.differences + facts.map { ComparisonDifference(place: unit.place, fact: $0) }
      let broken = unit.breakage(rules)
      differences += reasons
      var obstacle: (verdict: ComparisonVerdict, reasons: [EffectNote])?
      let consequences = Set(reasons.map(\.fact.consequence))
      if consequences.contains(.notComparable) {
        hasIncomparable = true
        obstacle = (.notComparable, [.notComparable])
      }
      // The data that exists is tested, because it can show a regression even if other data is
      // missing.
      if consequences.contains(.incomplete) { hasIncomparable = true }
      let leftOutFails = reasons.contains { $0.fact.isLeftOutFailing }
      if !broken.isEmpty {
        hasBroken = true
        let errors = broken.map { side in
          (side, unit.slice(side).errorCount, unit.slice(side).attempts.count)
        }
        differences += errors.map {
          ComparisonDifference(
            place: unit.place, fact: .errors(side: $0.0, errors: $0.1, attempts: $0.2))
        }
        obstacle = (.broken, errors.map { .errors(side: $0.0, errors: $0.1, attempts: $0.2) })
      }
      let effects = unit.effects(rules)
      let flipped = obstacle == nil ? unit.flipped : nil
      if let flipped { flips.append(flipped) }
      let failing = Set(flipped?.newlyFailing ?? [])
      var hidden: ComparisonDifference.Fact?
      if obstacle == nil {
        let plain = effects.drafts.first {
          $0.record.quantity == .passRate && $0.record.reference == .baseline
        }
        hidden = unit.hiddenFailures(plain, rules)
        if hidden != nil { hasBroken = true }
        hasDoubts = hasDoubts || effects.facts.contains { $0.consequence == .doubtful }
        differences += (effects.facts + [hidden].compactMap(\.self)).map {
          ComparisonDifference(place: unit.place, fact: $0)
        }
      }
      drafts += effects.drafts.map {
        var draft = $0
        draft.obstacle = obstacle
        draft.hasNewlyFailing =
          draft.isWorse(inAnyOf: failing)
          || leftOutFails && draft.record.quantity == .passRate
            && draft.record.reference == .baseline
          || flipped?.failingOutside != nil && draft.record.quantity == .passRate
        draft.isHidden =
          hidden != nil && draft.record.quantity == .passRate
          && draft.record.reference == .baseline
        draft.isJudgedInTwoWays =
          draft.record.quantity == .passRate && reasons.contains { $0.fact.isOfJudging }
        return draft
      }
    }

    func record(_ rules: ComparisonRules) -> ComparisonRecord {
      let order = drafts.enumerated().map { (rank: Comparison.rank($1) + [Double($0)], index: $0) }
        .sorted { $0.rank.lexicographicallyPrecedes($1.rank) }
      // Errors hide nothing if the test without them found the regression.
      let found = Set(
        drafts.filter { $0.isHidden && $0.record.verdict == .regressed }.map(\.record.place))
      let differences = differences.filter { difference in
        guard case .hiddenFailures = difference.fact, let place = difference.place else {
          return true
        }
        return !found.contains(place)
      }
      return ComparisonRecord(
        baseline: sides.baseline, candidate: sides.candidate,
        verdict: isEmpty
          ? .notComparable
          : Comparison.overall(self),
        differences: differences, effects: order.map { drafts[$0.index].record },
        alpha: rules.alpha, flips: flips)
    }
  }

  /// Adjusts the p-values within their families, and decides the verdict of each effect.
  private static func judge(_ prepared: inout [Prepared], _ rules: ComparisonRules) {
    for reference in ComparisonReference.allCases {
      judgeGates(&prepared, reference, rules)
    }
    for number in prepared.indices {
      judgeScreen(&prepared[number].drafts, rules)
      for index in prepared[number].drafts.indices
      where prepared[number].drafts[index].obstacle != nil {
        prepared[number].drafts[index].decide(
          adjusted: (1, 1), familySize: 1, alpha: rules.alpha, rules: rules)
      }
    }
  }

  /// Judges all gating effects with the given reference as one family, over all comparisons.
  private static func judgeGates(
    _ prepared: inout [Prepared], _ reference: ComparisonReference, _ rules: ComparisonRules
  ) {
    let level = rules.level(against: reference)
    let family = prepared.indices.flatMap { number in
      prepared[number].drafts.indices.filter {
        let draft = prepared[number].drafts[$0]
        return draft.isGating && draft.obstacle == nil && draft.record.reference == reference
      }.map { (number, $0) }
    }
    let drafts = family.map { prepared[$0.0].drafts[$0.1] }
    // If two quantities have the same result for every pair, they count as one test. For example,
    // the pass rate and the rate of empty arrays are one test if nothing else fails. This check
    // doesn't depend on the direction of the change: if the two answers of a pair were swapped, the
    // results of both quantities would be swapped too.
    let first = family.indices.map { position in
      family[..<position].indices.first { earlier in
        family[earlier].0 == family[position].0 && drafts[earlier].outcomes != nil
          && drafts[earlier].outcomes == drafts[position].outcomes
      } ?? position
    }
    let tests = family.indices.filter { first[$0] == $0 }
    // Whole answers would add the test of the pass rate, so it keeps its place in the family.
    let unknown = rules.comparesDecisionsOnly ? prepared.count : 0
    let least = tests.map { drafts[$0].leastP } + Array(repeating: 0, count: unknown)
    func adjusted(_ pValues: [Double]) -> (adjusted: [Double], size: Int) {
      Multiplicity.family(
        pValues + Array(repeating: 1, count: unknown), least: least, alpha: level)
    }
    let worse = adjusted(tests.map { drafts[$0].worseP })
    let better = adjusted(tests.map { drafts[$0].betterP })
    // A quantity isn't `ok` if the exact test of its draws alone is significant.
    let exact = adjusted(tests.map { drafts[$0].exactP?.worse ?? drafts[$0].worseP })
    for (position, place) in family.enumerated() {
      guard let test = tests.firstIndex(of: first[position]) else { continue }
      prepared[place.0].drafts[place.1].decide(
        adjusted: (worse.adjusted[test], better.adjusted[test]), exact: exact.adjusted[test],
        by: worse.size > 1 ? .family(of: worse.size) : nil, familySize: max(1, worse.size),
        alpha: level, rules: rules)
    }
  }

  private static func judgeScreen(_ drafts: inout [EffectDraft], _ rules: ComparisonRules) {
    let family = drafts.indices.filter { !drafts[$0].isGating && drafts[$0].obstacle == nil }
    let worse = Multiplicity.benjaminiHochberg(family.map { drafts[$0].worseP })
    let better = Multiplicity.benjaminiHochberg(family.map { drafts[$0].betterP })
    for (position, index) in family.enumerated() {
      drafts[index].decide(
        adjusted: (worse[position], better[position]),
        by: family.count == 1 ? nil : .benjaminiHochberg(tests: family.count),
        familySize: family.count, alpha: rules.alpha, rules: rules)
    }
  }

  private static func overall(_ prepared: Prepared) -> ComparisonVerdict {
    let gating = prepared.drafts.filter { $0.isGating && $0.obstacle == nil }
    if gating.contains(where: { $0.record.verdict == .regressed }) { return .regressed }
    if prepared.hasBroken { return .broken }
    if prepared.hasIncomparable { return .notComparable }
    let improved = gating.contains { $0.record.verdict == .improved }
    // The pooled history adds power. If the comparison with it is inconclusive, the other effects
    // decide, just as they would without a history.
    let isUnsure = gating.contains {
      $0.record.verdict == .inconclusive && (!improved || $0.worsening > 0)
        && $0.record.reference != .pooledHistory
    }
    if isUnsure || prepared.hasDoubts { return .inconclusive }
    if improved { return .improved }
    let hasNewlyFailing =
      prepared.flips.contains { !$0.failing.isEmpty }
      || prepared.differences.contains { $0.fact.isLeftOutFailing }
    return hasNewlyFailing ? .inconclusive : .ok
  }

  /// Returns the sort key of an effect: by verdict (regressions first), then by subject, then
  /// gating effects before others, then by the size of the change.
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
