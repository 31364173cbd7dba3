import Testing

@testable import EvalStatistics

private func table(_ value: VectorValue) -> [[Int]] { value.list.map { $0.list.map(\.int) } }

private func points(_ value: VectorValue) -> [HistoryPoint] {
  table(value).map { HistoryPoint(passed: $0[0], count: $0[1]) }
}

private func parts(_ result: MarginalHomogeneity.Result) -> [Double] {
  [result.statistic, Double(result.degrees), result.pValue]
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
      McNemar.exact($0[0].int, $0[1].int),
      McNemar.exactOneSided(more: $0[0].int, than: $0[1].int),
    ]
  },
  Reference("signFlipGreater") { [SignFlip($0[0].numbers).pValue(above: $0[1].number)] },
  Reference("mannWhitney") {
    let result = MannWhitney.test($0[0].numbers, $0[1].numbers)
    return [result.statistic, result.pValue]
  },
  Reference("benjaminiHochberg") { Multiplicity.benjaminiHochberg($0[0].numbers) },
  Reference("chiSquaredTail") { [ChiSquared.upperTail($0[0].number, degrees: $0[1].int)] },
  Reference("stuartMaxwell") { parts(MarginalHomogeneity.stuartMaxwell(table($0[0]))) },
  Reference("bowker") { parts(MarginalHomogeneity.bowker(table($0[0]))) },
  Reference("posteriorOrder") { input in
    let sides = input.map { (hits: $0.list[0].int, misses: $0.list[1].int) }
    return [PosteriorOrder.probabilitySecondIsGreater(first: sides[0], second: sides[1])]
  },
  Reference("weightedKappa") { input in
    let pairs = zip(input[0].list, input[1].list).map { (first: $0.int, second: $1.int) }
    return [WeightedKappa.quadratic(pairs, levels: input[2].int) ?? .nan]
  },
  Reference("standardError") { [StandardError.mean($0[0].numbers)] },
  Reference("clusteredError") { [StandardError.clustered($0[0].list.map(\.numbers))] },
  Reference("cumulativeSum") { input in
    CumulativeSum(expected: input[0].number, drop: input[1].number).levels(points(input[2]))
  },
  Reference("clearestSplit") { input in
    let split = ChangePoint.clearestSplit(points(input[0])[...])
    return [Double(split?.index ?? -1), split?.ratio ?? .nan]
  },
  Reference("fisherPowerGreater") {
    [
      FisherPower.oneSided(
        baselineCount: $0[0].int, baselineRate: $0[1].number, candidateCount: $0[0].int,
        candidateRate: $0[2].number)
    ]
  },
]

@Suite("Statistics against SciPy")
struct SciPyTests {
  @Test("a function equals SciPy's to 1e-9", arguments: references)
  func functionsEqualSciPy(reference: Reference) throws {
    for vector in try vectors(reference.name, in: [sciPyVectors]) {
      checkClose(reference.call(vector.in), vector.out.numbers, "\(reference.name) \(vector.in)")
    }
  }
}
