import EvalRecords

extension CaseProbabilities {
  /// Returns the measured probability of a quantity in each test case, as comparisons use it.
  ///
  /// - Parameters:
  ///   - quantity: The quantity.
  ///   - attempts: The attempts of one slice.
  ///   - slice: The slice.
  ///   - run: The run that made the attempts.
  /// - Returns: The probabilities, keyed by test case; empty if the quantity is only counted.
  package static func values(
    of quantity: Quantity, in attempts: [AttemptRecord], of slice: SliceKey, run: RunRecord
  ) -> [String: Double] {
    guard let suite = run.suites.first(where: { $0.id == slice.suite }),
      let backend = run.backends.first(where: { $0.id == slice.backend })
    else { return [:] }
    var expected: [String: [String: String]] = [:]
    for record in suite.cases {
      for branch in record.expectedBranches {
        expected[record.id, default: [:]][branch.path] = branch.branch
      }
    }
    let probabilities = CaseProbabilities(
      ComparisonSlice(
        run: run, suite: suite, variant: slice.variant, backend: backend, attempts: attempts),
      expected: expected)
    let cases: [String: MeasuredCase] =
      switch quantity {
      case .emptyArray(let path): probabilities.empty(path)
      case .shortArray(let minimum, let path): probabilities.below(minimum, path)
      case .wrongBranch(let path): probabilities.wrongBranch(path)
      case .missedBranch(let branch, let path):
        probabilities.wrongBranch(path).filter { expected[$0.key]?[path] == branch }
      case .passRate, .missingArray, .failedAssertion, .validOutput, .arrayLength: [:]
      }
    return cases.mapValues(\.probability)
  }
}
