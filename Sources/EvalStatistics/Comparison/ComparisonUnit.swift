import EvalRecords

/// One suite, variant and backend of a run, with its attempts.
struct ComparisonSlice: Sendable {
  var run: RunRecord
  var suite: SuiteRecord
  var variant: String
  var backend: BackendRecord
  /// The attempts that were made, in the order of cases and repeats; skipped ones are left out.
  var attempts: [AttemptRecord]

  var errorCount: Int { attempts.count { $0.outcome == .error } }
}

/// What is compared as one: a slice of the baseline and the slice of the candidate it stands beside.
struct ComparisonUnit: Sendable {
  /// Two attempts at the same case in the same repeat.
  struct Pair: Sendable {
    var baseline: AttemptRecord
    var candidate: AttemptRecord
  }

  let baseline: ComparisonSlice
  let candidate: ComparisonSlice
  /// The pairs by case and repeat.
  let pairs: [Pair]
  /// Whether the two attempts of every pair had the same seed.
  let hasEqualSeeds: Bool
  /// Whether every pair gave the same output with the same outcome.
  let hasEqualOutputs: Bool

  init(baseline: ComparisonSlice, candidate: ComparisonSlice) {
    self.baseline = baseline
    self.candidate = candidate
    struct Place: Hashable {
      var caseID: String
      var repeatIndex: Int
    }
    let partners = Dictionary(
      candidate.attempts.map {
        (Place(caseID: $0.key.caseID, repeatIndex: $0.key.repeatIndex), $0)
      },
      uniquingKeysWith: { first, _ in first })
    pairs = baseline.attempts.compactMap { attempt in
      partners[Place(caseID: attempt.key.caseID, repeatIndex: attempt.key.repeatIndex)].map {
        Pair(baseline: attempt, candidate: $0)
      }
    }
    hasEqualSeeds = pairs.allSatisfy { $0.baseline.seed == $0.candidate.seed }
    hasEqualOutputs =
      !pairs.isEmpty
      && pairs.allSatisfy {
        $0.baseline.outcome == $0.candidate.outcome && $0.baseline.output == $0.candidate.output
      }
  }

  /// The unit in words: `flashcards on local`.
  var scope: String {
    let suites =
      baseline.suite.id == candidate.suite.id
      ? baseline.suite.id : "\(baseline.suite.id) → \(candidate.suite.id)"
    let variants =
      baseline.variant == candidate.variant
      ? (baseline.suite.variants.count > 1 ? ":\(baseline.variant)" : "")
      : ":\(baseline.variant) → \(candidate.variant)"
    let backends =
      baseline.backend.id == candidate.backend.id
      ? baseline.backend.id : "\(baseline.backend.id) → \(candidate.backend.id)"
    return "\(suites)\(variants) on \(backends)"
  }

  /// Which side had too many errors, in words; nil where neither had.
  func breakage(above share: Double) -> String? {
    let parts = [("baseline", baseline), ("candidate", candidate)].compactMap { name, slice in
      Double(slice.errorCount) > share * Double(slice.attempts.count)
        ? "\(slice.errorCount) of \(slice.attempts.count) attempts of the \(name) ended in an error"
        : nil
    }
    return parts.isEmpty ? nil : parts.joined(separator: "; ")
  }
}

extension ComparisonUnit {
  /// The units of two sides, in the baseline's order, and what is on one side only.
  ///
  /// Where a selection names a suite, variant or backend on both sides, those two stand beside each
  /// other whatever their names; elsewhere equal ids do.
  static func units(
    _ baseline: ComparisonSide, _ candidate: ComparisonSide
  ) -> (units: [ComparisonUnit], unmatched: [String]) {
    var unmatched: [String] = []
    func matched(
      _ kind: String, _ first: [String], _ second: [String], _ chosen: (String?, String?)
    ) -> [(String, String)] {
      let left = first.filter { chosen.0 == nil || $0 == chosen.0 }
      let right = second.filter { chosen.1 == nil || $0 == chosen.1 }
      if let leftID = left.first, let rightID = right.first, chosen.0 != nil, chosen.1 != nil {
        return [(leftID, rightID)]
      }
      for id in left where !right.contains(id) {
        unmatched.append("\(kind) \(id) is only in the baseline")
      }
      for id in right where !left.contains(id) {
        unmatched.append("\(kind) \(id) is only in the candidate")
      }
      return left.filter(right.contains).map { ($0, $0) }
    }
    let baselineIndex = Index(baseline)
    let candidateIndex = Index(candidate)
    let (first, second) = (baseline.selection, candidate.selection)
    let backends = matched(
      "backend", baseline.run.backends.map(\.id), candidate.run.backends.map(\.id),
      (first.backend, second.backend))
    var units: [ComparisonUnit] = []
    for suites in matched(
      "suite", baseline.run.suites.map(\.id), candidate.run.suites.map(\.id),
      (first.suite, second.suite))
    {
      guard let left = baseline.run.suites.first(where: { $0.id == suites.0 }),
        let right = candidate.run.suites.first(where: { $0.id == suites.1 })
      else { continue }
      let variants = matched(
        "variant", left.variants.map(\.id), right.variants.map(\.id),
        (first.variant, second.variant))
      for variant in variants {
        for backend in backends {
          let sides = (
            baselineIndex.slice(left, variant.0, backend.0),
            candidateIndex.slice(right, variant.1, backend.1)
          )
          guard let one = sides.0, let other = sides.1 else { continue }
          units.append(ComparisonUnit(baseline: one, candidate: other))
        }
      }
    }
    return (units, unmatched)
  }

  /// A side's attempts by suite, variant and backend.
  private struct Index {
    private struct Place: Hashable {
      var suite: String
      var variant: String
      var backend: String
    }

    private let run: RunRecord
    private let groups: [Place: [AttemptRecord]]

    init(_ side: ComparisonSide) {
      run = side.run
      groups = Dictionary(
        grouping: side.attempts.lazy.filter { $0.outcome != .skipped },
        by: { Place(suite: $0.key.suite, variant: $0.key.variant, backend: $0.key.backend) })
    }

    /// A slice; nil where nothing of it was planned and made.
    func slice(_ suite: SuiteRecord, _ variant: String, _ backend: String) -> ComparisonSlice? {
      let place = Place(suite: suite.id, variant: variant, backend: backend)
      guard let record = run.backends.first(where: { $0.id == backend }),
        let attempts = groups[place]
      else { return nil }
      let order = Dictionary(
        suite.cases.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
      let sorted = attempts.sorted {
        (order[$0.key.caseID] ?? .max, $0.key.caseID, $0.key.repeatIndex)
          < (order[$1.key.caseID] ?? .max, $1.key.caseID, $1.key.repeatIndex)
      }
      return ComparisonSlice(
        run: run, suite: suite, variant: variant, backend: record, attempts: sorted)
    }
  }
}
