import EvalRecords

/// A measured probability that the answers of one side contradict.
struct Contradiction {
  var quantity: Quantity
  var side: ComparedRole
  /// The sum of the probabilities.
  var expected: Double
  /// The number of attempts with the quantity, and of all attempts in which it was measured.
  var hits: CaseCount

  /// The fact for the record of a comparison.
  var fact: ComparisonDifference.Fact {
    .contradiction(
      side: side, quantity: quantity, expected: expected, hits: hits.hits, count: hits.count)
  }
}

/// Checks the measured probabilities of a unit against its answers.
///
/// An answer is a draw from the probabilities of its decisions. So the number of empty arrays is a
/// sum of independent draws whose probabilities are known (a Poisson-binomial variable). If a
/// number that far away is nearly impossible, the measurement is wrong.
struct MeasurementChecks {
  /// The p-value at which a measurement counts as wrong.
  ///
  /// It is small, because every night checks many quantities.
  private static let level = 1e-4
  /// The masked probability below which an option counts as a hit if nothing is sampled.
  ///
  /// The probability after the mask then says only which option is taken, so only attempts that
  /// took an improbable option count as hits.
  private static let unlikely = 0.05

  private let unit: ComparisonUnit
  private let expected: [String: [String: String]]

  /// Creates the checks of a unit.
  ///
  /// - Parameters:
  ///   - unit: The unit.
  ///   - expected: The expected branches, keyed by test case and path.
  init(_ unit: ComparisonUnit, expected: [String: [String: String]]) {
    self.unit = unit
    self.expected = expected
  }

  /// Returns the measured probabilities that the answers contradict.
  func contradictions(_ questions: [BranchQuestion]) -> [Contradiction] {
    let paths = Set(questions.map(\.path))
    return [(ComparedRole.baseline, unit.baseline), (.candidate, unit.candidate)]
      .flatMap { side, slice in
        draws(of: slice, paths).sorted { $0.key.order < $1.key.order }.compactMap {
          quantity, draws in contradiction(quantity, side, draws)
        }
      }
  }

  /// One attempt in which a quantity was measured: its probability, and whether the answer has it.
  private struct Measured {
    var probability: Double
    var isHit: Bool
  }

  private func draws(
    of slice: ComparisonSlice, _ branches: Set<String>
  ) -> [Quantity: [Measured]] {
    let attempts = slice.attempts.filter { !$0.isBackendError && !$0.decisions.isEmpty }
    guard !attempts.isEmpty else { return [:] }
    var measured: [Quantity: [Measured]] = [:]
    var seen: Set<Draw> = []
    let sampling = slice.sampling
    for (attempt, draw) in zip(attempts, slice.draws(of: attempts)) {
      guard seen.insert(draw).inserted, let shape = attempt.details.shape else { continue }
      let samplesNothing = sampling.samplesNothing(in: attempt.key.caseID)
      func add(_ quantity: Quantity, _ option: OptionProbability?, isHit: Bool) {
        let probability = option.map { samplesNothing ? $0.masked : $0.sampled } ?? 0
        guard probability.isFinite, (0...1).contains(probability) else { return }
        guard samplesNothing else {
          measured[quantity, default: []].append(
            Measured(probability: probability, isHit: isHit))
          return
        }
        let taken = isHit ? probability : 1 - probability
        measured[quantity, default: []].append(
          Measured(
            probability: min(Self.unlikely, probability, 1 - probability),
            isHit: taken < Self.unlikely))
      }
      for (path, lengths) in shape.lengths where lengths.count == 1 {
        let firsts = attempt.decisions.filter {
          $0.kind == .array && $0.pattern == path && $0.index == 0
        }
        guard let decision = firsts.first, firsts.count == 1, decision.isResolved else { continue }
        add(
          .emptyArray(path: path), decision.options.first { $0.option == .end },
          isHit: lengths[0] == 0)
      }
      for (path, branch) in expected[attempt.key.caseID] ?? [:] where branches.contains(path) {
        let choices = attempt.decisions.filter {
          ($0.kind == .branch || $0.kind == .choice) && $0.path == path
        }
        guard let decision = choices.first, choices.count == 1, decision.isResolved,
          let taken = shape.branches[path],
          let right = decision.options.first(where: { $0.option == .branch(branch) })
        else { continue }
        var wrong = right
        (wrong.masked, wrong.sampled) = (1 - right.masked, 1 - right.sampled)
        add(.wrongBranch(path: path), wrong, isHit: taken != branch)
      }
    }
    return measured
  }

