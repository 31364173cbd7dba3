import EvalRecords

/// The pass rate compared with that of all earlier runs with the same request fingerprint.
///
/// Pairs with equal seeds only show flips. The candidate's other attempts, such as fresh ones, are
/// compared with a baseline that grows with every run: if the attempts of each test case were
/// redistributed over both sides, how often would the candidate fail as often as it does? The test
/// can only add a finding. If it is inconclusive, the other effects decide alone.
struct PooledEffect {
  /// The number of a candidate's attempts up to which a history is used; the exact test takes
  /// quadratic time.
  private static let limit = 20_000

  let history: PooledHistory

  /// Returns the effect; nil if all of the candidate's draws at the history's test cases are
  /// already in the history.
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

  /// Returns the mean change of the test case's rate over the candidate's attempts, so that a test
  /// case with more attempts on one side counts the same on both.
  private func worsening(_ tables: [TwoByTwo], _ count: Int) -> Double {
    tables.reduce(0) { sum, table in
      let earlier = Double(table.secondHits) / Double(table.secondHits + table.secondMisses)
      let expected = Double(table.firstHits + table.firstMisses) * earlier
      return sum + (Double(table.firstHits) - expected) / Double(count)
    }
  }
}
