public import EvalRecords
public import EvalSuites
import Synchronization

/// Runs plans.
///
/// A runner sends requests to the backends, for a limited number of test cases at a time, and
/// judges the answers.
public struct Runner: Sendable {
  /// The attempts whose decoding steps are kept.
  public enum TraceKeeping: String, Sendable, Hashable, CaseIterable {
    /// The attempts that didn't pass.
    case failing
    /// All attempts.
    case all
    /// No attempts.
    case none
  }

  /// How a run ended.
  public enum Ending: Sendable, Hashable {
    /// Every planned attempt was made, or was skipped because its gate was settled.
    case complete
    /// The task was cancelled; the attempts that had already finished were emitted.
    case interrupted
    /// The budget was used up, or a backend stopped answering; the reason says which.
    ///
    /// The remaining attempts were emitted as skipped.
    case stopped(reason: String)
  }

  /// The result of a run, apart from its attempts.
  public struct Result: Sendable, Hashable {
    /// How the run ended.
    public var ending: Ending
    /// The gates that were settled before all their attempts were made.
    public var earlyStops: [EarlyStopRecord]

    /// Creates a result.
    public init(ending: Ending, earlyStops: [EarlyStopRecord] = []) {
      self.ending = ending
      self.earlyStops = earlyStops
    }
  }

  /// The maximum number of concurrent test cases.
  ///
  /// If a backend computes many attempts together, the value is the number of the backend's threads
  /// instead.
  public var jobs: Int
  /// The time limit for an answer, counted from the previous answer, or `nil` for no limit.
  ///
  /// If n attempts share a thread, the limit for each of them is n times as long.
  public var timeLimit: Duration?
  /// The attempts whose decoding steps are kept.
  public var traces: TraceKeeping
  /// Access to external programs for suites that need them, or `nil` if they are not allowed.
  public var commands: CommandAccess?
  /// The rule for retrying attempts that failed.
  public var retries: RetryPolicy
  /// The maximum number of answers requested per minute, over all backends, or `nil` for no limit.
  ///
  /// If there is a maximum, the runner requests answers one by one, evenly spaced.
  public var callsPerMinute: Int?
  /// The limits on the resources that the run may use.
  public var budget: RunBudget
  /// The maximum chance of a wrong decision when a suite stops early because its gate is settled,
  /// or `nil` to make all attempts.
  ///
  /// The plan must be in random order; see ``RunPlan/shuffled(seed:)``.
  public var earlyStoppingAlpha: Double?
  /// The suites that are compared with a reference.
  ///
  /// The runner makes all attempts of these suites, because a comparison needs them.
  public var comparedSuites: Set<String> = []
  /// The meter of the processor time for judging answers, or `nil` to measure nothing.
  package var judgingTime: TimeMeter?
  /// The queue on which events are received, or `nil` to use a new queue for each run.
  package var events: WorkQueue?

  /// Creates a runner.
  public init(
    jobs: Int = 1, timeLimit: Duration? = nil, traces: TraceKeeping = .failing,
    retries: RetryPolicy = RetryPolicy(), callsPerMinute: Int? = nil,
    budget: RunBudget = RunBudget(), earlyStoppingAlpha: Double? = nil
  ) {
    self.jobs = max(1, jobs)
    self.timeLimit = timeLimit
    self.traces = traces
    self.retries = retries
    self.callsPerMinute = callsPerMinute
    self.budget = budget
    self.earlyStoppingAlpha = earlyStoppingAlpha
  }

  /// Runs a plan.
  ///
  /// A worker handles one test case at a time, with all its repeats. A backend that computes
  /// attempts together gets as many workers as it accepts test cases at a time. The runner emits
  /// each attempt as soon as the attempt has finished.
  ///
  /// Cancelling the task ends the run immediately, no matter what the backends do. Unfinished
  /// attempts are then lost, but the runner has already emitted the finished attempts.
  ///
  /// - Parameters:
  ///   - plan: The work to do.
  ///   - done: Attempts of the plan that have already been made and are not made again.
  ///   - backends: The backends that the plan names.
  ///   - clock: The clock for time limits, pauses and budgets.
  ///   - onEvent: Receives an event with the number of remaining attempts and then an event for
  ///     each attempt, one at a time and on a thread that it may block. The worker that finished
  ///     the attempt continues when this function returns.
  /// - Returns: How the run ended, and the gates that were settled early.
  public func run<C: Clock>(
    plan whole: RunPlan, done: [AttemptRecord] = [], backends: [any EvalBackend], clock: C,
    onEvent: @escaping @Sendable (RunEvent) -> Void
  ) async -> Result where C.Duration == Duration {
    let plan = done.isEmpty ? whole : whole.without(Set(done.map(\.key)))
    let sink = EventSink(on: events ?? WorkQueue("assay.events"), onEvent)
    let byID = Dictionary(backends.map { ($0.record.id, $0) }, uniquingKeysWith: { $1 })
    let allowance = Allowance(budget, callsPerMinute: callsPerMinute, clock: clock)
    let stopping = earlyStoppingAlpha.map {
      EarlyStopping(whole, alpha: $0, compared: comparedSuites)
    }
    for attempt in done { stopping?.add(attempt) }
    let fingerprints = RequestFingerprints()
    let readers = AnswerReaders()
    await sink.send(.planned(attempts: plan.attemptCount))
    await withTaskGroup(of: Void.self) { group in
      let queues = queues(of: plan, byID)
      for queue in queues.flatMap({ Array(repeating: $0, count: $0.mostJobs) }) {
        group.addTask {
          while !Task.isCancelled, let job = await queue.next() {
            let backend = byID[job.backend]
            let worker = JobWorker(
              job: job,
              judge: AttemptJudge(
                job: job,
                fingerprint: backend.map { fingerprints.fingerprint(of: job.request, $0.record) },
                answerKey: backend.flatMap { job.answerKey(on: $0, fingerprints) },
                reader: readers.reader(of: job.request.answerSchema), traces: traces,
                commands: commands,
                time: judgingTime),
              hasOwnManners: backend?.hasOwnManners ?? false,
              timeLimit: timeLimit, retries: retries, allowance: allowance, stopping: stopping,
              clock: clock, sink: sink, queue: queue)
            await worker.run(on: backend)
            if Task.isCancelled { queue.close() }
          }
        }
      }
    }
    var ending = Ending.complete
    if sink.attemptCount < plan.attemptCount {
      ending = .interrupted
    } else if sink.hasSkipped(for: allowance.end), let reason = allowance.end {
      ending = .stopped(reason: reason)
    } else if let reason = backends.compactMap(\.endingWithName).first(where: sink.hasSkipped) {
      ending = .stopped(reason: reason)
    }
    return Result(ending: ending, earlyStops: stopping?.decisions ?? [])
  }
}

