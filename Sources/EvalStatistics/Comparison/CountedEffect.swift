import EvalRecords

/// A share of attempts, compared pair by pair.
///
/// The question concerns *this suite*: if the two answers of a pair were swapped at random, how
/// often would the flips be at least as one-sided? With equal seeds, only flips carry information,
/// and each is a fair coin even if the repeats of a test case are correlated, so McNemar's exact
/// test is the exact permutation test. Without equal seeds, the answers of a test case may be
/// distributed over the two sides in every way; the exact test within test cases counts them.
struct CountedEffect: Sendable {
  /// Whether an attempt was bad, on both sides of a pair.
  struct Outcome: Sendable {
    var caseID: String
    var baseline: Bool
    var candidate: Bool
  }

  var quantity: Quantity
  var subject: EffectDraft.Subject
  var isGating: Bool
  /// Whether the displayed rate is that of good attempts (a pass rate) or of bad ones.
  var showsGood: Bool
  /// One entry for each pair that can be judged on both sides.
  var outcomes: [Outcome]
  /// The number of pairs that the question concerns; nil if it concerns all.
  var asked: Int?
  /// A further note.
  var note: EffectNote?

  /// Returns the effect, or nil if no pair can be judged.
  func draft(_ unit: ComparisonUnit, _ rules: ComparisonRules) -> EffectDraft? {
    guard !outcomes.isEmpty else { return nil }
    let table = outcomes.reduce(into: PairTable()) {
      $0.add(first: $1.candidate, second: $1.baseline)
    }
    let paired = unit.hasEqualSeeds
    let confidence = 1 - rules.alpha
    let worsening = difference(table, paired: paired, confidence: confidence)
    let pValues =
      paired
      ? (
        McNemar.exactOneSided(more: table.firstOnly, than: table.secondOnly),
        McNemar.exactOneSided(more: table.secondOnly, than: table.firstOnly)
      ) : withinCases()
    let count = table.count
    let change = Double(table.firstHits - table.secondHits) / Double(count)
    func estimate(_ badHits: Int) -> EstimateRecord {
      let hits = showsGood ? count - badHits : badHits
      let interval = ProportionInterval.wilson(hits: hits, count: count, confidence: confidence)
      return EstimateRecord(
        value: Double(hits) / Double(count), hits: hits, count: count, low: interval.low,
        high: interval.high)
    }
    let record = EffectRecord(
      place: unit.place, quantity: quantity, isGating: isGating,
      baseline: estimate(table.secondHits), candidate: estimate(table.firstHits),
      change: showsGood ? 0 - change : change,
      changeLow: showsGood ? 0 - worsening.high : worsening.low,
      changeHigh: showsGood ? 0 - worsening.low : worsening.high,
      method: EffectMethod(interval: paired ? .newcombePaired : .newcombe),
      verdict: .inconclusive, notes: notes(table, unit))
    let repeats = max(1, unit.baseline.suite.repeats)
    let addsNothing =
      unit.baseline.suite.options.isGreedy && unit.baseline.backend.isDeterministic
    return EffectDraft(
      record: record, subject: subject, worsening: change, worseP: pValues.0,
      betterP: pValues.1, test: paired ? .mcNemar : .withinCases,
      requiredChange: rules.margin,
      isWithinTolerance: unit.hasEqualOutputs || worsening.high <= rules.countedMargin,
      need: { familySize in
        Self.need(
          table, repeats: repeats, familySize: familySize, rules: rules, addsCases: addsNothing)
      })
  }

  private func difference(
    _ table: PairTable, paired: Bool, confidence: Double
  ) -> ConfidenceInterval {
    paired
      ? DifferenceInterval.newcombePaired(table, confidence: confidence)
      : DifferenceInterval.newcombe(
        firstHits: table.firstHits, firstCount: table.count, secondHits: table.secondHits,
        secondCount: table.count, confidence: confidence)
  }

  /// Runs the exact test that redistributes the answers of each test case.
  private func withinCases() -> (worse: Double, better: Double) {
    var tables: [TwoByTwo] = []
    var places: [String: Int] = [:]
    for outcome in outcomes {
      let place = places[outcome.caseID] ?? tables.count
      if place == tables.count {
        places[outcome.caseID] = place
        tables.append(TwoByTwo(0, 0, 0, 0))
      }
      if outcome.candidate { tables[place].firstHits += 1 } else { tables[place].firstMisses += 1 }
      if outcome.baseline { tables[place].secondHits += 1 } else { tables[place].secondMisses += 1 }
    }
    return (Stratified.exact(tables, .greater), Stratified.exact(tables, .less))
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
    return notes + [note].compactMap(\.self)
  }

  /// Returns how many more repeats (or test cases) would decide, if flips continued in the same
  /// proportions.
  static func need(
    _ table: PairTable, repeats: Int, familySize: Int, rules: ComparisonRules, addsCases: Bool
  ) -> EffectNote.Need {
    func isDecided(_ factor: Double) -> Bool {
      func scaled(_ count: Int) -> Int { Int((Double(count) * factor).rounded()) }
      let larger = PairTable(
        both: scaled(table.both), firstOnly: scaled(table.firstOnly),
        secondOnly: scaled(table.secondOnly), neither: scaled(table.neither))
      let change =
        Double(larger.firstHits - larger.secondHits) / Double(max(1, larger.count))
      let p = McNemar.exactOneSided(
        more: max(larger.firstOnly, larger.secondOnly),
        than: min(larger.firstOnly, larger.secondOnly))
      if p * Double(familySize) <= rules.alpha, abs(change) > rules.margin { return true }
      return DifferenceInterval.newcombePaired(larger, confidence: 1 - rules.alpha).high
        <= rules.countedMargin
    }
    let limit = 4_096
    var (missed, found) = (1, 2)
    while !isDecided(Double(found)), found < limit { (missed, found) = (found, found * 2) }
    guard isDecided(Double(found)) else {
      return addsCases ? .beyondCases(factor: limit) : .beyondRepeats(factor: limit)
    }
    // Bisect whole repeats between the two factors.
    var (low, high) = (missed * repeats, found * repeats)
    while high - low > 1 {
      let middle = (low + high) / 2
      if isDecided(Double(middle) / Double(repeats)) { high = middle } else { low = middle }
    }
    return addsCases ? .timesCases(factor: high) : .repeats(more: high - repeats)
  }
}
