import EvalRecords

extension ComparisonUnit {
  /// Returns all effects of the unit, without their verdicts, and the facts about the measured
  /// probabilities.
  ///
  /// If a side stopped early, the pass rate against the baseline is the only effect.
  func effects(
    _ rules: ComparisonRules
  ) -> (drafts: [EffectDraft], facts: [ComparisonDifference.Fact]) {
    if hasStoppedEarly { return ([passRate.draft(self, rules)].compactMap(\.self), []) }
    let expected = expectedBranches
    let questions = BranchQuestion.questions(expected)
    let shapes = Shapes(self)
    let shifts = shiftEffects(rules, expected, questions)
    if rules.comparesDecisionsOnly { return (shifts.compactMap { $0.draft(self, rules) }, []) }
    let contradictions = MeasurementChecks(self, expected: expected).contradictions(questions)
    let doubtful = Set(contradictions.map(\.quantity))
    // If a quantity was measured as a probability that can decide, in all test cases that the count
    // covers, the probability gates, and the count is only shown.
    func isMeasured(_ effect: CountedEffect) -> Bool {
      let ids = Set(effect.outcomes.map(\.caseID))
      return !doubtful.contains(effect.quantity)
        && shifts.contains { $0.quantity == effect.quantity && $0.canDecide && $0.covers(ids) }
    }
    let missing = missingArrays(shapes)
    var counted =
      [passRate] + emptyArrays(shapes, rules) + missing
      + wrongBranches(shapes, expected, questions)
    for index in counted.indices where counted[index].isGating {
      counted[index].isGating = !isMeasured(counted[index])
    }
    counted += assertionFailures
    let pooled = history.flatMap { PooledEffect(history: $0).draft(self, rules) }
    let measured = shifts.compactMap { shift -> EffectDraft? in
      var draft = shift.draft(self, rules)
      draft?.isDoubtful = doubtful.contains(shift.quantity)
      return draft
    }
    return (
      measured + counted.compactMap { $0.draft(self, rules) } + [pooled].compactMap(\.self),
      vanished(shapes, counted: Set(missing.compactMap(\.quantity.path)))
        + contradictions.map(\.fact)
    )
  }

  /// The shapes of the answers of each pair.
  struct Shapes {
    var baseline: [AnswerShape?]
    var candidate: [AnswerShape?]

    init(_ unit: ComparisonUnit) {
      func shape(_ attempt: AttemptRecord) -> AnswerShape? {
        attempt.outcome == .error ? nil : attempt.details.shape
      }
      baseline = unit.pairs.map { shape(unit.baseline.attempts[$0.baseline]) }
      candidate = unit.pairs.map { shape(unit.candidate.attempts[$0.candidate]) }
    }
  }

  /// The expected branches, keyed by test case and path.
  private var expectedBranches: [String: [String: String]] {
    Dictionary(
      baseline.suite.cases.map { record in
        (
          record.id,
          Dictionary(
            record.expectedBranches.map { ($0.path, $0.branch) },
            uniquingKeysWith: { first, _ in first })
        )
      }, uniquingKeysWith: { first, _ in first })
  }

  /// Returns the length below which an array is too short, keyed by path.
  ///
  /// If the rules have minimums for the suite, these count. Otherwise, the larger of the two sides'
  /// minimums counts.
  private func minimums(_ rules: ComparisonRules) -> [String: Int] {
    let recorded = baseline.suite.arrayMinimums.merging(
      candidate.suite.arrayMinimums, uniquingKeysWith: max)
    return rules.arrayMinimums[baseline.suite.id] ?? recorded
  }

  /// Judges both sides of each pair by a rule.
  ///
  /// A pair is left out if it can't be judged on both sides, or if it has a backend error, which
  /// says nothing about the model.
  func outcomes(
    _ isBad: (_ index: Int, _ isCandidate: Bool, _ attempt: AttemptRecord) -> Bool?
  ) -> [CountedEffect.Outcome] {
    pairs.enumerated().compactMap { index, pair in
      guard !baseline.attempts[pair.baseline].isBackendError,
        !candidate.attempts[pair.candidate].isBackendError,
        let left = isBad(index, false, baseline.attempts[pair.baseline]),
        let right = isBad(index, true, candidate.attempts[pair.candidate])
      else { return nil }
      return CountedEffect.Outcome(
        caseID: baseline.attempts[pair.baseline].key.caseID, baseline: left, candidate: right)
    }
  }

