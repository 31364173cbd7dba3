import EvalRecords

/// Compares the pass rates of all runs with the same request fingerprints, including the current
/// run.
///
/// Pairs with equal seeds show only flips, however many runs repeat those seeds. Attempts with new
/// seeds, such as fresh repeats, add up over the runs. The test (``DriftScan``) asks whether
/// attempts have failed more often since some run than before that run. The test has a separate
/// significance level, which is reserved even if there is no history, so the history can only add a
/// finding. The evidence for a drift grows with every run, because the test never pools the runs
/// before the drift with the runs since.
struct PooledEffect {
  /// The maximum number of attempts in a candidate, or in a history that is scanned run by run.
  ///
  /// The limit is needed because the exact test takes quadratic time.
  private static let limit = 20_000

  let history: PooledHistory

  /// Returns the effect, or `nil` if the candidate has no new draws for the history's test cases,
  /// or has too many draws for the exact test.
  func draft(_ unit: ComparisonUnit, _ rules: ComparisonRules) -> EffectDraft? {
    var counts: [String: HistoryPoint] = [:]
    var known = 0
    let tonight = (unit.candidate.attempts + unit.candidate.fresh).filter { !$0.isBackendError }
    var draws = history.draws
    for (attempt, draw) in zip(tonight, draws.add(unit.candidate.drawn(tonight))) {
      guard draw.isNew else {
        known += 1
        continue
      }
      counts[attempt.key.caseID, default: HistoryPoint(passed: 0, count: 0)].count += 1
      if attempt.outcome == .pass { counts[attempt.key.caseID]?.passed += 1 }
    }
    let scan = history.scan(
      tonight: counts,
      isSame: history.entries.count <= Self.limit
        && (known > 0 || history.asks(unit.candidate.attempts)))
    let all = scan.cases.reduce(into: TwoByTwo(0, 0, 0, 0)) {
      $0.firstHits += $1.candidate.hits
      $0.firstMisses += $1.candidate.count - $1.candidate.hits
      $0.secondHits += $1.baseline.hits
      $0.secondMisses += $1.baseline.count - $1.baseline.hits
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
    let lasting = history.nights - scan.since
    if lasting > 0 { notes.insert(.since(nights: lasting), at: 0) }
    let record = EffectRecord(
      place: unit.place, quantity: .passRate, reference: .pooledHistory, baseline: before,
      candidate: after, change: after.value - before.value, changeLow: 0 - interval.high,
      changeHigh: 0 - interval.low, method: EffectMethod(interval: .newcombe),
      verdict: .inconclusive, notes: notes)
    let tables = scan.cases.map {
      TwoByTwo(
        $0.candidate.hits, $0.candidate.count - $0.candidate.hits, $0.baseline.hits,
        $0.baseline.count - $0.baseline.hits)
    }
    var draft = EffectDraft(
      record: record, subject: .other, worsening: worsening(tables, count),
      worseP: scan.pValue, betterP: Stratified.exact(tables, .less),
      test: history.nights > 1 ? .driftScan(nights: history.nights + 1) : .againstHistory,
      requiredChange: rules.margin,
      equivalence: Equivalence(
        estimate: 0 - record.change, bound: interval.high, tolerance: .counted,
        isSame: false),
      cases: tables.count, need: { _ in .freshRepeats })
    draft.leastP = scan.leastP
    draft.exactP = (draft.worseP, draft.betterP)
    return draft
  }

  /// Returns the mean rise in the test cases' failure rates, weighted by the candidate's attempts.
  ///
  /// A test case with more attempts on one side than on the other has the same weight on both.
  private func worsening(_ tables: [TwoByTwo], _ count: Int) -> Double {
    tables.reduce(0) { sum, table in
      let earlier = Double(table.secondHits) / Double(table.secondHits + table.secondMisses)
      let expected = Double(table.firstHits + table.firstMisses) * earlier
      return sum + (Double(table.firstHits) - expected) / Double(count)
    }
  }
}
