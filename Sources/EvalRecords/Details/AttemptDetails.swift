/// What may be known of an attempt beside what every attempt has.
///
/// Every property is optional: see `Details`.
public struct AttemptDetails: Details {
  /// Numbers that were measured and don't gate, by name.
  public var metrics: [String: Double]?
  /// The weights of assertions that do not weigh 1, by name; those of weight 0 don't gate.
  public var weights: [String: Double]?
  /// The weighted share of assertions that pass, where a threshold or weights apply.
  public var score: Double?
  /// The tries before the one that counts, in order.
  public var earlierTries: [AttemptTry]?
  /// Whether the answer came from the cache; such an attempt is no independent repeat.
  public var isCached: Bool?
  /// The SHA-256 of everything that determines the answer but seed and repeat.
  ///
  /// That is model, engine, schema, instructions, prompt and options. Two attempts with the same one and the same seed are one draw.
  public var fingerprint: String?
  /// The constraint pressure by kind, where the backend measures it.
  public var pressure: PressureRecord?
  /// The attempts that a local model computed together, on average over the steps of this one.
  ///
  /// 1 if it was computed alone; otherwise the duration is its share of their time.
  public var batchWidth: Double?
  /// Why the attempt was planned and not made.
  public var skipReason: String?
  /// What a server told beside the answer; nil if the model is not served.
  public var served: ServedAnswer?
  /// Where and how the answer was cut off; nil if it was not.
  public var cut: AnswerCut?
  /// The number of steps of a trace that was not kept because the run's budget was used up.
  public var droppedSteps: Int?

  /// Creates details of which there are none.
  public init() {}
}

/// A try that was repeated, because the backend failed in a way that may pass.
public struct AttemptTry: Sendable, Hashable, Codable {
  /// What went wrong.
  public var failure: AttemptFailure
  /// The time it took, in seconds.
  public var duration: Double

  /// Creates a try.
  public init(failure: AttemptFailure, duration: Double) {
    self.failure = failure
    self.duration = duration
  }
}
