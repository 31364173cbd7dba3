import EvalRecords

/// The pass rate beside that of all earlier runs which asked the same of the same.
///
/// Pairs of equal seeds see only what flips. What else a candidate has, its fresh attempts among them,
/// stands beside a baseline that grows with every night: were the attempts of each case dealt anew over
/// both sides, how often would the candidate fail as often as it does? The test can only add a finding:
/// where it can't tell, the others decide alone.
struct PooledEffect {
  /// The most attempts of a candidate that need a history; the exact test takes their square in time.
  private static let limit = 20_000

  let history: PooledHistory

  /// The effect; nil if the candidate has no draw at the history's cases that the history lacks.
  func draft(_ unit: ComparisonUnit, _ rules: ComparisonRules) -> EffectDraft? {
    var counts: [String: HistoryPoint] = [:]
    var known = 0
    for attempt in unit.candidate.attempts + unit.candidate.fresh
    where !attempt.isBackendError {
      if let fingerprint = attempt.details.fingerprint,
        history.contains(fingerprint: fingerprint, seed: attempt.seed)
      {
        known += 1
        continue
      }
      counts[attempt.key.caseID, default: HistoryPoint(passed: 0, count: 0)].count += 1
      if attempt.outcome == .pass { counts[attempt.key.caseID]?.passed += 1 }
    }
    let tables = history.tables(candidate: counts)
    let all = tables.reduce(into: TwoByTwo(0, 0, 0, 0)) {
      $0.firstHits += $1.firstHits
      $0.firstMisses += $1.firstMisses
      $0.secondHits += $1.secondHits
      $0.secondMisses += $1.secondMisses
    }
    let count = all.firstHits + all.firstMisses
    guard count > 0, count <= Self.limit else { return nil }
    let confidence = 1 - rules.alpha
    let interval = DifferenceInterval.newcombe(
      firstHits: all.firstHits, firstCount: count, secondHits: all.secondHits,
      secondCount: all.secondHits + all.secondMisses, confidence: confidence)
    func passing(_ passed: Int, _ failed: Int) -> EstimateRecord {
      let range = ProportionInterval.wilson(
        hits: passed, count: passed + failed, confidence: confidence)
      return EstimateRecord(
        value: Double(passed) / Double(passed + failed), hits: passed, count: passed + failed,
        low: range.low, high: range.high)
    }
    let before = passing(all.secondMisses, all.secondHits)
    let after = passing(all.firstMisses, all.firstHits)
    var notes = [EffectNote.history(summary: history.summary)]
    if known > 0 { notes.append(.knownDraws(count: known)) }
    let record = EffectRecord(
      place: unit.place, quantity: .passRate, reference: .pooledHistory, baseline: before,
      candidate: after, change: after.value - before.value, changeLow: 0 - interval.high,
      changeHigh: 0 - interval.low, method: EffectMethod(interval: .newcombe),
      verdict: .inconclusive, notes: notes)
    return EffectDraft(
      record: record, subject: .other, worsening: worsening(tables, count),
      worseP: Stratified.exact(tables, .greater), betterP: Stratified.exact(tables, .less),
      test: .againstHistory, requiredChange: rules.margin,
      isWithinTolerance: interval.high <= rules.countedMargin, need: { _ in .freshRepeats })
  }

  /// The mean over the candidate's attempts of the case's change, so that a case that one side has
  /// more often counts the same on both.
  private func worsening(_ tables: [TwoByTwo], _ count: Int) -> Double {
    tables.reduce(0) { sum, table in
      let earlier = Double(table.secondHits) / Double(table.secondHits + table.secondMisses)
      let expected = Double(table.firstHits + table.firstMisses) * earlier
      return sum + (Double(table.firstHits) - expected) / Double(count)
    }
  }
}
