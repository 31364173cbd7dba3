import EvalRecords

/// The separate draws behind the values of a slice, which set the limits of acknowledgements.
///
/// The test cases are the same every night, so only the draws vary from night to night.
package struct DrawnSlice {
  /// The number of separate draws of each test case.
  private var counts: [String: Int] = [:]
  /// Whether nothing is sampled, so that only a change gives another answer.
  package let isFixed: Bool

  /// Returns the slices of a run.
  ///
  /// - Parameters:
  ///   - run: The run.
  ///   - attempts: Its attempts.
  package static func slices(
    _ run: RunRecord, _ attempts: [AttemptRecord]
  ) -> [SliceKey: DrawnSlice] {
    var slices: [SliceKey: DrawnSlice] = [:]
    for (key, own) in Dictionary(grouping: attempts, by: \.key.slice) {
      guard
        let sampling = run.sampling(
          suite: key.suite, variant: key.variant, backend: key.backend)
      else { continue }
      slices[key] = DrawnSlice(own, run: run.id, sampling)
    }
    return slices
  }

  private init(_ attempts: [AttemptRecord], run: Int, _ sampling: SliceSampling) {
    let drawn = attempts.map { DrawnAttempt($0, run: run, sampling: sampling) }
    isFixed =
      attempts.allSatisfy { sampling.samplesNothing(in: $0.key.caseID) } && !Draws.vary(drawn)
    var draws = Draws()
    for (attempt, draw) in zip(drawn, draws.add(drawn)) {
      counts[attempt.caseID, default: 0] += draw.isNew ? 1 : 0
    }
  }

  /// The number of test cases.
  var cases: Int { counts.count }

  /// Returns the number of draws of a test case or, without one, of all test cases.
  func draws(in caseID: String? = nil) -> Int {
    caseID.map { counts[$0] ?? 0 } ?? counts.values.reduce(0, +)
  }

  /// The distance, in standard errors, that the difference of two nights exceeds in one of 100
  /// nights.
  static let deviations = 2.33

  /// Returns how much worse a rate may get by chance.
  ///
  /// If nothing changes, the next night is worse by more than this in about one of 100 nights.
  ///
  /// - Parameters:
  ///   - rate: The rate.
  ///   - draws: The number of separate draws behind the rate.
  package static func room(_ rate: Double, draws: Int) -> Double {
    let count = Double(max(1, draws))
    // With two more draws of each result, the error is right for rates near 0 and 1 too.
    let share = (rate * count + 2) / (count + 4)
    return deviations * (2 * share * (1 - share) / count).squareRoot()
  }
}
