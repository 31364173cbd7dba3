public import EvalRecords

/// Predicts how long a run takes.
///
/// The forecast counts work, not attempts: a few long answers may take as long as many short ones,
/// and a local model computes dozens of answers together, so that none has finished when most of
/// the work is done. Work is the time of one thread. An attempt's duration is its share of this
/// time, so the durations of all attempts add up to the time of the run, times the number of
/// threads.
///
/// ```
/// before the first answers   the stored durations of the same requests on this machine, if any
/// after some answers         the expected lengths of all answers × the time per token so far
/// ```
public struct RunForecast: Sendable {
  /// What an estimate rests on.
  public enum Basis: Sendable, Hashable {
    /// The durations of earlier runs on this machine.
    case earlierRuns
    /// The attempts that have finished so far.
    case finished
  }

  /// An estimate of the remaining time.
  public struct Estimate: Sendable, Hashable {
    /// The remaining time in seconds.
    public var seconds: Double
    /// What the estimate rests on.
    public var basis: Basis
  }

  /// The number of finished attempts on each backend that an estimate needs if no earlier run says
  /// anything.
  private static let leastFinished = 3
  /// The share of the work that must be known from earlier runs, for an estimate before the first
  /// answers.
  private static let leastKnown = 0.8
  /// The share of the expected work by which earlier runs count when the finished attempts took
  /// more or less time than expected.
  private static let trust = 0.1
  /// By how much the expected length of an answer that hasn't finished exceeds its length so far,
  /// as a share of it, if nothing but the stub's answer or another model's says how long it will
  /// be.
  ///
  /// The answers that finish first are the short ones, so the others are longer than expected. This
  /// is the share before the first answer has finished. It shrinks with the square of the share of
  /// unfinished answers, because the last ones have nearly reached their length.
  private static let growth = 1.3
  /// The ratio of the time per token in the rest of a run to the time so far, if a backend computes
  /// attempts together: at the end, fewer attempts share each step.
  private static let narrowing = 1.1
  /// The largest factor by which unfinished answers may be longer than expected.
  private static let mostStretch = 5.0
  /// The least remaining share of the unfinished work, when a run takes longer than expected.
  private static let leastLeft = 0.25

  /// The sums of the attempts of one slice.
  fileprivate struct Slice: Sendable {
    /// The expected work of the unfinished attempts.
    var promptTokens = 0.0
    var outputTokens = 0.0
    var seconds = 0.0
    /// The expected tokens of the attempts whose time is unknown.
    var untimedTokens = 0.0
    /// The expected tokens of the answers whose length the same model has shown.
    var knownTokens = 0.0
    var count = 0
    /// The largest token limit.
    var limit = 0.0
    /// The expected and the actual work of the finished attempts.
    var finishedExpected = 0.0
    var finishedOutput = 0.0
    var finishedTokens = 0.0
    var finishedSeconds = 0.0
    var finishedExpectedSeconds = 0.0
    var finishedTimed = 0.0
    var finishedCount = 0
  }

  private var planned: [AttemptKey: PlannedWork]
  private var slices: [SliceKey: Slice] = [:]
  private var finishedCount = 0
  private let threads: Double
  private let atOnce: Int

  /// Creates a forecast before the first attempt.
  ///
  /// - Parameters:
  ///   - plan: The plan of the whole run.
  ///   - done: The attempts that need no time: those that a continued run already has, and those
  ///     that it reuses.
  ///   - earlier: The attempts of earlier runs.
  ///   - threads: The number of threads that work at a time.
  ///   - atOnce: The number of attempts in progress at a time, or `nil` for one on each thread.
  public init(
    _ plan: RunPlan, done: Set<AttemptKey> = [], earlier: [EarlierWork] = [], threads: Int,
    atOnce: Int? = nil
  ) {
    self.atOnce = max(1, atOnce ?? threads)
    planned = PlannedWork.work(of: plan.without(done), after: earlier)
    self.threads = Double(max(1, min(threads, planned.count)))
    for (key, work) in planned {
      slices[key.slice, default: Slice()].count += 1
      slices[key.slice, default: Slice()].add(work, times: 1)
    }
  }

  /// The number of attempts that have not finished.
  public var unfinishedCount: Int { planned.count }

  /// Adds a finished attempt; an attempt that isn't planned, or that was skipped, adds nothing.
  public mutating func finish(_ attempt: AttemptRecord) {
    guard let work = planned.removeValue(forKey: attempt.key) else { return }
    let key = attempt.key.slice
    slices[key, default: Slice()].count -= 1
    slices[key, default: Slice()].add(work, times: -1)
    guard attempt.outcome != .skipped, attempt.details.reusedFrom == nil else { return }
    finishedCount += 1
    slices[key, default: Slice()].finish(work, attempt)
  }

  /// Returns an estimate of the remaining time, or `nil` if nothing is known yet.
  ///
  /// - Parameter elapsed: The time since the first attempt began, in seconds.
  public func estimate(elapsed: Double) -> Estimate? {
    guard unfinishedCount > 0 else { return Estimate(seconds: 0, basis: .finished) }
    let known = slices.values.reduce(0) { $0 + $1.outputTokens - $1.untimedTokens }
    let all = slices.values.reduce(0) { $0 + $1.outputTokens }
    let isTimed = all > 0 && known >= Self.leastKnown * all
    guard isTimed || isPaced else { return nil }
    let (started, waiting) = expectedSeconds
    let finished = slices.values.reduce(0) { $0 + $1.finishedSeconds }
    let basis = isTimed ? Basis.earlierRuns : .finished
    guard Double(atOnce) > threads else {
      // Pauses and waiting cost time too, so the rest takes longer in the same proportion.
      let slowdown = max(1, finished > 0 ? elapsed * threads / (finished + started) : 1)
      return Estimate(seconds: slowdown * (started + waiting) / threads, basis: basis)
    }
    // The time that the unfinished answers have taken so far.
    let spent = finishedCount == 0 ? 0 : max(0, elapsed * threads - finished)
    let unknown = all > 0 ? 1 - slices.values.reduce(0) { $0 + $1.knownTokens } / all : 1
    let unfinished = Double(unfinishedCount) / Double(unfinishedCount + finishedCount)
    let growth = 1 + Self.growth * unfinished * unfinished * min(max(unknown, 0), 1)
    let stretch = started > 0 ? min(max(1, growth * spent / started), Self.mostStretch) : 1
    let left = (finished + (started + waiting) * stretch * Self.narrowing) / threads - elapsed
    return Estimate(
      seconds: max(left, Self.leastLeft * (started + waiting) / threads, 0),
      basis: basis)
  }

