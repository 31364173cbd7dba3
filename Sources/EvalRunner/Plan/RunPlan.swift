public import EvalRecords
import EvalStatistics
public import EvalSuites

/// The work of a run, as a value, so that it can be counted and shown before anything runs.
public struct RunPlan: Sendable {
  /// One test case in one variant on one backend, with its repeats.
  public struct Job: Sendable {
    /// The backend's id.
    public var backend: String
    /// The request for the test case.
    public var request: BackendRequest
    /// The repeats with their seeds.
    public var repeats: [RepeatSeed]
    /// The assertions on each answer.
    public var assertions: [Assertion]
    /// The test case, with its metrics and the rules for outcomes.
    public var suiteCase: SuiteCase

    /// Returns the key of one of the job's attempts.
    package func key(_ repeatIndex: Int) -> AttemptKey {
      AttemptKey(
        suite: request.suite, variant: request.variant, backend: backend,
        caseID: request.caseID, repeatIndex: repeatIndex)
    }
  }

  /// The jobs, in the planned order.
  public var jobs: [Job]
  /// The suites as they run, for the run's record.
  public var suites: [SuiteRecord]

  /// Creates a plan for a run.
  ///
  /// The variants of a test case directly follow one another, so that even an interrupted run has
  /// pairs to compare. All variants and backends use the same seeds.
  ///
  /// - Parameters:
  ///   - suites: The suites, with the selected variants and test cases.
  ///   - backends: The ids of the backends.
  ///   - repeats: The number of attempts per test case, or `nil` to use the numbers that the suites
  ///     and the test cases set.
  ///   - seed: The seed of all suites, or `nil` to use each suite's own seed.
  ///   - fresh: The number of additional attempts per test case, and the seed from which to derive
  ///     their seeds, or `nil` for no additional attempts.
  ///   - exactBackends: The ids of the backends whose answers depend on nothing but the seed. If a
  ///     test case samples nothing on them, a new seed can't change its answers, so it gets no
  ///     additional attempts.
  public init(
    suites: [Suite], backends: [String], repeats: Int? = nil, seed: UInt64? = nil,
    fresh: (repeats: Int, seed: UInt64)? = nil, exactBackends: Set<String> = []
  ) {
    func count(_ suiteCase: SuiteCase, _ suite: Suite) -> Int {
      max(1, repeats ?? suiteCase.settings.repeats ?? suite.repeats)
    }
    let suites = suites.map { suite in
      var suite = suite
      suite.repeats = max(1, repeats ?? suite.repeats)
      if repeats != nil { suite.dropOwnRepeats() }
      suite.seed = seed ?? suite.seed
      suite.details.fresh = fresh.map { fresh in
        FreshBlock(
          firstRepeat: suite.mostRepeats, repeats: fresh.repeats, seed: fresh.seed,
          onlySampled: exactBackends.isSuperset(of: backends))
      }
      return suite
    }
    self.suites = suites.map { $0.record() }
    jobs = zip(suites, self.suites).flatMap { suite, record in
      backends.flatMap { backend in
        suite.cases.flatMap { suiteCase in
          suite.variants.map { variant in
            Job(
              backend: backend,
              request: suite.request(suiteCase, variant, record.effectiveSettings),
              repeats: Self.repeats(
                // A renamed test case keeps its seeds, so it can still be paired with its baseline.
                of: suiteCase.settings.aliases?.first ?? suiteCase.id, in: suite,
                count: count(suiteCase, suite),
                fresh: record.freshRepeats(of: suiteCase.id)),
              assertions: suiteCase.assertions, suiteCase: suiteCase)
          }
        }
      }
    }
  }

  /// The number of attempts.
  public var attemptCount: Int { jobs.reduce(0) { $0 + $1.repeats.count } }

  /// Returns the plan without the attempts that have already been made.
  ///
  /// - Parameter done: The keys of the attempts that have already been made.
  public func without(_ done: Set<AttemptKey>) -> RunPlan {
    var plan = self
    plan.jobs = jobs.compactMap { job in
      var job = job
      job.repeats = job.repeats.filter { !done.contains(job.key($0.repeatIndex)) }
      return job.repeats.isEmpty ? nil : job
    }
    return plan
  }

  /// Returns the plan in random order.
  ///
  /// ``EarlyStopping`` needs a random order. Each attempt becomes a separate job, except that the
  /// repeats of a test case stay together if the suite's gate counts test cases.
  ///
  /// - Parameter seed: The seed of the order.
  public func shuffled(seed: UInt64) -> RunPlan {
    let whole = Set(suites.filter { $0.gate.reducer != nil }.map(\.id))
    var plan = self
    plan.jobs = jobs.flatMap { job in
      if whole.contains(job.request.suite) { return [job] }
      return job.repeats.map { repeatSeed in
        var single = job
        single.repeats = [repeatSeed]
        return single
      }
    }
    var generator = SplitMix(seed: seed)
    plan.jobs.shuffle(using: &generator)
    return plan
  }

  private static func repeats(
    of caseID: String, in suite: Suite, count: Int, fresh freshCount: Int
  ) -> [RepeatSeed] {
    func repeats(_ indices: Range<Int>, from seed: UInt64) -> [RepeatSeed] {
      indices.map { index in
        RepeatSeed(
          repeatIndex: index,
          seed: StableHash.seed(suiteSeed: seed, caseID: caseID, repeatIndex: index))
      }
    }
    let fixed = repeats(0..<count, from: suite.seed)
    guard let fresh = suite.details.fresh else { return fixed }
    let end = fresh.firstRepeat + freshCount
    return fixed + repeats(fresh.firstRepeat..<end, from: fresh.seed)
  }
}
