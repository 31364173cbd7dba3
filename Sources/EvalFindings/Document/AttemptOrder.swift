import EvalRecords

/// Sorts attempts in the order of their run.
///
/// The order is by suite, variant, backend and test case, each as the run lists them, and then by
/// repeat. Names that the run doesn't list come last, in alphabetical order.
struct AttemptOrder {
  private struct SuiteRanks {
    var suite: Int
    var variants: [String: Int]
    var cases: [String: Int]
  }

  private let suites: [String: SuiteRanks]
  private let backends: [String: Int]

  init(run: RunRecord) {
    var suites: [String: SuiteRanks] = [:]
    for (rank, suite) in run.suites.enumerated() where suites[suite.id] == nil {
      suites[suite.id] = SuiteRanks(
        suite: rank, variants: Self.ranks(suite.variants.map(\.id)),
        cases: Self.ranks(suite.cases.map(\.id)))
    }
    self.suites = suites
    backends = Self.ranks(run.backends.map(\.id))
  }

  /// The attempts in order.
  package func sorted(_ attempts: [AttemptRecord]) -> [AttemptRecord] {
    let ranks = attempts.map(rank)
    let order = attempts.indices.sorted { left, right in
      let (first, second) = (ranks[left], ranks[right])
      if first != second { return first.lexicographicallyPrecedes(second) }
      return precedes(attempts[left], attempts[right])
    }
    return order.elementsEqual(attempts.indices) ? attempts : order.map { attempts[$0] }
  }

  private func rank(_ attempt: AttemptRecord) -> SIMD4<Int32> {
    let suite = suites[attempt.key.suite]
    return SIMD4(
      Int32(clamping: suite?.suite ?? Int.max),
      Int32(clamping: suite?.variants[attempt.key.variant] ?? Int.max),
      Int32(clamping: backends[attempt.key.backend] ?? Int.max),
      Int32(clamping: suite?.cases[attempt.key.caseID] ?? Int.max))
  }

  private func precedes(_ left: AttemptRecord, _ right: AttemptRecord) -> Bool {
    let (first, second) = (left.key, right.key)
    let names = [first.suite, first.variant, first.backend, first.caseID]
    let others = [second.suite, second.variant, second.backend, second.caseID]
    guard names == others else { return names.lexicographicallyPrecedes(others) }
    return (first.repeatIndex, left.seed, left.output)
      < (second.repeatIndex, right.seed, right.output)
  }

  private static func ranks(_ names: [String]) -> [String: Int] {
    Dictionary(first: names.enumerated().map { ($1, $0) })
  }
}

extension SIMD4<Int32> {
  fileprivate func lexicographicallyPrecedes(_ other: Self) -> Bool {
    for index in indices where self[index] != other[index] { return self[index] < other[index] }
    return false
  }
}
