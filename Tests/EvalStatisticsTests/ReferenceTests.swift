import Testing

@testable import EvalStatistics

/// A function under test, which is called with the input of each of its vectors.
struct Reference: Sendable, CustomTestStringConvertible {
  var name: String
  var call: @Sendable ([VectorValue]) -> [Double]

  init(_ name: String, _ call: @escaping @Sendable ([VectorValue]) -> [Double]) {
    self.name = name
    self.call = call
  }

  var testDescription: String { name }
}

private func ends(_ interval: ConfidenceInterval) -> [Double] { [interval.low, interval.high] }

private let references = [
  Reference("normalQuantile") { [Normal.quantile($0[0].number)] },
  Reference("betaIncomplete") {
    [BetaDistribution.cumulative($0[0].number, $0[1].number, $0[2].number)]
  },
  Reference("betaQuantile") {
    [BetaDistribution.quantile($0[0].number, $0[1].number, $0[2].number)]
  },
  Reference("wilson") {
    ends(
      ProportionInterval.wilson(hits: $0[0].int, count: $0[1].int, confidence: $0[2].number))
  },
  Reference("fisherExact") { input in
    let table = TwoByTwo(input[0].int, input[1].int, input[2].int, input[3].int)
    return [Alternative.twoSided, .less, .greater].map { FisherExact.pValue(table, $0) }
  },
  Reference("newcombeDiff") {
    ends(
      DifferenceInterval.newcombe(
        firstHits: $0[0].int, firstCount: $0[1].int, secondHits: $0[2].int,
        secondCount: $0[3].int, confidence: $0[4].number))
  },
  Reference("newcombePaired") {
    ends(
      DifferenceInterval.newcombePaired(
        PairTable(
          both: $0[0].int, firstOnly: $0[1].int, secondOnly: $0[2].int, neither: $0[3].int),
        confidence: $0[4].number))
  },
  Reference("signFlipExact") { [SignFlip($0[0].numbers).pValueTwoSided] },
  Reference("holm") { Multiplicity.holm($0[0].numbers) },
  Reference("benjaminiHochberg") { Multiplicity.benjaminiHochberg($0[0].numbers) },
  Reference("runsToSeeFailure") {
    [Double(SampleSize.toSeeFailure(rate: $0[0].number, confidence: $0[1].number) ?? -1)]
  },
]

@Suite("Statistics compared with reference vectors")
struct ReferenceTests {
  @Test("a function's results equal its reference vectors to within 1e-9", arguments: references)
  func functionsEqualTheirVectors(reference: Reference) throws {
    for vector in try vectors(reference.name) {
      checkClose(reference.call(vector.in), vector.out.numbers, "\(reference.name) \(vector.in)")
    }
  }
}
