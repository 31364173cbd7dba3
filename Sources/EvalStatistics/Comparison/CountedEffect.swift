import EvalRecords

/// A share of attempts, compared pair by pair.
///
/// The question is about *this suite*: were the two answers of a pair swapped at random, how often
/// would the flips be as one-sided as they are? Under equal seeds only flips carry information, and
/// each is a fair coin however the repeats of a case hang together, so McNemar's exact test is the
/// exact permutation test. Without equal seeds the answers of a case may be dealt anew over both sides
/// in every way, which the exact test within cases counts.
struct CountedEffect: Sendable {
  /// Whether the bad thing happened, on both sides of a pair.
  struct Outcome: Sendable {
    var caseID: String
    var baseline: Bool
    var candidate: Bool
  }

  var kind: EffectRecord.Kind
  var title: String
  var subject: EffectDraft.Subject
  var isGating: Bool
  /// Whether the shown rate is of good attempts (a pass rate) or of bad ones.
  var showsGood: Bool
  /// One entry for each pair in which both sides can be judged.
  var outcomes: [Outcome]
  /// The number of pairs that are asked; nil where all are.
  var asked: Int?
  /// More words for the note.
  var note = ""

  /// The effect, nil where no pair can be judged.
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
      kind: kind, scope: unit.scope, title: title, baseline: estimate(table.secondHits),
      candidate: estimate(table.firstHits), change: showsGood ? 0 - change : change,
      changeLow: showsGood ? 0 - worsening.high : worsening.low,
      changeHigh: showsGood ? 0 - worsening.low : worsening.high, pValue: nil, method: "",
      verdict: .inconclusive, note: words(table, unit))
    let repeats = max(1, unit.baseline.suite.repeats)
    let addsNothing =
      unit.baseline.suite.options.isGreedy && unit.baseline.backend.isDeterministic
    return EffectDraft(
      record: record, subject: subject, isGating: isGating, worsening: change,
      worseP: pValues.0, betterP: pValues.1,
      test: paired
        ? "exact McNemar test on flips of equal seeds"
        : "exact permutation within cases (the seeds differ)",
      interval: paired ? "Newcombe interval of paired rates" : "Newcombe interval",
      requiredChange: rules.margin,
      isWithinTolerance: unit.hasEqualOutputs || worsening.high <= rules.countedMargin,
      need: { familySize in
        Self.need(
          table, repeats: repeats, familySize: familySize, rules: rules,
          unit: addsNothing ? "cases" : "repeats")
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

  /// The exact test that deals the answers of each case anew.
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

  private func words(_ table: PairTable, _ unit: ComparisonUnit) -> String {
    var parts: [String] = []
    if unit.hasEqualOutputs {
      parts.append(
        table.count == 1
          ? "the output is the same on both sides"
          : "all \(table.count) outputs are the same on both sides")
    } else if unit.hasEqualSeeds {
      parts.append(
        "flips in \(table.count.counted("pair")): \(table.firstOnly) to worse, \(table.secondOnly) to better"
      )
    }
    let asked = asked ?? unit.pairs.count
    if table.count < asked {
      parts.append("\(asked - table.count) of \(asked.counted("pair")) have no value to judge")
    }
    if !note.isEmpty { parts.append(note) }
    return parts.joined(separator: "; ")
  }

  /// How many more repeats (or cases) would decide, if flips went on in the proportions seen.
  static func need(
    _ table: PairTable, repeats: Int, familySize: Int, rules: ComparisonRules, unit: String
  ) -> String {
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
      return "even \(limit) times the \(unit) would hardly decide"
    }
    // Bisection over whole repeats between the two factors.
    var (low, high) = (missed * repeats, found * repeats)
    while high - low > 1 {
      let middle = (low + high) / 2
      if isDecided(Double(middle) / Double(repeats)) { high = middle } else { low = middle }
    }
    if unit == "cases" { return "needs about \(high) times as many cases" }
    return "needs at least \((high - repeats).counted("more repeat")) of each case"
  }
}
