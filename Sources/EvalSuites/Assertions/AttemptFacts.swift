public import EvalRecords
public import StructuredText

/// What is known of an attempt when its assertions are evaluated.
public struct AttemptFacts: Sendable {
  /// The value that came back; of an answer that was cut off, as much of it as had come.
  public var value: JSONValue
  /// The place of the innermost value that was being written when the answer was cut off; nil if
  /// the value is complete.
  public var cut: ValuePath?
  /// Why generation stopped.
  public var stopReason: StopReason
  /// The time it took, in seconds.
  public var duration: Double
  /// The number of tokens of the output.
  public var outputTokens: Int
  /// Σ −ln Z over all steps, in nats.
  public var constraintPressure: Double
  /// The same by kind; nil if it was not measured.
  public var pressure: PressureRecord?
  /// The probabilities at every point of choice.
  public var decisions: [DecisionRecord]
  /// The attempt's key, for external programs; nil if it belongs to no run.
  public var key: AttemptKey?
  /// The variables of the case, for external programs.
  public var variables = JSONObject()
  /// The access to external programs; nil if they are not allowed.
  public var commands: CommandAccess?

  /// Creates facts about an answer.
  ///
  /// - Parameters:
  ///   - value: The value that came back.
  ///   - stopReason: Why generation stopped.
  ///   - duration: The time it took, in seconds.
  ///   - outputTokens: The number of tokens of the output.
  ///   - constraintPressure: Σ −ln Z over all steps, in nats.
  ///   - decisions: The probabilities at every point of choice.
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
