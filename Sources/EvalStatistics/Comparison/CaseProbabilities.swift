import EvalRecords

/// The decision probabilities of one side, for each test case.
///
/// If nothing is sampled (`SliceSampling.samplesNothing`), the probability that an option is
/// sampled is 0 or 1, which says no more than a count. For such attempts, this type uses the
/// probability after the mask instead.
///
/// Decisions with too much unresolved probability (`DecisionRecord.isResolved`) are left out and
/// counted.
package struct CaseProbabilities: Sendable {
  /// A running mean: the sum of the probabilities, and how many there are.
  private struct Mean: Sendable {
    var sum = 0.0
    var count = 0
    mutating func add(_ value: Double) {
      sum += value
      count += 1
    }
    var value: Double? { count > 0 ? sum / Double(count) : nil }
  }

  /// The hazards of an array: for each i, the mean probability P(end) that the array ends after i
  /// elements.
  private struct Hazards: Sendable {
    var steps: [Mean] = []
    mutating func add(_ value: Double, at index: Int) { add(Mean(sum: value, count: 1), at: index) }

    private mutating func add(_ mean: Mean, at index: Int) {
      while steps.count <= index { steps.append(Mean()) }
      steps[index].sum += mean.sum
      steps[index].count += mean.count
    }

    /// The hazards of all draws of a test case together.
    init(pooling draws: [Hazards] = []) {
      for draw in draws {
        for (index, step) in draw.steps.enumerated() { add(step, at: index) }
      }
    }

    /// Returns 1 − ∏ (1 − hᵢ) over the first `length` hazards, or `nil` if none is known.
    func below(_ length: Int) -> Double? {
      guard var last = steps.first?.value else { return nil }
      var survival = 1.0
      for index in 0..<length {
        last = (index < steps.count ? steps[index].value : nil) ?? last
        survival *= 1 - last
      }
      return min(1, max(0, 1 - survival))
    }
  }

  /// The maximum number of leading elements whose hazards are kept; later elements are ignored.
  private static let indexLimit = 256

  /// The hazards of each draw, keyed by path and test case.
  private var hazards: [String: [String: [Hazards]]] = [:]
  /// The probability of a wrong branch in each draw, keyed by path and test case.
  private var wrong: [String: [String: [Mean]]] = [:]
  /// The indices of the array decisions that were left out, keyed by path and test case.
  private var unresolvedHazards: [String: [String: [Int]]] = [:]
  /// The number of branch decisions that were left out, keyed by path and test case.
  private var unresolvedBranches: [String: [String: Int]] = [:]

  /// The paths of the arrays with known hazards.
  var arrayPaths: Set<String> { Set(hazards.keys) }

  /// Creates the probabilities of a slice from its decisions.
  ///
  /// Attempts that are the same draw (``Draws``) count once.
  ///
  /// - Parameters:
  ///   - slice: The attempts; those without decisions add nothing.
  ///   - expected: The expected branches, keyed by test case and path.
  init(_ slice: ComparisonSlice, expected: [String: [String: String]]) {
    let sampling = slice.sampling
    var draws = Draws()
    for (attempt, draw) in zip(slice.attempts, draws.add(slice.drawn(slice.attempts)))
    where draw.isNew {
      add(
        attempt, samplesNothing: sampling.samplesNothing(in: attempt.key.caseID),
        expected[attempt.key.caseID] ?? [:])
    }
  }

  private mutating func add(
    _ attempt: AttemptRecord, samplesNothing: Bool, _ expected: [String: String]
  ) {
    let caseID = attempt.key.caseID
    func probability(_ decision: DecisionRecord, _ option: DecisionOption) -> Double? {
      decision.options.first { $0.option == option }.map {
        samplesNothing ? $0.masked : $0.sampled
      }
    }
    var hazards: [String: Hazards] = [:]
    var wrong: [String: Mean] = [:]
    // The first index at which each array had a choice.
    var firsts: [String: (pattern: String, index: Int)] = [:]
    for decision in attempt.decisions {
      switch decision.kind {
      case .array:
        guard let end = probability(decision, .end), end.isFinite,
          (0..<Self.indexLimit).contains(decision.index)
        else { continue }
        let path = decision.pattern
        let first = min(firsts[decision.path]?.index ?? .max, decision.index)
        firsts[decision.path] = (path, first)
        guard decision.isResolved else {
          unresolvedHazards[path, default: [:]][caseID, default: []].append(decision.index)
          continue
        }
        hazards[path, default: Hazards()].add(end, at: decision.index)
      case .branch, .choice:
        let path = decision.path
        guard let branch = expected[path] else { continue }
        guard decision.isResolved else {
          unresolvedBranches[path, default: [:]][caseID, default: 0] += 1
          continue
        }
        // A branch that the schema no longer has can't be taken.
        let right = probability(decision, .branch(branch)) ?? 0
        guard right.isFinite else { continue }
        wrong[path, default: Mean()].add(1 - right)
      case .optional: continue
      }
    }
    // The schema's lower bound forces the elements before an array's first choice, so P(end) was 0.
    for (path, first) in firsts.values where first > 0 {
      for index in 0..<first {
        hazards[path, default: Hazards()].add(0, at: index)
      }
    }
    for (path, draw) in hazards { self.hazards[path, default: [:]][caseID, default: []] += [draw] }
    for (path, draw) in wrong { self.wrong[path, default: [:]][caseID, default: []] += [draw] }
  }

  /// Returns each test case's probability of an empty array, averaged over its draws: P(end) before
  /// the first element.
  func empty(_ path: String) -> [String: MeasuredCase] {
    measured(hazards[path]) { $0.steps.first?.value }
  }

  /// Returns each test case's probability of fewer than `minimum` elements: 1 − ∏ (1 − hᵢ) over i <
  /// minimum, with the hazards hᵢ = P(end after i elements) pooled over the test case's draws.
  ///
  /// Every decision that a draw reached counts, also a censored one (`DecisionRecord.chosen`).
  ///
  /// If no draw of the test case reached i elements, the test case's last known hazard is used. So
  /// the estimate from a single draw is biased. The bias is similar on both sides of a comparison,
  /// and unbiased estimates vary more. We measured the root mean square error of the paired
  /// difference between two guides, with eight test cases and n from 2 to 4, on Qwen2.5-Coder 0.5B
  /// and SmolLM2 (`scripts/measure/fewer-than`):
  ///
  /// ```
  ///                                                  1 draw       3 draws      10 draws
  /// this estimate                                    0.08, 0.26   0.06, 0.18   0.04, 0.10
  /// each new hazard corrects the last (unbiased)     0.11, 0.32   0.06, 0.18   0.03, 0.10
  /// sum of the hazards reached (unbiased)            0.12, 0.34   0.07, 0.20   0.04, 0.11
  /// ```
  ///
  /// Pooled over all draws (150), this estimate differs from the unbiased one by 0.006, on
  /// average over the 48 combinations of guide, test case and n on each model.
  ///
  /// The hazards of other test cases would be closer to the truth on average, but then the test
  /// cases would no longer be independent. In an experiment that used the hazards of other test
  /// cases, 5 of 15 comparisons raised a false alarm, although the runs used the same real model
  /// and differed only in their seeds.
  func below(_ minimum: Int, _ path: String) -> [String: MeasuredCase] {
    guard minimum > 0 else { return [:] }
    return measured(hazards[path]) { $0.below(min(minimum, Self.indexLimit)) }
  }

  /// Returns a probability of each test case: from all its draws together, and from each draw.
  private func measured(
    _ cases: [String: [Hazards]]?, _ probability: (Hazards) -> Double?
  ) -> [String: MeasuredCase] {
    (cases ?? [:]).compactMapValues { draws in
      probability(Hazards(pooling: draws)).map {
        MeasuredCase(probability: $0, draws: draws.compactMap(probability))
      }
    }
  }

  /// Returns the number of unresolved decisions that `below` leaves out, keyed by test case.
  ///
  /// For a minimum of 1, `empty` leaves out the same decisions.
  func unresolvedBelow(_ minimum: Int, _ path: String) -> [String: Int] {
    (unresolvedHazards[path] ?? [:]).mapValues { $0.count { $0 < minimum } }.filter { $0.value > 0 }
  }

  /// Returns the number of unresolved decisions that `wrongBranch` leaves out, keyed by test case.
  func unresolvedBranch(_ path: String) -> [String: Int] { unresolvedBranches[path] ?? [:] }

  /// Returns each test case's probability of a wrong branch, averaged over its draws.
  func wrongBranch(_ path: String) -> [String: MeasuredCase] {
    (wrong[path] ?? [:]).compactMapValues { draws in
      let values = draws.compactMap(\.value).map { min(1, max(0, $0)) }
      guard !values.isEmpty else { return nil }
      return MeasuredCase(draws: values)
    }
  }
}