extension Runner {
  /// Moves the jobs with the longest possible answers to the front.
  ///
  /// Otherwise, a backend that computes attempts together might have to compute a few long answers
  /// alone at the end.
  ///
  /// But a few of the shortest jobs come first, so that the first results, and with them the first
  /// estimate of the run's time, appear soon.
  ///
  /// With early stopping, the jobs keep the order of the plan, because early stopping uses the
  /// results in that order.
  func longestFirst(_ jobs: [RunPlan.Job], threads: Int) -> [RunPlan.Job] {
    guard earlyStoppingAlpha == nil else { return jobs }
    let sorted = jobs.enumerated().sorted { left, right in
      let lengths = (
        left.element.request.settings.maximumTokens, right.element.request.settings.maximumTokens
      )
      return lengths.0 == lengths.1 ? left.offset < right.offset : lengths.0 > lengths.1
    }.map(\.element)
    let quick = Self.quickJobs * threads
    guard sorted.count > 4 * quick,
      sorted.first?.request.settings.maximumTokens != sorted.last?.request.settings.maximumTokens
    else { return sorted }
    return sorted.suffix(quick) + sorted.dropLast(quick)
  }

  /// The number of short jobs with which each thread begins.
  private static let quickJobs = 2

  /// Distributes the jobs of a plan among queues.
  ///
  /// A backend gets its own queue if it has its own limit on test cases, or if it computes attempts
  /// together. All other backends share one queue.
  private func queues(
    of plan: RunPlan, _ backends: [String: any EvalBackend]
  ) -> [JobQueue] {
    var shared: [RunPlan.Job] = []
    var own: [String: [RunPlan.Job]] = [:]
    for job in plan.jobs {
      let backend = backends[job.backend]
      if backend?.caseLimit == nil, backend?.attemptsInWork == nil {
        shared.append(job)
      } else {
        own[job.backend, default: []].append(job)
      }
    }
    return [JobQueue(shared, mostAttempts: nil, threads: jobs)]
      + own.sorted { $0.key < $1.key }.map { id, jobs in
        let threads = backends[id]?.caseLimit ?? self.jobs
        return JobQueue(
          backends[id]?.attemptsInWork == nil ? jobs : longestFirst(jobs, threads: threads),
          mostAttempts: backends[id]?.attemptsInWork, threads: threads)
      }
  }
}

extension EvalBackend {
  /// The backend's id and the reason why the backend can't answer any more requests, or `nil` while
  /// it can answer.
  var endingWithName: String? { ending.map { "\(record.id) ended: \($0)" } }
}

/// Emits events, one at a time and on a thread that the receiver may block.
final class EventSink: Sendable {
  private struct Count {
    var attempts = 0
    var skipReasons: Set<SkipReason> = []
  }

  private let queue: WorkQueue
  private let receive: @Sendable (RunEvent) -> Void
  private let count = Mutex(Count())

  init(on queue: WorkQueue, _ receive: @escaping @Sendable (RunEvent) -> Void) {
    self.queue = queue
    self.receive = receive
  }

  /// The number of attempts that were emitted, including skipped attempts.
  var attemptCount: Int { count.withLock(\.attempts) }

  /// Returns whether an attempt was skipped for this reason.
  func hasSkipped(for reason: String?) -> Bool {
    guard let reason else { return false }
    return count.withLock { $0.skipReasons.contains(.text(reason)) }
  }

  /// Emits an event, and returns after the receiver has processed it.
  func send(_ event: RunEvent) async {
    await queue.perform { [receive] in receive(event) }
    guard case .finished(let attempt) = event else { return }
    count.withLock { count in
      count.attempts += 1
      if let reason = attempt.details.skipReason { count.skipReasons.insert(reason) }
    }
  }
}
