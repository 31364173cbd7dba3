/// Which attempt: suite, variant, backend, case and repeat.
public struct AttemptKey: Sendable, Hashable, Codable {
  /// The suite's id.
  public var suite: String
  /// The variant's id.
  public var variant: String
  /// The backend's id, for example `local` or `stub`.
  public var backend: String
  /// The case's id.
  public var caseID: String
  /// The repeat, from zero.
  public var repeatIndex: Int

  /// Creates a key.
  public init(
    suite: String, variant: String, backend: String, caseID: String, repeatIndex: Int
  ) {
    self.suite = suite
    self.variant = variant
    self.backend = backend
    self.caseID = caseID
    self.repeatIndex = repeatIndex
  }
}

/// One attempt: one answer of one backend to one case, with everything that was seen of it.
public struct AttemptRecord: Sendable, Hashable, Codable {
  /// Which attempt.
  public var key: AttemptKey
  /// The seed of its random stream.
  public var seed: UInt64
  /// How it ended.
  public var outcome: Outcome
  /// Why generation stopped.
  public var stopReason: StopReason
  /// What went wrong, where no value came back.
  public var failure: AttemptFailure?
  /// The prompt as the model got it, chat format included.
  public var renderedPrompt: String
  /// The output text; partial where the attempt ended early.
  public var output: String
  /// The number of tokens of the prompt.
  public var promptTokens: Int
  /// The number of tokens of the output.
  public var outputTokens: Int
  /// The number of output tokens that were forced (one legal continuation).
  public var forcedTokens: Int
  /// The time it took, in seconds.
  public var duration: Double
  /// Σ −ln Z over all steps: how hard the mask had to push, in nats.
  public var constraintPressure: Double
  /// What each assertion says.
  public var verdicts: [VerdictRecord]
  /// The probabilities at every point of choice.
  public var decisions: [DecisionRecord]
  /// The steps of decoding; empty if the trace was not kept.
  public var trace: [TokenStep]
  /// What else is known of it.
  public var details: AttemptDetails

  /// Creates a record.
  public init(
    key: AttemptKey, seed: UInt64, outcome: Outcome, stopReason: StopReason,
    failure: AttemptFailure? = nil, renderedPrompt: String = "", output: String = "",
    promptTokens: Int = 0, outputTokens: Int = 0, forcedTokens: Int = 0, duration: Double = 0,
    constraintPressure: Double = 0, verdicts: [VerdictRecord] = [],
    decisions: [DecisionRecord] = [], trace: [TokenStep] = [],
    details: AttemptDetails = AttemptDetails()
  ) {
    self.key = key
    self.seed = seed
    self.outcome = outcome
    self.stopReason = stopReason
    self.failure = failure
    self.renderedPrompt = renderedPrompt
    self.output = output
    self.promptTokens = promptTokens
    self.outputTokens = outputTokens
    self.forcedTokens = forcedTokens
    self.duration = duration
    self.constraintPressure = constraintPressure
    self.verdicts = verdicts
    self.decisions = decisions
    self.trace = trace
    self.details = details
  }
}

extension AttemptKey {
  /// The attempt as `assay show` takes it: `suite/case#repeat`.
  public var address: String { "\(suite)/\(caseID)#\(repeatIndex)" }
}
