import StructuredText

/// One piece of evidence: attempts with equal draws count once.
///
/// ```
/// nothing is sampled, and the answers agree   one draw for each different answer of the request
/// the seed determines the answer              one draw for each seed
/// otherwise                                   one draw for each attempt
/// an answer from the cache                    the draw of the attempt that it was taken from
/// ```
/// The direct comparison, the pooled history and the second look all ask ``Draws`` for draws; no
/// other code decides whether two attempts are independent.
public struct Draw: Sendable, Hashable {
  fileprivate enum Origin: Sendable, Hashable {
    case answer(String)
    case seed(UInt64)
    case attempt(Int)
  }

  fileprivate var request: DrawnAttempt.Request
  fileprivate var origin: Origin
}

/// The facts about an attempt that decide which draw it is.
public struct DrawnAttempt: Sendable, Hashable {
  /// A test case together with the fingerprint of its request.
  struct Request: Sendable, Hashable {
    var caseID: String
    /// The fingerprint, or an empty string if the run didn't record fingerprints.
    var fingerprint: String
  }

  var request: Request
  /// The number of the run.
  public var run: Int
  /// The seed.
  var seed: UInt64
  /// Whether the answer was taken from an earlier attempt.
  var isCached: Bool
  /// Whether nothing is sampled, according to the effective settings or the stub's script.
  var samplesNothing: Bool
  /// Whether equal seeds give equal answers.
  var honoursSeeds: Bool
  /// An identifier of the answer, or `nil` if the backend failed.
  var answer: String?

  /// The test case's id.
  public var caseID: String { request.caseID }
  /// The fingerprint of the request, or an empty string if there is none.
  public var fingerprint: String { request.fingerprint }

  /// Creates the facts about an attempt.
  ///
  /// - Parameters:
  ///   - caseID: The test case's id.
  ///   - fingerprint: The request's fingerprint, or `nil` if there is none.
  ///   - run: The number of the run.
  ///   - seed: The seed.
  ///   - isCached: Whether the answer came from the cache.
  ///   - sampling: How answers come about in the attempt's slice.
  ///   - answer: An identifier of the answer, or `nil` if the backend failed. It's only used if
  ///     nothing is sampled.
  public init(
    caseID: String, fingerprint: String?, run: Int, seed: UInt64, isCached: Bool,
    sampling: SliceSampling, answer: @autoclosure () -> String?
  ) {
    request = Request(caseID: caseID, fingerprint: fingerprint ?? "")
    self.run = run
    self.seed = seed
    self.isCached = isCached
    samplesNothing = sampling.samplesNothing(in: caseID)
    honoursSeeds = sampling.honoursSeeds
    self.answer = samplesNothing ? answer() : nil
  }
}

extension DrawnAttempt {
  /// Creates the facts about an attempt.
  ///
  /// - Parameters:
  ///   - attempt: The attempt.
  ///   - run: The number of the run.
  ///   - sampling: How answers come about in the attempt's slice.
  public init(_ attempt: AttemptRecord, run: Int, sampling: SliceSampling) {
    self.init(
      caseID: attempt.key.caseID, fingerprint: attempt.details.fingerprint, run: run,
      seed: attempt.seed, isCached: attempt.details.isCached == true, sampling: sampling,
      answer: attempt.isBackendError
        ? nil : Self.answer(SHA256.hexDigest(of: attempt.output), attempt.outcome))
  }

  /// Returns an identifier of an answer and its outcome, which may vary too, for example if a
  /// program judges the answer.
  ///
  /// - Parameters:
  ///   - digest: The SHA-256 of the output, in hexadecimal.
  ///   - outcome: The outcome.
  public static func answer(_ digest: String, _ outcome: Outcome) -> String {
    "\(outcome.rawValue) \(digest)"
  }
}

/// Decides which draw each attempt is.
///
/// A request that samples nothing according to its settings counts as sampling if its answers in
/// one run differ all the same, as they can on a server.
public struct Draws: Sendable {
  /// The requests that sample although their settings leave nothing to sample.
  private var sampling: Set<DrawnAttempt.Request> = []
  /// The latest draw of each request and seed, from which a cached answer was taken.
  private var latest: [Seeded: Draw] = [:]
  private var seen: Set<Draw> = []
  private var count = 0

  private struct Seeded: Hashable {
    var request: DrawnAttempt.Request
    var seed: UInt64
  }

  /// Creates an instance without draws.
  public init() {}

  /// Adds attempts, oldest run first.
  ///
  /// - Parameter attempts: All attempts of the runs that are added.
  /// - Returns: The draw of each attempt, and whether no attempt before it is the same draw.
  public mutating func add(_ attempts: [DrawnAttempt]) -> [(draw: Draw, isNew: Bool)] {
    noteVaryingAnswers(attempts)
    return attempts.map { attempt in
      let draw = draw(of: attempt)
      return (draw, seen.insert(draw).inserted)
    }
  }

  /// Returns whether answers of one run differ although their request samples nothing according to
  /// its settings.
  ///
  /// - Parameter attempts: The attempts.
  public static func vary(_ attempts: [DrawnAttempt]) -> Bool {
    var draws = Draws()
    draws.noteVaryingAnswers(attempts)
    return !draws.sampling.isEmpty
  }

  /// Finds the requests with different answers in one run.
  private mutating func noteVaryingAnswers(_ attempts: [DrawnAttempt]) {
    struct Place: Hashable {
      var request: DrawnAttempt.Request
      var run: Int
    }
    var answers: [Place: String] = [:]
    for attempt in attempts where attempt.samplesNothing {
      guard let answer = attempt.answer else { continue }
      let place = Place(request: attempt.request, run: attempt.run)
      if answers[place, default: answer] != answer { sampling.insert(attempt.request) }
      answers[place] = answer
    }
  }

  private mutating func draw(of attempt: DrawnAttempt) -> Draw {
    let place = Seeded(request: attempt.request, seed: attempt.seed)
    if attempt.isCached, let draw = latest[place] { return draw }
    let draw = Draw(request: attempt.request, origin: origin(of: attempt))
    latest[place] = draw
    return draw
  }

  private mutating func origin(of attempt: DrawnAttempt) -> Draw.Origin {
    count += 1
    if attempt.samplesNothing, !sampling.contains(attempt.request), let answer = attempt.answer {
      return .answer(answer)
    }
    return attempt.honoursSeeds ? .seed(attempt.seed) : .attempt(count)
  }
}
