import EvalRecords

/// The attempts that a run made at one suite, in one variant and on one backend.
struct ComparisonSlice: Sendable {
  var run: RunRecord
  var suite: SuiteRecord
  var variant: String
  var backend: BackendRecord
  /// The attempts that were made, sorted by test case and repeat.
  ///
  /// Skipped attempts are left out. Fresh attempts, whose seeds normally change every day, are left
  /// out too, unless both sides have the same fresh block.
  var attempts: [AttemptRecord]
  /// The fresh attempts if ``attempts`` leaves them out.
  var fresh: [AttemptRecord] = []

  /// The number of attempts that failed because of the backend.
  var errorCount: Int { attempts.count(where: \.isBackendError) }

  /// How the slice's answers come about.
  var sampling: SliceSampling {
    SliceSampling(run: run, suite: suite, variant: variant, backend: backend)
  }
}

/// A unit of comparison: a slice of the baseline and the corresponding slice of the candidate.
struct ComparisonUnit: Sendable {
  /// Two attempts at the same repeat of the same test case, as indices into each side's attempts.
  struct Pair: Sendable {
    var baseline: Int
    var candidate: Int
  }

  let baseline: ComparisonSlice
  let candidate: ComparisonSlice
  /// The pairs sorted by test case and repeat, without those whose attempts are both draws
  /// (``Draws``) that an earlier pair has.
  let pairs: [Pair]
  /// The number of pairs of attempts, of which several may be the same pair of draws.
  let attemptCount: Int
  /// Whether more repeats can give no new draws, because no request of either side samples.
  let samplesNothing: Bool
  /// Whether the two attempts of every pair had the same seed, and both backends give equal answers
  /// for equal seeds.
  let hasEqualSeeds: Bool
  /// Whether the two attempts of every pair had the same output and the same outcome.
  let hasEqualOutputs: Bool
  /// The history that is pooled with the baseline, or `nil` if there is none.
  let history: PooledHistory?
  /// The facts about data that is left out or missing.
  let part: [ComparisonDifference.Fact]

  /// Creates a unit from the common part of two slices.
  init(
    baseline: ComparisonSlice, candidate: ComparisonSlice, history: PooledHistory? = nil
  ) {
    let common = CommonPart(baseline, candidate)
    self.baseline = common.baseline
    self.candidate = common.candidate
    // The attempts of earlier runs were judged with all assertions of the baseline, not only with
    // the assertions that both sides have.
    self.history = common.isRejudged ? nil : history
    let (left, right) = (common.baseline.attempts, common.candidate.attempts)
    let all = Self.pairs(left, right)
    let pairs = common.distinctDraws(of: all)
    self.pairs = pairs
    attemptCount = all.count
    let samplings = (common.baseline.sampling, common.candidate.sampling)
    samplesNothing =
      pairs.allSatisfy {
        let id = left[$0.baseline].key.caseID
        return samplings.0.samplesNothing(in: id) && samplings.1.samplesNothing(in: id)
      }
      && Set(pairs.map { left[$0.baseline].key.caseID }).count == pairs.count
    part = common.facts + (pairs.isEmpty ? [.nothingInCommon] : [])
    hasEqualSeeds =
      samplings.0.honoursSeeds && samplings.1.honoursSeeds
      && pairs.allSatisfy { left[$0.baseline].seed == right[$0.candidate].seed }
    hasEqualOutputs =
      !pairs.isEmpty
      && pairs.allSatisfy {
        left[$0.baseline].outcome == right[$0.candidate].outcome
          && left[$0.baseline].output == right[$0.candidate].output
      }
  }

  /// Returns the pairs of two sides, whose attempts are sorted by test case and repeat.
  private static func pairs(_ left: [AttemptRecord], _ right: [AttemptRecord]) -> [Pair] {
    let places = Dictionary(
      runs(right).map { (right[$0.lowerBound].key.caseID, $0) },
      uniquingKeysWith: { first, _ in first })
    var pairs: [Pair] = []
    pairs.reserveCapacity(min(left.count, right.count))
    for run in runs(left) {
      guard let partners = places[left[run.lowerBound].key.caseID] else { continue }
      var partner = partners.lowerBound
      for index in run {
        let repeatIndex = left[index].key.repeatIndex
        while partner < partners.upperBound, right[partner].key.repeatIndex < repeatIndex {
          partner += 1
        }
        guard partner < partners.upperBound else { break }
        if right[partner].key.repeatIndex == repeatIndex {
          pairs.append(Pair(baseline: index, candidate: partner))
        }
      }
    }
    return pairs
  }

