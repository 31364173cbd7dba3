import EvalRecords

/// How many more repeats or test cases would decide an inconclusive count if draws kept changing in
/// the same proportions.
///
/// The answer comes from the whole rule. More repeats of the same test cases sharpen the test of
/// the draws, but not the test over test cases, so they may never be enough. More test cases
/// sharpen both.
struct DataNeed {
  /// The test of the existing draws.
  var test: CountedTest
  /// The pairs; the candidate is the first side, and hits are bad attempts.
  var table: PairTable
  /// Whether the pairs have equal seeds.
  var isPaired: Bool
  var rules: ComparisonRules
  /// The number of tests that share the level.
  var familySize: Int
  /// Whether only more test cases can give new draws.
  var addsCases: Bool

  private static let limit = 4_096

  /// Returns the note.
  ///
  /// - Parameter repeats: The current number of repeats.
  func note(repeats: Int) -> EffectNote.Need {
    var (missed, found) = (1, 2)
    while !isDecided(Double(found)), found < Self.limit { (missed, found) = (found, found * 2) }
    guard isDecided(Double(found)) else {
      return addsCases ? .beyondCases(factor: Self.limit) : .beyondRepeats(factor: Self.limit)
    }
    // Bisect between the two factors, in whole repeats.
    var (low, high) = (missed * repeats, found * repeats)
    while high - low > 1 {
      let middle = (low + high) / 2
      if isDecided(Double(middle) / Double(repeats)) { high = middle } else { low = middle }
    }
    return addsCases
      ? .timesCases(factor: (high + repeats - 1) / repeats) : .repeats(more: high - repeats)
  }

  /// Returns whether the verdict would be clear with `factor` times the draws.
  private func isDecided(_ factor: Double) -> Bool {
    let larger = table.scaled(by: factor)
    let change = Double(larger.firstHits - larger.secondHits) / Double(max(1, larger.count))
    return isFound(larger, factor, change) || isExcluded(larger, change)
  }

  private func isFound(_ larger: PairTable, _ factor: Double, _ change: Double) -> Bool {
    let level = rules.level(against: .baseline) / Double(max(1, familySize))
    let isWorse = change > 0
    guard abs(change) > rules.margin,
      drawsP(larger, factor, isWorse: isWorse) <= level
    else { return false }
    var overCases = isWorse ? test.overCases.worse : test.overCases.better
    if addsCases { overCases = Self.scaled(overCases, by: factor) }
    if overCases <= level || (isWorse ? test.rise : test.fall).isAlarm { return true }
    let interval = drawn(larger, confidence: 1 - 2 * level)
    let least = CountedTest.leastRise(cases: test.cases.count)
    return isWorse ? interval.low > least : interval.high < -least
  }

  /// Returns the p-value of the test of the draws: exact for pairs with equal seeds, and otherwise
  /// by the normal approximation.
  private func drawsP(_ larger: PairTable, _ factor: Double, isWorse: Bool) -> Double {
    guard isPaired else {
      return Self.scaled(isWorse ? test.exact.worse : test.exact.better, by: factor)
    }
    return McNemar.exactOneSided(
      more: isWorse ? larger.firstOnly : larger.secondOnly,
      than: isWorse ? larger.secondOnly : larger.firstOnly)
  }

  /// Returns the p-value with `factor` times the data, by the normal approximation.
  private static func scaled(_ pValue: Double, by factor: Double) -> Double {
    Normal.cumulative(Normal.quantile(pValue) * factor.squareRoot())
  }

  /// Returns whether the draws would rule out a worsening beyond the usual tolerance.
  private func isExcluded(_ larger: PairTable, _ change: Double) -> Bool {
    let confidence = 1 - 2 * rules.alpha
    // With more test cases, the interval over test cases becomes narrower too.
    let bound = ChangeInterval.widest(
      attempts: drawn(larger, confidence: confidence),
      changes: addsCases ? [] : test.cases.map(\.rise), confidence: confidence
    ).high
    return bound <= Equivalence.Tolerance.counted.usual
  }

  private func drawn(_ larger: PairTable, confidence: Double) -> ConfidenceInterval {
    DifferenceInterval.newcombe(larger, isPaired: isPaired, confidence: confidence)
  }
}

extension PairTable {
  /// Returns the table of `factor` times as many pairs with the same proportions.
  fileprivate func scaled(by factor: Double) -> PairTable {
    func scaled(_ count: Int) -> Int { Int((Double(count) * factor).rounded()) }
    return PairTable(
      both: scaled(both), firstOnly: scaled(firstOnly), secondOnly: scaled(secondOnly),
      neither: scaled(neither))
  }
}
