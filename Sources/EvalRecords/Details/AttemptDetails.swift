/// The optional facts about an attempt.
///
/// Every property is optional: see `Details`.
public struct AttemptDetails: Details {
  /// The values of the suite's metrics in the attempt, keyed by metric name; the metrics don't
  /// affect the outcome.
  public var metrics: [String: Double]?
  /// The assertion weights that differ from 1, keyed by assertion name; assertions with weight 0
  /// don't count.
  public var weights: [String: Double]?
  /// The weighted share of assertions that pass, if a threshold or weights apply.
  public var score: Double?
  /// The numbers of elements that made `count` assertions fail, keyed by assertion name.
  public var counts: [String: CountFact]?
  /// The tries before the final one, in order.
  public var earlierTries: [AttemptTry]?
  /// Whether the answer came from the cache; such an attempt is not an independent repeat.
  public var isCached: Bool?
  /// The run that made the attempt, if this run reused its answer, or `nil` if this run made it.
  public var reusedFrom: RunOrigin?
  /// The digest of everything that determines the answer, the seed and the repeat included:
  /// see `AnswerKey`.
  ///
  /// A run reuses a stored answer only if the digest is the same.
  public var answerKey: String?
  /// The request fingerprint, which is a SHA-256 digest of everything that determines the answer
  /// except the seed and the repeat.
  ///
  /// The fingerprint covers the model, engine, schema, instructions, prompt and options. Two
  /// attempts with the same fingerprint and seed count as one draw.
  public var fingerprint: String?
  /// The parts of the prompt that look like control tokens but are ordinary text, as ranges of
  /// UTF-8 bytes; `nil` if there are none.
  public var lookalikes: [Range<Int>]?
  /// The constraint pressure by kind, if the backend measures it.
  public var pressure: PressureRecord?
  /// The decisions before which the mask removed more than half of the model's probability; `nil`
  /// if there are none.
  public var removals: [MaskRemoval]?
  /// The average number of attempts that a local model computed together in each step of this
  /// attempt.
  ///
  /// The average is 1 if the attempt was computed alone. Otherwise, the time of each step is
  /// divided among the attempts in the step, and the attempt's duration is the sum of its shares.
  public var batchWidth: Double?
  /// The reason why a planned attempt was skipped.
  public var skipReason: SkipReason?
  /// Details from the server in addition to the answer, or `nil` if the model is not served.
  public var served: ServedAnswer?
  /// The form of the answer, or `nil` if the answer isn't a complete value.
  public var shape: AnswerShape?
  /// The place and the cause of the cut, or `nil` if the answer wasn't cut off.
  public var cut: AnswerCut?
  /// The positions of the censored decisions among the attempt's decisions: see
  /// ``DecisionRecord/chosen``.
  ///
  /// Only the database needs this fact, because its table of decisions requires an option.
  public var censored: [Int]?
  /// The number of steps of a trace that was not kept because the run's budget for traces was used
  /// up.
  public var droppedSteps: Int?
  /// The outcome before the answer was judged anew, or `nil` if it was not judged anew.
  public var formerOutcome: Outcome?
  /// The weights before the answer was judged anew, or `nil` if all were 1 or it was not judged
  /// anew.
  public var formerWeights: [String: Double]?

  /// Creates empty details.
  public init() {}
}

/// A try that was repeated because the backend failed in a way that may be temporary.
public struct AttemptTry: Sendable, Hashable, Codable {
  /// The failure.
  public var failure: AttemptFailure
  /// The duration in seconds.
  public var duration: Double

  /// Creates a try.
  public init(failure: AttemptFailure, duration: Double) {
    self.failure = failure
    self.duration = duration
  }
}