  /// Whether finished attempts show how fast each backend is that still has work of unknown time.
  ///
  /// A stub that has finished says nothing about a model that hasn't begun.
  private var isPaced: Bool {
    Dictionary(grouping: slices, by: \.key.backend).values.allSatisfy { slices in
      slices.allSatisfy { $0.value.untimedTokens == 0 }
        || slices.reduce(0) { $0 + $1.value.finishedCount } >= Self.leastFinished
    }
  }

  /// The expected time of the unfinished attempts: those that have probably begun, and the others.
  ///
  /// A backend that computes attempts together begins with those that may become longest.
  private var expectedSeconds: (started: Double, waiting: Double) {
    let pace = self.pace
    var room = atOnce
    var (started, waiting) = (0.0, 0.0)
    let ordered = slices.sorted {
      ($1.value.limit, $0.key.suite, $0.key.variant, $0.key.backend)
        < ($0.value.limit, $1.key.suite, $1.key.variant, $1.key.backend)
    }
    for (key, slice) in ordered where slice.count > 0 {
      let seconds = seconds(of: slice, on: key.backend, pace)
      let begun = min(room, slice.count)
      room -= begun
      started += seconds * Double(begun) / Double(slice.count)
      waiting += seconds * Double(slice.count - begun) / Double(slice.count)
    }
    return (started, waiting)
  }

  /// The time per token and the ratio of actual to expected values, so far.
  private struct Pace {
    /// The time per token on each backend, and on all of them together.
    var perToken: [String: Double] = [:]
    var perTokenOfAll: Double?
    /// The ratio of actual to expected times on each backend.
    var time: [String: Double] = [:]
  }

  private var pace: Pace {
    var pace = Pace()
    var (tokens, seconds) = (0.0, 0.0)
    for (backend, slices) in Dictionary(grouping: slices, by: \.key.backend) {
      let values = slices.map(\.value)
      let ownTokens = values.reduce(0) { $0 + $1.finishedTokens }
      let ownSeconds = values.reduce(0) { $0 + $1.finishedSeconds }
      (tokens, seconds) = (tokens + ownTokens, seconds + ownSeconds)
      if ownTokens > 0 { pace.perToken[backend] = ownSeconds / ownTokens }
      let expected = values.reduce(0) { $0 + $1.finishedExpectedSeconds }
      let actual = values.reduce(0) { $0 + $1.finishedTimed }
      let weight = Self.trust * values.reduce(expected) { $0 + $1.seconds }
      if weight > 0 { pace.time[backend] = (actual + weight) / (expected + weight) }
    }
    if tokens > 0 { pace.perTokenOfAll = seconds / tokens }
    return pace
  }

  /// Returns the expected time of the unfinished attempts of a slice.
  private func seconds(of slice: Slice, on backend: String, _ pace: Pace) -> Double {
    guard slice.count > 0 else { return 0 }
    var seconds = slice.seconds * (pace.time[backend] ?? 1)
    guard slice.untimedTokens > 0, let perToken = pace.perToken[backend] ?? pace.perTokenOfAll
    else { return seconds }
    let share = slice.untimedTokens / max(slice.outputTokens, 1e-9)
    seconds += perToken * (slice.untimedTokens * slice.lengthRatio + slice.promptTokens * share)
    return seconds
  }
}

extension RunForecast.Slice {
  /// Adds the expected work of an attempt, or removes it.
  fileprivate mutating func add(_ work: PlannedWork, times sign: Double) {
    promptTokens += sign * work.promptTokens
    outputTokens += sign * work.outputTokens
    if work.isKnown { knownTokens += sign * work.outputTokens }
    limit = max(limit, work.limit)
    if let seconds = work.seconds {
      self.seconds += sign * seconds
    } else {
      untimedTokens += sign * work.outputTokens
    }
    // The sums of many small numbers don't return exactly to zero.
    if count == 0 {
      (promptTokens, outputTokens, seconds, untimedTokens, knownTokens) = (0, 0, 0, 0, 0)
    }
  }

  fileprivate mutating func finish(_ work: PlannedWork, _ attempt: AttemptRecord) {
    finishedExpected += work.outputTokens
    finishedOutput += Double(attempt.outputTokens)
    finishedTokens += work.promptTokens + Double(attempt.outputTokens)
    finishedSeconds += attempt.duration
    finishedCount += 1
    guard let seconds = work.seconds else { return }
    finishedExpectedSeconds += seconds
    finishedTimed += attempt.duration
  }

  /// The ratio of actual to expected lengths, with the expectation counting as much as a quarter of
  /// the slice's attempts.
  fileprivate var lengthRatio: Double {
    let weight = 0.25 * (outputTokens + finishedExpected)
    return weight > 0 ? (finishedOutput + weight) / (finishedExpected + weight) : 1
  }
}
