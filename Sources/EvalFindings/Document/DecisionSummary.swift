import EvalRecords

/// The mean probabilities of the options at each decision, for one slice.
///
/// Repeats of a test case often have the same tokens before a decision, and therefore the same
/// probabilities at the decision. So the sample consists of test cases, not of attempts: each test
/// case contributes the mean of its attempts.
package struct DecisionSummary: Sendable {
  /// One option of one decision.
  package struct Row: Sendable {
    package let kind: DecisionRecord.Kind
    package let path: String
    /// The number of array elements before the decision, or 0 if it isn't about an array.
    package let index: Int
    /// The branch that the test case expects, or `nil` if it expects none.
    package let expected: String?
    package let option: DecisionOption
    /// The number of times that attempts reached the decision.
    ///
    /// An attempt may reach a decision within an array several times.
    package let attempts: Int
    /// The number of times that attempts took the option.
    package let taken: Int
    /// The number of test cases whose means the row averages.
    package let cases: Int
    package let raw: Double
    package let masked: Double
    package let sampled: Double
    /// The lowest mean of `sampled` in any test case.
    package let lowest: Double
    /// The highest mean of `sampled` in any test case.
    package let highest: Double
    /// The means of `masked` and `sampled` for each of the first `maximumCases` test cases.
    package let ofCases: [(masked: Double, sampled: Double)]
  }

  package let slice: SliceKey
  package let sliceName: String
  package let rows: [Row]
  /// The number of decisions, except decisions in an array after more than `maximumIndex` elements.
  package let count: Int
  /// The number of decisions that no row includes, because Assay couldn't assign enough of their
  /// probability to the options.
  package let unresolvedCount: Int
  /// The number of array ends and branches that the format, rather than the model, may have chosen.
  ///
  /// See `AttemptRecord.decisionsUnderFormatPressure`.
  package let formatCount: Int
  /// Whether no request of the slice samples, so that each probability as sampled is 0 or 1.
  package let samplesNothing: Bool

  package var isEmpty: Bool { count == 0 }

  /// The largest number of elements before a decision in an array; the summary ignores later
  /// decisions.
  package static let maximumIndex = 12
  private static let maximumRows = 400
  fileprivate static let maximumCases = 200

  private struct Key: Hashable {
    var kind: DecisionRecord.Kind
    var path: String
    var index: Int
    var expected: String?
    var option: DecisionOption
  }

  private struct Sums {
    var order: Int
    var attempts = 0
    var taken = 0
    var cases = 0
    var total = SIMD3<Double>()
    var ofCase = SIMD3<Double>()
    var inCase = 0
    var lowest = Double.infinity
    var highest = -Double.infinity
    var means: [(masked: Double, sampled: Double)] = []

    mutating func closeCase() {
      guard inCase > 0 else { return }
      let mean = ofCase / Double(inCase)
      total += mean
      cases += 1
      if means.count < DecisionSummary.maximumCases { means.append((mean.y, mean.z)) }
      lowest = min(lowest, mean.z)
      highest = max(highest, mean.z)
      (ofCase, inCase) = (SIMD3(), 0)
    }
  }

  init(slice: SliceSummary, attempts: [AttemptRecord], run: RunRecord) {
    self.slice = slice.key
    let sampling = run.sampling(
      suite: slice.key.suite, variant: slice.key.variant, backend: slice.key.backend)
    samplesNothing = sampling.map { slice.cases.map(\.id).allSatisfy($0.samplesNothing) } ?? false
    sliceName = slice.name
    var sums: [Key: Sums] = [:]
    var (count, unresolvedCount, formatCount) = (0, 0, 0)
    for summary in slice.cases {
      let expected = Dictionary(
        first: (summary.record?.expectedBranches ?? []).map { ($0.path, $0.branch) })
      for attempt in attempts[summary.range] {
        formatCount += attempt.decisionsUnderFormatPressure.count
        for decision in attempt.decisions where decision.index <= Self.maximumIndex {
          count += 1
          guard decision.isResolved else {
            unresolvedCount += 1
            continue
          }
          let path = decision.pattern
          for option in decision.options {
            // The probabilities of these options follow from those of `end` and `absent`.
            if option.option == .element || option.option == .present { continue }
            let key = Key(
              kind: decision.kind, path: path, index: decision.index,
              expected: expected[decision.path], option: option.option)
            if sums[key] == nil, sums.count >= Self.maximumRows { continue }
            var sum = sums[key] ?? Sums(order: sums.count)
            sum.attempts += 1
            if decision.chosen == option.option { sum.taken += 1 }
            sum.ofCase += SIMD3(option.raw, option.masked, option.sampled)
            sum.inCase += 1
            sums[key] = sum
          }
        }
      }
      for key in sums.keys { sums[key]?.closeCase() }
    }
    (self.count, self.unresolvedCount, self.formatCount) = (count, unresolvedCount, formatCount)
    rows = sums.sorted { Self.precedes($0, $1) }.map { key, sum in
      let mean = sum.total / Double(max(1, sum.cases))
      return Row(
        kind: key.kind, path: key.path, index: key.index, expected: key.expected,
        option: key.option, attempts: sum.attempts, taken: sum.taken, cases: sum.cases,
        raw: mean.x, masked: mean.y, sampled: mean.z, lowest: sum.lowest, highest: sum.highest,
        ofCases: sum.means)
    }
  }

  private static func precedes(
    _ left: (key: Key, value: Sums), _ right: (key: Key, value: Sums)
  ) -> Bool {
    func rank(_ key: Key) -> (Int, String, Int, String) {
      let kind = DecisionRecord.Kind.allCases.firstIndex(of: key.kind) ?? 0
      return (kind, key.path, key.index, key.expected ?? "")
    }
    let (first, second) = (rank(left.key), rank(right.key))
    return first == second ? left.value.order < right.value.order : first < second
  }

  /// Returns the row that has the same decision and option as a row of another summary, or `nil` if
  /// there is none.
  package func row(like other: Row) -> Row? {
    rows.first {
      $0.kind == other.kind && $0.path == other.path && $0.index == other.index
        && $0.expected == other.expected && $0.option == other.option
    }
  }
}
