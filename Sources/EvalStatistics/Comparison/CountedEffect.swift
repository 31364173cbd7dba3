import EvalRecords

/// A share of attempts, compared pair by pair.
///
/// The test (``CountedTest``) asks whether the draws changed by more than chance explains. For a
/// gating quantity, it also asks whether the change exceeds random movement of the test cases. The
/// confidence intervals apply to all inputs like those of the suite: the test cases are the sample,
/// and the repeats of a test case form a cluster. If the verdict is about exactly these test cases,
/// so is the interval for the change (``EffectMethod/Interval/theseCases``).
struct CountedEffect: Sendable {
  /// The result of a pair: whether the attempt was bad, on each side.
  struct Outcome: Sendable, Hashable {
    var caseID: String
    var baseline: Bool
    var candidate: Bool
  }

  var quantity: Quantity
  var subject: EffectDraft.Subject
  var isGating: Bool
  /// Whether the displayed rate counts good attempts, as the pass rate does, instead of bad
  /// attempts.
  var showsGood: Bool
  /// One entry for each pair that can be judged on both sides.
  var outcomes: [Outcome]
  /// The number of pairs that the quantity applies to, or `nil` if it applies to all.
  var asked: Int?
  /// An additional note.
  var note: EffectNote?

  /// Returns the effect, or `nil` if no pair can be judged.
  func draft(_ unit: ComparisonUnit, _ rules: ComparisonRules) -> EffectDraft? {
    guard !outcomes.isEmpty else { return nil }
    let table = outcomes.reduce(into: PairTable()) {
      $0.add(first: $1.candidate, second: $1.baseline)
    }
    let paired = unit.hasEqualSeeds
    let cases = cases
    let test = CountedTest(
      cases,
      flips: paired
        ? CountedTest.Flips(toWorse: table.firstOnly, toBetter: table.secondOnly) : nil,
      drawn: { DifferenceInterval.newcombe(table, isPaired: paired, confidence: $0) },
      margin: rules.margin, seed: rules.seed, asksCases: isGating)
    let interval = changeInterval(table, cases, paired: paired, confidence: 1 - rules.alpha)
    let bound = changeInterval(table, cases, paired: paired, confidence: 1 - 2 * rules.alpha).high
    let count = table.count
    let change = Double(table.firstHits - table.secondHits) / Double(count)
    func estimate(_ badHits: Int, _ counts: [CaseCount]) -> EstimateRecord {
      let hits = showsGood ? count - badHits : badHits
      let range = ClusteredInterval.rate(
        counts.map { showsGood ? CaseCount(hits: $0.count - $0.hits, count: $0.count) : $0 },
        confidence: 1 - rules.alpha)
      return EstimateRecord(
        value: Double(hits) / Double(count), hits: hits, count: count, low: range.low,
        high: range.high)
    }
    let record = EffectRecord(
      place: unit.place, quantity: quantity, isGating: isGating,
      baseline: estimate(table.secondHits, cases.map(\.baseline)),
      candidate: estimate(table.firstHits, cases.map(\.candidate)),
      change: showsGood ? 0 - change : change,
      changeLow: showsGood ? 0 - interval.high : interval.low,
      changeHigh: showsGood ? 0 - interval.low : interval.high,
      method: EffectMethod(interval: .clusteredChange),
      verdict: .inconclusive, notes: notes(table, unit))
    let repeats = max(1, unit.baseline.suite.repeats)
    let addsNothing = unit.pairs.count < unit.attemptCount || unit.samplesNothing
    var draft = EffectDraft(
      record: record, subject: subject, worsening: change, worseP: test.worseP,
      betterP: test.betterP,
      test: isGating
        ? .drawsAndCases(isPaired: paired, cases: cases.count, margin: rules.margin)
        : paired ? .mcNemar : .withinCases,
      requiredChange: rules.margin,
      equivalence: Equivalence(
        estimate: change, bound: bound, tolerance: .counted, isSame: unit.hasEqualOutputs,
        rule: .draws(
          VisibleRise(
            cases, toBetter: paired ? table.secondOnly : nil,
            samplesNothing: unit.samplesNothing, margin: rules.margin))),
      cases: cases.count,
      need: { familySize in
        DataNeed(
          test: test, table: table, isPaired: paired, rules: rules, familySize: familySize,
          addsCases: addsNothing
        ).note(repeats: repeats)
      })
    draft.leastP = test.leastP
    draft.exactP = test.exact
    draft.isAboutTheseCases = test.isAboutTheseCases
    draft.outcomes = outcomes
    if unit.hasStoppedEarly { draft.testSequentially(table) }
    draft.risen = (shifts(test, test.rise), shifts(test, test.fall))
    return draft
  }

  /// The counts of draws and of bad attempts for each test case, on both sides.
  private var cases: [CountedTest.Case] {
    var cases: [CountedTest.Case] = []
    var places: [String: Int] = [:]
    for outcome in outcomes {
      let place = places[outcome.caseID] ?? cases.count
      if place == cases.count {
        places[outcome.caseID] = place
        cases.append(CountedTest.Case(id: outcome.caseID))
      }
      cases[place].baseline.add(outcome.baseline)
      cases[place].candidate.add(outcome.candidate)
    }
    return cases
  }

  /// Returns up to ten test cases of a concentrated rise or fall, largest change first; empty if
  /// the change is not an alarm.
  private func shifts(
    _ test: CountedTest, _ rise: ConcentratedRise
  ) -> [EffectNote.CaseShift] {
    guard rise.isAlarm else { return [] }
    return rise.cases.prefix(10).map { position in
      let entry = test.cases[position]
      return EffectNote.CaseShift(
        id: entry.id, before: entry.baseline.rate, after: entry.candidate.rate)
    }
  }

  /// Returns the confidence interval for the worsening on inputs like those of the suite.
  private func changeInterval(
    _ table: PairTable, _ cases: [CountedTest.Case], paired: Bool, confidence: Double
  ) -> ConfidenceInterval {
    ChangeInterval.widest(
      attempts: DifferenceInterval.newcombe(table, isPaired: paired, confidence: confidence),
      changes: cases.map(\.rise), confidence: confidence)
  }

  private func notes(_ table: PairTable, _ unit: ComparisonUnit) -> [EffectNote] {
    var notes: [EffectNote] = []
    if unit.hasEqualOutputs {
      notes.append(.equalOutputs(count: table.count))
    } else if unit.hasEqualSeeds {
      notes.append(
        .flips(toWorse: table.firstOnly, toBetter: table.secondOnly, pairs: table.count))
    }
    let asked = asked ?? unit.pairs.count
    if table.count < asked { notes.append(.notJudged(pairs: asked - table.count, of: asked)) }
    if unit.pairs.count < unit.attemptCount {
      notes.append(.draws(count: unit.pairs.count, attempts: unit.attemptCount))
    }
    return notes + [note].compactMap(\.self)
  }
}
