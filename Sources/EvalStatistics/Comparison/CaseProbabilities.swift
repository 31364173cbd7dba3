import EvalRecords

/// The decision probabilities of one side, for each test case.
///
/// If nothing is sampled (`SliceSampling.samplesNothing`), the probability that an option is
/// sampled is 0 or 1, which says no more than a count. For such attempts, this type uses the
/// probability after the mask instead.
///
/// Decisions with too much unresolved probability (`DecisionRecord.isResolved`) are left out and
/// counted.
struct CaseProbabilities: Sendable {
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

  /// The hazards of one array in one test case: for each i, the mean probability P(end) that the
  /// array ends after i elements.
  private struct Hazards: Sendable {
    var steps: [Mean] = []
    mutating func add(_ value: Double, at index: Int) {
      while steps.count <= index { steps.append(Mean()) }
      steps[index].add(value)
    }
  }

  /// The maximum number of leading elements whose hazards are kept; later elements are ignored.
  private static let indexLimit = 256

  private var hazards: [String: [String: Hazards]] = [:]
  private var wrong: [String: [String: Mean]] = [:]
  /// The indices of the array decisions that were left out, keyed by path and test case.
  private var unresolvedHazards: [String: [String: [Int]]] = [:]
  /// The number of branch decisions that were left out, keyed by path and test case.
  private var unresolvedBranches: [String: [String: Int]] = [:]

  /// The paths of the arrays with known hazards.
  var arrayPaths: Set<String> { Set(hazards.keys) }
  /// The paths of the expected branches with known probabilities.
  var branchPaths: Set<String> { Set(wrong.keys) }

  /// Creates the probabilities of a slice from its decisions.
  ///
  /// - Parameters:
  ///   - slice: The attempts; those without decisions add nothing.
  ///   - expected: The expected branches, keyed by test case and path.
  init(_ slice: ComparisonSlice, expected: [String: [String: String]]) {
    let sampling = slice.sampling
    for attempt in slice.attempts {
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
        hazards[path, default: [:]][caseID, default: Hazards()].add(end, at: decision.index)
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
        wrong[path, default: [:]][caseID, default: Mean()].add(1 - right)
      case .optional: continue
      }
    }
    // The schema's lower bound forces the elements before an array's first choice, so P(end) was 0.
    for (path, first) in firsts.values where first > 0 {
      for index in 0..<first {
        hazards[path, default: [:]][caseID, default: Hazards()].add(0, at: index)
      }
    }
  }

  /// Returns each test case's probability of an empty array, averaged over its repeats: P(end)
  /// before the first element.
  func empty(_ path: String) -> [String: Double] {
    (hazards[path] ?? [:]).compactMapValues { $0.steps.first?.value }
  }

  /// Returns each test case's probability of fewer than `minimum` elements: 1 − ∏ (1 − hᵢ) over i <
  /// minimum, with the hazards hᵢ = P(end after i elements) pooled over the test case's attempts.
  ///
  /// If no attempt of the test case reached i elements, the test case's last known hazard is used.
  /// The hazards of other test cases would be closer to the truth on average, but then the test
  /// cases would no longer be independent. In an experiment that used the hazards of other test
  /// cases, 5 of 15 comparisons raised a false alarm, although the runs used the same real model
  /// and differed only in their seeds.
  func below(_ minimum: Int, _ path: String) -> [String: Double] {
    guard minimum > 0, let cases = hazards[path] else { return [:] }
    let length = min(minimum, Self.indexLimit)
    return cases.compactMapValues { hazards in
      guard var last = hazards.steps.first?.value else { return nil }
      var survival = 1.0
      for index in 0..<length {
        last = (index < hazards.steps.count ? hazards.steps[index].value : nil) ?? last
        survival *= 1 - last
      }
      return min(1, max(0, 1 - survival))
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

  /// Returns each test case's probability of a wrong branch, averaged over its repeats.
  func wrongBranch(_ path: String) -> [String: Double] {
    (wrong[path] ?? [:]).compactMapValues { $0.value.map { min(1, max(0, $0)) } }
  }
}
