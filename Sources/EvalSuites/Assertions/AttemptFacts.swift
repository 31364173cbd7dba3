public import EvalRecords
public import StructuredText

/// The facts about an attempt that its assertions judge.
public struct AttemptFacts: Sendable {
  /// The value that came back; if the answer was cut off, the part of it that arrived.
  public var value: JSONValue
  /// The path of the innermost value that was incomplete when the answer was cut off; nil if the
  /// value is complete.
  public var cut: ValuePath?
  /// The reason why generation stopped.
  public var stopReason: StopReason
  /// The duration in seconds.
  public var duration: Double
  /// The number of tokens in the output.
  public var outputTokens: Int
  /// The constraint pressure, Σ −ln Z over all steps, in nats.
  public var constraintPressure: Double
  /// The constraint pressure by kind; nil if it was not measured.
  public var pressure: PressureRecord?
  /// The probabilities at every decision.
  public var decisions: [DecisionRecord]
  /// The attempt's key, for external programs; nil if the attempt belongs to no run.
  public var key: AttemptKey?
  /// The variables of the test case, for external programs.
  public var variables = JSONObject()
  /// The access to external programs; nil if they are not allowed.
  public var commands: CommandAccess?

  /// Creates the facts about an attempt.
  ///
  /// - Parameters:
  ///   - value: The value that came back.
  ///   - stopReason: The reason why generation stopped.
  ///   - duration: The duration in seconds.
  ///   - outputTokens: The number of tokens in the output.
  ///   - constraintPressure: Σ −ln Z over all steps, in nats.
  ///   - decisions: The probabilities at every decision.
  public init(
    value: JSONValue, stopReason: StopReason = .complete, duration: Double = 0,
    outputTokens: Int = 0, constraintPressure: Double = 0, decisions: [DecisionRecord] = []
  ) {
    self.value = value
    self.stopReason = stopReason
    self.duration = duration
    self.outputTokens = outputTokens
    self.constraintPressure = constraintPressure
    self.decisions = decisions
  }

  /// The whole answer.
  var answer: AnswerPart { AnswerPart(value, cut: cut?.steps[...]) }
}