  /// Returns the ranges of consecutive attempts at the same test case.
  private static func runs(_ attempts: [AttemptRecord]) -> [Range<Int>] {
    var runs: [Range<Int>] = []
    var start = 0
    for index in attempts.indices
    where index + 1 == attempts.count
      || attempts[index + 1].key.caseID != attempts[index].key.caseID
    {
      runs.append(start..<index + 1)
      start = index + 1
    }
    return runs
  }

  /// The names of the two slices, for records.
  var place: ComparedPlace {
    func name(_ slice: ComparisonSlice) -> SliceKey {
      SliceKey(
        suite: slice.suite.id, variant: slice.variant, backend: slice.backend.id)
    }
    return ComparedPlace(
      baseline: name(baseline), candidate: name(candidate),
      hasVariants: baseline.suite.variants.count > 1)
  }

  /// Returns the sides with too many backend errors.
  func breakage(_ rules: ComparisonRules) -> [ComparedRole] {
    [(ComparedRole.baseline, baseline), (.candidate, candidate)].compactMap { role, slice in
      rules.isBroken(errors: slice.errorCount, of: slice.attempts.count) ? role : nil
    }
  }

  /// Whether a side skipped attempts because its gate was already decided.
  ///
  /// The number of attempts then depends on their results, so tests that assume a fixed number of
  /// attempts don't keep their significance level.
  var hasStoppedEarly: Bool {
    part.contains {
      guard case .stoppedEarly = $0 else { return false }
      return true
    }
  }

  /// Returns the slice of one side.
  func slice(_ role: ComparedRole) -> ComparisonSlice {
    role == .baseline ? baseline : candidate
  }
}

extension ComparisonUnit {
  /// Returns the units of two sides in the baseline's order, and the parts that only one side has.
  ///
  /// If both selections name a suite, variant or backend, the two named parts are compared even if
  /// their ids differ. Otherwise, parts with equal ids are compared.
  static func units(
    _ baseline: ComparisonSide, _ candidate: ComparisonSide
  ) -> (units: [ComparisonUnit], unmatched: [ComparisonDifference]) {
    var unmatched: [ComparisonDifference] = []
    func matched(
      _ part: ComparisonDifference.RunPart, _ first: [String], _ second: [String],
      _ chosen: (String?, String?)
    ) -> [(String, String)] {
      let left = first.filter { chosen.0 == nil || $0 == chosen.0 }
      let right = second.filter { chosen.1 == nil || $0 == chosen.1 }
      if let leftID = left.first, let rightID = right.first, chosen.0 != nil, chosen.1 != nil {
        return [(leftID, rightID)]
      }
      for id in left where !right.contains(id) {
        unmatched.append(.init(fact: .unmatched(side: .baseline, part: part, id: id)))
      }
      for id in right where !left.contains(id) {
        unmatched.append(.init(fact: .unmatched(side: .candidate, part: part, id: id)))
      }
      return left.filter(right.contains).map { ($0, $0) }
    }
    let baselineIndex = Index(baseline)
    let candidateIndex = Index(candidate)
    let (first, second) = (baseline.selection, candidate.selection)
    let backends = matched(
      .backend, baseline.run.backends.map(\.id), candidate.run.backends.map(\.id),
      (first.backend, second.backend))
    var units: [ComparisonUnit] = []
    for suites in matched(
      .suite, baseline.run.suites.map(\.id), candidate.run.suites.map(\.id),
      (first.suite, second.suite))
    {
      guard let left = baseline.run.suites.first(where: { $0.id == suites.0 }),
        let right = candidate.run.suites.first(where: { $0.id == suites.1 })
      else { continue }
      let variants = matched(
        .variant, left.variants.map(\.id), right.variants.map(\.id),
        (first.variant, second.variant))
      let isOneNight = left.details.fresh == right.details.fresh
      for variant in variants {
        for backend in backends {
          let sides = (
            baselineIndex.slice(left, variant.0, backend.0, withFresh: isOneNight),
            candidateIndex.slice(right, variant.1, backend.1, withFresh: isOneNight)
          )
          guard let one = sides.0, let other = sides.1 else {
            unmatched += Self.unmade(
              (left, sides.0 == nil), (right, sides.1 == nil), variant, backend)
            continue
          }
          units.append(
            ComparisonUnit(
              baseline: one, candidate: other, history: baseline.histories[backend.0]))
        }
      }
    }
    return (units, unmatched)
  }