  private func contradiction(
    _ quantity: Quantity, _ side: ComparedRole, _ draws: [Measured]
  ) -> Contradiction? {
    let probabilities = draws.map(\.probability)
    let hits = draws.count(where: \.isHit)
    guard
      PoissonBinomial.pValue(of: hits, probabilities: probabilities) < Self.level
    else { return nil }
    return Contradiction(
      quantity: quantity, side: side, expected: probabilities.reduce(0, +),
      hits: CaseCount(hits: hits, count: draws.count))
  }
}

extension Quantity {
  /// A text by which quantities are sorted.
  fileprivate var order: String { "\(self)" }
}

extension ShiftEffect {
  /// Whether the probability is known in all the given test cases, on both sides and for all their
  /// decisions.
  func covers(_ ids: Set<String>) -> Bool {
    ids.isSubset(of: shifts.map(\.caseID)) && ids.isDisjoint(with: unresolved.keys)
  }
}

extension ComparisonUnit {
  /// Returns the arrays and measured probabilities that only one side has, except the arrays that
  /// the comparison counts as missing.
  func vanished(_ shapes: Shapes, counted: Set<String>) -> [ComparisonDifference.Fact] {
    func paths(_ shapes: [AnswerShape?]) -> (any: Set<String>, usual: Set<String>) {
      var counts: [String: Int] = [:]
      for path in shapes.lazy.compactMap(\.self).flatMap(\.lengths.keys) {
        counts[path, default: 0] += 1
      }
      let count = shapes.count { $0 != nil }
      return (Set(counts.keys), Set(counts.filter { 2 * $0.value >= count }.keys))
    }
    func measured(_ slice: ComparisonSlice) -> Set<String> {
      var paths: Set<String> = []
      for attempt in slice.attempts {
        for decision in attempt.decisions where decision.kind == .array {
          paths.insert(decision.pattern)
        }
      }
      return paths
    }
    let answers = (paths(shapes.baseline), paths(shapes.candidate))
    let known = (measured(baseline), measured(candidate))
    // An array in only a few answers may be missing from the other side's by chance, and all arrays
    // are missing if the answers are broken.
    let areIntact = !answers.0.any.isEmpty && !answers.1.any.isEmpty
    let arrays: (Set<String>, Set<String>) =
      areIntact
      ? (answers.0.usual.subtracting(answers.1.any), answers.1.usual.subtracting(answers.0.any))
      : ([], [])
    let shared = answers.0.any.intersection(answers.1.any)
    let only = (
      known.0.subtracting(known.1).intersection(shared),
      known.1.subtracting(known.0).intersection(shared)
    )
    var facts: [ComparisonDifference.Fact] = []
    for (side, paths) in [(ComparedRole.baseline, arrays.0), (.candidate, arrays.1)]
    where !paths.isSubset(of: counted) {
      facts.append(.arraysOnlyIn(side: side, paths: paths.subtracting(counted).sorted()))
    }
    for (side, paths) in [(ComparedRole.baseline, only.0), (.candidate, only.1)]
    where !paths.isEmpty {
      facts.append(
        .measuredOnlyIn(
          side: side, quantities: paths.sorted().map { .emptyArray(path: $0) }))
    }
    return facts
  }
}
