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
    let drawn = draws.add(unit.candidate.drawn(tonight))
    let new = Set(drawn.filter(\.isNew).map(\.draw))
    for (attempt, draw) in zip(tonight, drawn) {
      guard draw.isNew else {
        // The history doesn't have a copy of another new attempt.
        if !new.contains(draw.draw) { known += 1 }
        continue
      }
      counts[attempt.key.caseID, default: HistoryPoint(passed: 0, count: 0)].count += 1
      if attempt.outcome == .pass { counts[attempt.key.caseID]?.passed += 1 }
    }
    let scan = history.scan(
      tonight: counts,
      isSame: history.entries.count <= Self.limit
        && (known > 0 || history.asks(unit.candidate.attempts)))
    let change = StratifiedChange(scan.cases, confidence: 1 - rules.alpha)
    guard let change, change.count <= Self.limit else { return nil }
    var notes = [EffectNote.history(summary: history.summary(without: scan.leftOut))]
    if known > 0 { notes.append(.knownDraws(count: known)) }
    if scan.lasting > 0 { notes.insert(.since(nights: scan.lasting), at: 0) }
    let record = EffectRecord(
      place: unit.place, quantity: .passRate, reference: .pooledHistory, baseline: change.before,
      candidate: change.after, change: change.change, changeLow: change.interval.low,
      changeHigh: change.interval.high, method: EffectMethod(interval: .newcombe),
      verdict: .inconclusive, notes: notes)
    let tables = scan.cases.map {
      TwoByTwo(
        $0.candidate.hits, $0.candidate.count - $0.candidate.hits, $0.baseline.hits,
        $0.baseline.count - $0.baseline.hits)
    }
    var draft = EffectDraft(
      record: record, subject: .other, worsening: 0 - change.change,
      worseP: scan.pValue, betterP: Stratified.exact(tables, .less),
      test: history.nights > 1 ? .driftScan(nights: history.nights + 1) : .againstHistory,
      requiredChange: rules.margin,
      equivalence: Equivalence(
        estimate: 0 - change.change, bound: 0 - change.interval.low, tolerance: .counted,
        isSame: false),
      cases: tables.count, need: { _ in .freshRepeats })
    draft.leastP = scan.leastP
    draft.exactP = (draft.worseP, draft.betterP)
    return draft
  }
}
