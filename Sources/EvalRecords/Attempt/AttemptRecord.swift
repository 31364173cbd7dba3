/// The identity of an attempt: suite, variant, backend, test case and repeat.
public struct AttemptKey: Sendable, Hashable, Codable {
  /// The suite's id.
  public var suite: String
  /// The variant's id.
  public var variant: String
  /// The backend's id, for example `local` or `stub`.
  public var backend: String
  /// The test case's id.
  public var caseID: String
  /// The repeat, counted from zero.
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

/// One attempt: a backend's answer to a test case, with everything that Assay observed.
public struct AttemptRecord: Sendable, Hashable, Codable {
  /// The identity of the attempt.
  public var key: AttemptKey
  /// The seed of the attempt's random stream.
  public var seed: UInt64
  /// The outcome.
  public var outcome: Outcome
  /// The reason why generation stopped.
  public var stopReason: StopReason
  /// The failure, or `nil` if the attempt returned a complete value of the schema.
  public var failure: AttemptFailure?
  /// The prompt as the model received it, including the chat format.
  public var renderedPrompt: String
  /// The output text; incomplete if the attempt ended early.
  public var output: String
  /// The number of tokens in the prompt.
  public var promptTokens: Int
  /// The number of tokens in the output.
  public var outputTokens: Int
  /// The number of output tokens that the schema forced, because it allowed only one continuation.
  public var forcedTokens: Int
  /// The duration in seconds.
  public var duration: Double
  /// The constraint pressure, Σ −ln Z over all steps, in nats: how much probability the mask
  /// removed.
  public var constraintPressure: Double
  /// The verdict of each assertion.
  public var verdicts: [VerdictRecord]
  /// The probabilities at every decision.
  public var decisions: [DecisionRecord]
  /// The decoding steps; empty if the trace was not kept.
  public var trace: [TokenStep]
  /// Further facts about the attempt.
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
  /// The attempt in the form that `assay show` accepts: `suite/case#repeat`.
  public var address: String { "\(suite)/\(caseID)#\(repeatIndex)" }
}
