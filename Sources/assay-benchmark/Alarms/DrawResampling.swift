import EvalRecords
import EvalStatistics

/// Draws of a suite that were measured on a real model, from which comparisons are resampled.
///
/// `scripts/measure/draws` has such files; `scripts/measure/measured-draws` makes them from a
/// database.
struct MeasuredDraws: Sendable, Codable {
  /// One attempt, reduced to what the comparison of measured probabilities reads.
  struct Draw: Sendable, Codable, Hashable {
    /// Whether the attempt passed.
    var passed: Bool
    /// The probability of the expected branch, or `nil` if the suite expects none.
    var right: Double?
    /// Whether the attempt took the expected branch.
    var tookRight: Bool?
    /// The probability that the array ends after 0, 1, 2 … elements.
    var ends: [Double]
    /// The length of the array.
    var length: Int
  }

  /// The suite, the model and the sampling options.
  var title: String
  /// The place of the expected branch.
  var branchPath: String?
  /// The place of the array.
  var arrayPath: String
  /// The length below which the array is too short.
  var arrayMinimum: Int
  /// The places of fixed decisions.
  var fixed: [String]
  /// The ids of the test cases.
  var cases: [String]
  /// The draws of each test case in each variant.
  var variants: [String: [[Draw]]]
}

/// The verdicts on comparisons of draws that are resampled from measured ones, by the rule of
/// ``Comparison``.
struct DrawResampling: Sendable {
  /// The edit between the two sides.
  enum Edit: Sendable, Hashable {
    /// Nothing changed.
    case none
    /// The candidate is another variant of the suite, with the baseline's seeds or with others.
    case variant(String, equalSeeds: Bool)
    /// The probability of a wrong branch rises by this much, up to 1, in every second test case.
    case shift(Double)
    /// The log odds of a wrong branch change in each test case by a random amount with this
    /// standard deviation, as after a harmless edit.
    case random(Double)
  }

  /// The number of comparisons with each verdict.
  struct Count: Sendable, Hashable {
    var regressed = 0
    /// The number of these in which a count regressed.
    var regressedCounts = 0
    var improved = 0
    var suspected = 0
    var trials = 0
  }

  /// The measured draws.
  var draws: MeasuredDraws
  /// The variant of the baseline.
  var variant: String

  /// Returns the largest number of repeats that two sides can have without sharing a draw.
  var mostRepeats: Int {
    (draws.variants[variant] ?? []).map { $0.count / 2 }.min() ?? 0
  }

  /// Returns the verdicts.
  ///
  /// Each comparison gives the two sides different draws of each test case, as runs with different
  /// seeds do, unless the edit says otherwise. All variants have the same number of draws, measured
  /// with the same seeds in the same order.
  ///
  /// - Parameters:
  ///   - edit: The edit.
  ///   - repeats: The number of repeats.
  ///   - trials: The number of comparisons.
  ///   - alpha: The one-sided family-wise error rate of each comparison.
  ///   - seed: The seed of the selection.
  func verdicts(
    after edit: Edit, repeats: Int, trials: Int, alpha: Double = 0.05, seed: UInt64 = 1
  ) -> Count {
    var generator = SplitMix(seed: seed)
    var count = Count(trials: trials)
    let before = draws.variants[variant] ?? []
    for trial in 0..<trials {
      let order = before.map { $0.indices.shuffled(using: &generator) }
      let baseline = zip(before, order).map { draws, order in
        order.prefix(repeats).map { draws[$0] }
      }
      var candidate = zip(before, order).map { draws, order in
        order.dropFirst(repeats).prefix(repeats).map { draws[$0] }
      }
      var hasEqualSeeds = false
      switch edit {
      case .none: break
      case .variant(let other, let equalSeeds):
        candidate = zip(draws.variants[other] ?? [], order).map { draws, order in
          let chosen = equalSeeds ? order : draws.indices.shuffled(using: &generator)
          return chosen.prefix(repeats).map { draws[$0] }
        }
        hasEqualSeeds = equalSeeds
      case .shift(let rise):
        for index in candidate.indices where index.isMultiple(of: 2) {
          candidate[index] = candidate[index].map { draw in
            Self.edited(draw, &generator) { max(0, $0 - rise) }
          }
        }
      case .random(let deviation):
        for index in candidate.indices {
          let change = deviation * SimulatedWorld.normal(&generator)
          candidate[index] = candidate[index].map { draw in
            Self.edited(draw, &generator) {
              SimulatedWorld.probability(FewCasesTest.logOdds($0) - change)
            }
          }
        }
      }
      let record = Comparison.compare(
        baseline: side(1, baseline, repeats),
        candidate: side(2, candidate, repeats, seeds: hasEqualSeeds ? 1 : 2),
        rules: ComparisonRules(alpha: alpha, seed: UInt64(trial)))
      switch record.verdict {
      case .regressed:
        count.regressed += 1
        let isCounted = record.effects.contains {
          $0.isGating && $0.verdict == .regressed && $0.evidence == .counted
        }
        if isCounted { count.regressedCounts += 1 }
      case .improved: count.improved += 1
      default:
        let isSuspected = record.effects.contains { effect in
          effect.notes.contains { if case .suspected = $0 { true } else { false } }
        }
        if isSuspected { count.suspected += 1 }
      }
    }
    return count
  }

