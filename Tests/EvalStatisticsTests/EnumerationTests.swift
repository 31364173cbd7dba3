import EvalRecords
import Testing

@testable import EvalStatistics

/// Compares statistics of small samples with an enumeration of all outcomes.
@Suite("Statistics compared with brute force")
struct EnumerationTests {
  /// Computes the sign-flip p-value by trying all 2ⁿ sign vectors.
  private func signFlipByForce(_ values: [Double], above bound: Double) -> Double {
    let centred = values.map { $0 - bound }
    let observed = centred.reduce(0, +)
    var count = 0
    for mask in 0..<(1 << values.count) {
      let sum = centred.enumerated().reduce(0.0) {
        $0 + (mask >> $1.offset & 1 == 1 ? -$1.element : $1.element)
      }
      if sum >= observed - 1e-12 { count += 1 }
    }
    return Double(count) / Double(1 << values.count)
  }

  /// The p-values of `scipy.stats.fisher_exact` and `scipy.stats.hypergeom`.
  static let largeTables: [(table: [Int], twoSided: Double, less: Double, greater: Double)] = [
    ([150_000, 150_300, 149_000, 151_000], 0.0282240302, 0.9860334462, 0.0141514627),
    ([500_000, 400_000, 500_900, 399_000], 0.1519402762, 0.0760540655, 0.9243742830),
    (
      [1 << 30, 1 << 30, (1 << 30) + 60_000, (1 << 30) - 60_000], 0.0670969270, 0.0335484635,
      0.9664560851
    ),
  ]

  @Test("Fisher's test of large counts agrees with SciPy to one percent", arguments: largeTables)
  func checkLargeTable(
    _ counts: [Int], _ twoSided: Double, _ less: Double, _ greater: Double
  ) {
    let table = TwoByTwo(counts[0], counts[1], counts[2], counts[3])
    for (alternative, expected) in [
      (Alternative.twoSided, twoSided), (.less, less), (.greater, greater),
    ] {
      let p = FisherExact.pValue(table, alternative)
      #expect(abs(p - expected) <= 0.01 * expected, "\(alternative): \(p)")
    }
  }

  @Test("the sign-flip p-value counts all sign vectors", arguments: [1, 2, 5, 8, 11])
  func signFlipCountsAll(count: Int) {
    var generator = SplitMix(seed: UInt64(count))
    for _ in 0..<5 {
      // The values are rounded, so that some sums are equal.
      let values = (0..<count).map { _ in (generator.unit() * 10 - 4).rounded() / 10 }
      for bound in [-0.1, 0, 0.01, 0.2] {
        checkClose(
          SignFlip(values).pValue(above: bound), signFlipByForce(values, above: bound),
          "\(values) above \(bound)")
        checkClose(
          SignFlip(values).pValue(below: bound),
          signFlipByForce(values.map { -$0 }, above: -bound), "\(values) below \(bound)")
      }
    }
  }

  @Test("random sign flips give nearly the same p-value as the exact count")
  func randomFlipsAgreeWithExact() {
    var generator = SplitMix(seed: 3)
    let values = (0..<18).map { _ in generator.unit() - 0.35 }
    let exact = SignFlip(values)
    let drawn = SignFlip(values, seed: 5, exactLimit: 0)
    #expect(exact.isExact && !drawn.isExact)
    #expect(abs(exact.pValue(above: 0) - drawn.pValue(above: 0)) < 0.015)
    #expect(drawn.pValue(above: 0) == SignFlip(values, seed: 5, exactLimit: 0).pValue(above: 0))
  }

  /// Computes both one-sided p-values by trying all ways to redistribute the pooled attempts of
  /// each test case over the two sides.
  private func stratifiedByForce(_ tables: [TwoByTwo]) -> (less: Double, greater: Double) {
    var dealt: [(hits: Int, weight: Int)] = [(0, 1)]
    for table in tables {
      let size = table.firstHits + table.firstMisses + table.secondHits + table.secondMisses
      let hits = table.firstHits + table.secondHits
      var next: [(hits: Int, weight: Int)] = []
      for mask in 0..<(1 << size)
      where mask.nonzeroBitCount == table.firstHits + table.firstMisses {
        // The first `hits` attempts are the hits. The mask says which attempts are on side 1.
        let first = (mask & ((1 << hits) - 1)).nonzeroBitCount
        next += dealt.map { ($0.hits + first, $0.weight) }
      }
      dealt = next
    }
    let seen = tables.reduce(0) { $0 + $1.firstHits }
    let total = Double(dealt.reduce(0) { $0 + $1.weight })
    return (
      Double(dealt.reduce(0) { $0 + ($1.hits <= seen ? $1.weight : 0) }) / total,
      Double(dealt.reduce(0) { $0 + ($1.hits >= seen ? $1.weight : 0) }) / total
    )
  }

  @Test(
    "the exact test stratified by test case counts all ways to redistribute the attempts",
    arguments: [
      [TwoByTwo(3, 0, 1, 2), TwoByTwo(2, 1, 1, 2)],
      [TwoByTwo(0, 3, 2, 1), TwoByTwo(1, 1, 2, 0), TwoByTwo(1, 0, 1, 0)],
      [TwoByTwo(2, 2, 2, 2)],
    ])
  func stratifiedCountsAll(tables: [TwoByTwo]) {
    let expected = stratifiedByForce(tables)
    checkClose(Stratified.exact(tables, .less), expected.less)
    checkClose(Stratified.exact(tables, .greater), expected.greater)
  }

  @Test("with one test case, the exact test stratified by test case equals Fisher's exact test")
  func oneStratumIsFisher() {
    for hits in 0...8 {
      let table = TwoByTwo(hits, 8 - hits, 5, 4)
      for alternative in [Alternative.twoSided, .less, .greater] {
        checkClose(
          Stratified.exact([table], alternative), FisherExact.pValue(table, alternative))
      }
    }
  }

  @Test("the one-sided McNemar p-value is a tail probability of fair coin flips")
  func mcNemarOneSided() {
    checkClose(McNemar.exactOneSided(more: 5, than: 0), 1.0 / 32)
    checkClose(McNemar.exactOneSided(more: 7, than: 1), 9.0 / 256)
    checkClose(McNemar.exactOneSided(more: 0, than: 5), 1)
    #expect(McNemar.exactOneSided(more: 0, than: 0) == 1)
  }

  @Test("without attempts, intervals are as wide as possible and p-values are 1")
  func noAttempts() {
    let everything = ConfidenceInterval(low: 0, high: 1)
    #expect(ProportionInterval.wilson(hits: 0, count: 0) == everything)
    #expect(SignFlip([]).pValue(above: 0) == 1)
    #expect(Stratified.exact([], .greater) == 1)
    #expect(SampleSize.toSeeFailure(rate: 0) == nil)
  }
}
