import Testing

@testable import EvalStatistics

private func table(_ value: VectorValue) -> [[Int]] { value.list.map { $0.list.map(\.int) } }

private func points(_ value: VectorValue) -> [HistoryPoint] {
  table(value).map { HistoryPoint(passed: $0[0], count: $0[1]) }
}

private func ends(_ interval: ConfidenceInterval) -> [Double] { [interval.low, interval.high] }

private func counts(_ value: VectorValue) -> [CaseCount] {
  table(value).map { CaseCount(hits: $0[0], count: $0[1]) }
}

private func cases(_ value: VectorValue) -> [CountedTest.Case] {
  table(value).enumerated().map { position, row in
    CountedTest.Case(
      id: "case \(position)", baseline: CaseCount(hits: row[0], count: row[1]),
      candidate: CaseCount(hits: row[2], count: row[3]))
  }
}

private let references = [
  Reference("logGamma") { [Gamma.logGamma($0[0].number)] },
  Reference("normalCumulative") { [Normal.cumulative($0[0].number)] },
  Reference("normalQuantile") { [Normal.quantile($0[0].number)] },
  Reference("betaIncomplete") {
    [BetaDistribution.cumulative($0[0].number, $0[1].number, $0[2].number)]
  },
  Reference("betaQuantile") {
    [BetaDistribution.quantile($0[0].number, $0[1].number, $0[2].number)]
  },
  Reference("binomial") {
    [
      Binomial.probability($0[0].int, of: $0[1].int, rate: $0[2].number),
      Binomial.cumulative($0[0].int, of: $0[1].int, rate: $0[2].number),
    ]
  },
  Reference("fisherExact") { input in
    let table = TwoByTwo(input[0].int, input[1].int, input[2].int, input[3].int)
    return [Alternative.twoSided, .less, .greater].map { FisherExact.pValue(table, $0) }
  },
  Reference("mcnemar") {
    [
      McNemar.exactOneSided(more: $0[0].int, than: $0[1].int)
    ]
  },
  Reference("signFlipGreater") { [SignFlip($0[0].numbers).pValue(above: $0[1].number)] },
  Reference("benjaminiHochberg") { Multiplicity.benjaminiHochberg($0[0].numbers) },
  Reference("clearestSplit") { input in
    let split = ChangePoint.clearestSplit(points(input[0])[...])
    return [Double(split?.index ?? -1), split?.ratio ?? .nan]
  },
  Reference("studentQuantile") { [StudentT.quantile($0[0].number, degrees: $0[1].int)] },
  Reference("clusteredRate") {
    ends(ClusteredInterval.rate(counts($0[0]), confidence: $0[1].number))
  },
  Reference("caseInterval") { input in
    let attempts = ConfidenceInterval(low: 1, high: -1)
    return ends(
      ChangeInterval.widest(
        attempts: attempts, changes: input[0].numbers, confidence: input[1].number))
  },
  Reference("boundedMean") { input in
    ends(
      MeanInterval(input[0].numbers, within: input[1].number...input[2].number)
        .interval(confidence: input[3].number))
  },
  Reference("holm") { Multiplicity.holm($0[0].numbers) },
  Reference("holmDiscrete") {
    Multiplicity.holm($0[0].numbers, least: $0[1].numbers, alpha: $0[2].number).adjusted
  },
  Reference("withinCases") { input in
    let test = CountedTest(cases(input[0]), margin: 0.01)
    return [test.exact.worse, test.exact.better]
  },
  Reference("countedWorse") { input in
    let flips = input[1].list.map(\.int)
    return [
      CountedTest(
        cases(input[0]),
        flips: flips.isEmpty ? nil : .init(toWorse: flips[0], toBetter: flips[1]), margin: 0.01
      ).worseP
    ]
  },
  Reference("fewCases") {
    [FewCasesTest(before: $0[0].numbers, after: $0[1].numbers, margin: 0.01).pValue]
  },
  Reference("driftScan") { input in
    let nights = input[0].list.map { night in
      Dictionary(
        uniqueKeysWithValues: counts(night).enumerated().map { ("case \($0.offset)", $0.element) })
    }
    let scan = DriftScan(nights)
    return [scan.pValue, Double(scan.since)]
  },
]

@Suite("Statistics compared with SciPy")
struct SciPyTests {
  @Test(
    "a function's results equal those of SciPy or statsmodels to within 1e-9",
    arguments: references)
  func functionsEqualSciPy(reference: Reference) throws {
    for vector in try vectors(reference.name, in: [sciPyVectors]) {
      checkClose(reference.call(vector.in), vector.out.numbers, "\(reference.name) \(vector.in)")
    }
  }
}