  /// Returns a draw with another probability of the expected branch, which the answer follows.
  private static func edited(
    _ draw: MeasuredDraws.Draw, _ generator: inout SplitMix, _ edit: (Double) -> Double
  ) -> MeasuredDraws.Draw {
    guard let right = draw.right, let tookRight = draw.tookRight else { return draw }
    var draw = draw
    let after = edit(right)
    draw.right = after
    // The shares of the former answers that stay as they are.
    let (before, now) = tookRight ? (right, after) : (1 - right, 1 - after)
    if before > 0, generator.unit() * before >= now {
      (draw.tookRight, draw.passed) = (!tookRight, !tookRight)
    }
    return draw
  }

  /// Returns a run of the given draws as one side of a comparison.
  private func side(
    _ id: Int, _ cases: [[MeasuredDraws.Draw]], _ repeats: Int, seeds: Int? = nil
  ) -> ComparisonSide {
    var details = SuiteDetails()
    details.fixedDecisions = FixedDecisionPlaces(["v": draws.fixed])
    let expected = draws.branchPath.map { [ExpectedBranch(path: $0, branch: "right")] } ?? []
    let suite = SuiteRecord(
      id: "suite", title: "", guards: "", file: "", schemaName: "",
      variants: [
        VariantRecord(
          id: "v", title: "", schema: "{}", instructions: nil, promptTemplate: "", edits: [])
      ],
      cases: draws.cases.map {
        var record = CaseRecord(id: $0)
        record.expectedBranches = expected
        return record
      },
      repeats: repeats, seed: UInt64(seeds ?? id), options: GenerationSettings(),
      gate: GateRecord(),
      arrayMinimums: [draws.arrayPath: draws.arrayMinimum], details: details)
    let run = RunRecord(
      id: id, label: "", startedAt: "", status: .complete, toolVersion: "",
      backends: [BackendRecord(id: "local", model: "", engine: "", isDeterministic: true)],
      suites: [suite])
    let attempts = cases.enumerated().flatMap { index, draws in
      draws.enumerated().map {
        attempt(
          $1, caseID: self.draws.cases[index], repeatIndex: $0, id, seeds: seeds ?? id)
      }
    }
    return ComparisonSide(run: run, attempts: attempts)
  }

  private func attempt(
    _ draw: MeasuredDraws.Draw, caseID: String, repeatIndex: Int, _ run: Int, seeds: Int
  ) -> AttemptRecord {
    func decision(
      _ kind: DecisionRecord.Kind, _ path: String, _ index: Int,
      _ options: [(DecisionOption, Double)]
    ) -> DecisionRecord {
      DecisionRecord(
        kind: kind, path: path, index: index,
        options: options.map { OptionProbability($0, raw: $1, masked: $1, sampled: $1) },
        chosen: options[0].0, step: 0, unresolved: 0)
    }
    var decisions = draw.ends.enumerated().map { index, end in
      decision(.array, draws.arrayPath, index, [(.end, end), (.element, 1 - end)])
    }
    var branches: [String: String] = [:]
    if let path = draws.branchPath, let right = draw.right {
      decisions.append(
        decision(.choice, path, 0, [(.branch("right"), right), (.branch("wrong"), 1 - right)]))
      branches[path] = draw.tookRight == true ? "right" : "wrong"
    }
    var attempt = AttemptRecord(
      key: AttemptKey(
        suite: "suite", variant: "v", backend: "local", caseID: caseID, repeatIndex: repeatIndex),
      seed: UInt64(seeds * 1_000 + repeatIndex), outcome: draw.passed ? .pass : .fail,
      stopReason: .complete, output: "\(run) \(repeatIndex)", decisions: decisions)
    attempt.details.shape = AnswerShape(
      lengths: [draws.arrayPath: [draw.length]], branches: branches)
    return attempt
  }
}