  /// Returns a difference if one side planned attempts at a slice but made none, although the other
  /// side made some.
  ///
  /// Otherwise, the result is empty.
  private static func unmade(
    _ baseline: (suite: SuiteRecord, isEmpty: Bool),
    _ candidate: (suite: SuiteRecord, isEmpty: Bool),
    _ variant: (String, String), _ backend: (String, String)
  ) -> [ComparisonDifference] {
    guard baseline.isEmpty != candidate.isEmpty else { return [] }
    let place = ComparedPlace(
      baseline: SliceKey(suite: baseline.suite.id, variant: variant.0, backend: backend.0),
      candidate: SliceKey(suite: candidate.suite.id, variant: variant.1, backend: backend.1))
    let suite = baseline.isEmpty ? baseline.suite : candidate.suite
    let planned = suite.cases.reduce(0) { $0 + suite.plannedRepeats(of: $1.id) }
    guard planned > 0 else { return [] }
    return [
      ComparisonDifference(
        place: place,
        fact: .notMade(
          side: baseline.isEmpty ? .baseline : .candidate, attempts: planned, planned: planned))
    ]
  }

  /// A side's attempts, grouped by suite, variant and backend.
  private struct Index {
    private let run: RunRecord
    private let attempts: [AttemptRecord]
    private let groups: [SliceKey: [Int]]

    init(_ side: ComparisonSide) {
      run = side.run
      let attempts = side.attempts
      self.attempts = attempts
      var groups: [SliceKey: [Int]] = [:]
      // A slice's attempts are mostly adjacent, so each stretch is appended to its group in one
      // step.
      var place: SliceKey?
      var stretch: [Int] = []
      for index in attempts.indices where attempts[index].outcome != .skipped {
        let key = attempts[index].key
        if place.map({
          $0.backend == key.backend && $0.variant == key.variant && $0.suite == key.suite
        }) != true {
          if let place { groups[place, default: []] += stretch }
          place = key.slice
          stretch = []
        }
        stretch.append(index)
      }
      if let place { groups[place, default: []] += stretch }
      self.groups = groups
    }

    /// Returns a slice, or `nil` if the run lacks the slice's backend or has no attempts in the
    /// slice.
    func slice(
      _ suite: SuiteRecord, _ variant: String, _ backend: String, withFresh: Bool
    ) -> ComparisonSlice? {
      let place = SliceKey(suite: suite.id, variant: variant, backend: backend)
      guard let record = run.backends.first(where: { $0.id == backend }),
        let all = groups[place]
      else { return nil }
      let left =
        withFresh ? [] : all.filter { suite.isFresh(repeatIndex: attempts[$0].key.repeatIndex) }
      let indices =
        left.isEmpty
        ? all : all.filter { !suite.isFresh(repeatIndex: attempts[$0].key.repeatIndex) }
      let order = Dictionary(
        suite.cases.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
      var (last, position) = ("", order[""] ?? .max)
      let places = indices.map { index in
        let key = attempts[index].key
        if key.caseID != last { (last, position) = (key.caseID, order[key.caseID] ?? .max) }
        return (case: position, repeatIndex: key.repeatIndex, index: index)
      }
      let sorted = places.sorted { left, right in
        if left.case != right.case { return left.case < right.case }
        // Attempts at test cases that the suite lacks come at the end, sorted by id.
        if left.case == .max {
          let (one, other) = (attempts[left.index].key.caseID, attempts[right.index].key.caseID)
          if one != other { return one < other }
        }
        return (left.repeatIndex, left.index) < (right.repeatIndex, right.index)
      }
      // If a slice consists of all the side's attempts in the same order, it shares their array.
      let isWhole =
        sorted.count == attempts.count && sorted.indices.allSatisfy { sorted[$0].index == $0 }
      return ComparisonSlice(
        run: run, suite: suite, variant: variant, backend: record,
        attempts: isWhole ? attempts : sorted.map { attempts[$0.index] },
        fresh: left.map { attempts[$0] })
    }
  }
}