  private var passRate: CountedEffect {
    passRate(outcomes { _, _, attempt in attempt.outcome != .pass })
  }

  /// Returns the effect on the pass rate for the given outcomes.
  func passRate(_ outcomes: [CountedEffect.Outcome]) -> CountedEffect {
    CountedEffect(
      quantity: .passRate, subject: .other, isGating: true, showsGood: true, outcomes: outcomes,
      note: newInputs(outcomes))
  }

  /// Returns the p-value of the sign-flip test over the test cases' mean changes, or `nil` if
  /// nothing changed or there is only one test case.
  ///
  /// The test cases are the sample, so the p-value also applies to new inputs of the same kind.
  private func newInputs(_ outcomes: [CountedEffect.Outcome]) -> EffectNote? {
    // The outcomes of a test case are adjacent.
    var sums: [(caseID: String, change: Int, count: Int)] = []
    for outcome in outcomes {
      if sums.last?.caseID != outcome.caseID { sums.append((outcome.caseID, 0, 0)) }
      sums[sums.count - 1].change += (outcome.candidate ? 1 : 0) - (outcome.baseline ? 1 : 0)
      sums[sums.count - 1].count += 1
    }
    guard sums.count > 1, sums.contains(where: { $0.change != 0 }) else { return nil }
    let changes = sums.sorted { $0.caseID < $1.caseID }.map {
      Double($0.change) / Double($0.count)
    }
    return .casesAsSample(pValue: SignFlip(changes).pValueTwoSided)
  }

  private func emptyArrays(_ shapes: Shapes, _ rules: ComparisonRules) -> [CountedEffect] {
    var empty: Set<String> = []
    var present: Set<String> = []
    for shape in shapes.baseline + shapes.candidate {
      for (path, lengths) in shape?.lengths ?? [:] {
        present.insert(path)
        if lengths.contains(0) { empty.insert(path) }
      }
    }
    let asked = Set(minimums(rules).filter { $0.value > 0 }.keys)
    return empty.union(asked.intersection(present)).sorted().map { path in
      let quantity = Quantity.emptyArray(path: path)
      return CountedEffect(
        quantity: quantity, subject: .emptyArray,
        isGating: empty.contains(path), showsGood: false,
        outcomes: outcomes { index, isCandidate, _ in
          let shape = isCandidate ? shapes.candidate[index] : shapes.baseline[index]
          return shape?.lengths[path].map { $0.contains(0) }
        })
    }
  }

  private func wrongBranches(
    _ shapes: Shapes, _ expected: [String: [String: String]], _ questions: [BranchQuestion]
  ) -> [CountedEffect] {
    questions.map { question in
      CountedEffect(
        quantity: question.quantity, subject: .wrongBranch,
        isGating: true, showsGood: false,
        outcomes: outcomes { index, isCandidate, attempt in
          let shape = isCandidate ? shapes.candidate[index] : shapes.baseline[index]
          guard let shape, let branches = expected[attempt.key.caseID], question.asks(branches)
          else { return nil }
          return shape.branches[question.path] != branches[question.path]
        },
        asked: question.branch.map { _ in
          pairs.count { question.asks(expected[baseline.attempts[$0.baseline].key.caseID] ?? [:]) }
        })
    }
  }

  /// One effect for each assertion that failed in any attempt.
  private var assertionFailures: [CountedEffect] {
    struct Assertion: Hashable {
      var name: String
      var path: String
    }
    var order: [Assertion] = []
    var isCount: [Assertion: Bool] = [:]
    /// Whether the assertion failed in each pair, on each side, or `nil` if the attempt has no
    /// verdict for the assertion.
    typealias Verdicts = (baseline: [Bool?], candidate: [Bool?])
    var failures: [Assertion: Verdicts] = [:]
    let unknown = [Bool?](repeating: nil, count: pairs.count)
    for (index, pair) in pairs.enumerated() {
      for isCandidate in [false, true] {
        let verdicts =
          isCandidate
          ? candidate.attempts[pair.candidate].verdicts : baseline.attempts[pair.baseline].verdicts
        for verdict in verdicts {
          let assertion = Assertion(name: verdict.assertion, path: verdict.path)
          if isCount[assertion] == nil {
            order.append(assertion)
            isCount[assertion] = verdict.type == "count"
          }
          let failed = verdict.verdict == .fail
          if isCandidate {
            failures[assertion, default: (unknown, unknown)].candidate[index] = failed
          } else {
            failures[assertion, default: (unknown, unknown)].baseline[index] = failed
          }
        }
      }
    }
    return order.compactMap { assertion in
      guard let seen = failures[assertion],
        seen.baseline.contains(true) || seen.candidate.contains(true)
      else { return nil }
      return CountedEffect(
        quantity: .failedAssertion(name: assertion.name, path: assertion.path),
        subject: isCount[assertion] == true ? .bounds : .other, isGating: false,
        showsGood: false,
        outcomes: outcomes { index, isCandidate, _ in
          isCandidate ? seen.candidate[index] : seen.baseline[index]
        })
    }
  }

  /// Returns the effects on decision probabilities.
  private func shiftEffects(
    _ rules: ComparisonRules, _ expected: [String: [String: String]], _ questions: [BranchQuestion]
  ) -> [ShiftEffect] {
    let left = CaseProbabilities(baseline, expected: expected)
    let right = CaseProbabilities(candidate, expected: expected)
    let cases = baseline.suite.cases.map(\.id)
    func shifts(
      _ baseline: [String: MeasuredCase], _ candidate: [String: MeasuredCase]
    ) -> [ShiftEffect.CaseShift] {
      cases.compactMap { id in
        guard let before = baseline[id], let after = candidate[id] else { return nil }
        return ShiftEffect.CaseShift(caseID: id, baseline: before, candidate: after)
      }
    }
    func isFixed(_ path: String) -> Bool {
      [self.baseline, self.candidate].allSatisfy { $0.suite.isFixed(path, in: $0.variant) }
    }
    func sums(_ baseline: [String: Int], _ candidate: [String: Int]) -> [String: Int] {
      baseline.merging(candidate, uniquingKeysWith: +)
    }
    var effects: [ShiftEffect] = []
    let minimums = minimums(rules)
    for path in left.arrayPaths.union(right.arrayPaths).sorted() {
      effects.append(
        ShiftEffect(
          quantity: .emptyArray(path: path), subject: .emptyArray, isFixed: isFixed(path),
          shifts: shifts(left.empty(path), right.empty(path)),
          unresolved: sums(left.unresolvedBelow(1, path), right.unresolvedBelow(1, path)),
          caseCount: cases.count))
      guard let minimum = minimums[path], minimum > 1 else { continue }
      effects.append(
        ShiftEffect(
          quantity: .shortArray(minimum: minimum, path: path), subject: .bounds,
          // Whether an array ends after one element depends on that element.
          isFixed: false,
          shifts: shifts(left.below(minimum, path), right.below(minimum, path)),
          unresolved: sums(
            left.unresolvedBelow(minimum, path), right.unresolvedBelow(minimum, path)),
          caseCount: cases.count))
    }
    for question in questions {
      let path = question.path
      let asked = expected.filter { question.asks($0.value) }
      effects.append(
        ShiftEffect(
          quantity: question.quantity, subject: .wrongBranch, isFixed: isFixed(path),
          shifts: shifts(left.wrongBranch(path), right.wrongBranch(path)).filter {
            asked[$0.caseID] != nil
          },
          unresolved: sums(left.unresolvedBranch(path), right.unresolvedBranch(path)).filter {
            asked[$0.key] != nil
          },
          caseCount: asked.count))
    }
    return effects.filter(\.isMeasured)
  }
}
