public import EvalRecords
public import StructuredText

/// The facts about an attempt, from which its assertions compute their verdicts.
public struct AttemptFacts: Sendable {
  /// The value that the attempt returned; if the answer was cut off, the part that arrived.
  public var value: JSONValue
  /// The path of the innermost value that was incomplete when the answer was cut off, or `nil` if
  /// the value is complete.
  public var cut: JSONPlace?
  /// The reason why generation stopped.
  public var stopReason: StopReason
  /// The duration of the attempt in seconds, or `nil` if it is unknown.
  public var duration: Double?
  /// The number of tokens in the output, or `nil` if it is unknown.
  public var outputTokens: Int?
  /// The constraint pressure, Σ −ln Z over all steps, in nats, or `nil` if it was not measured.
  public var constraintPressure: Double?
  /// The constraint pressure by kind, or `nil` if it was not measured.
  public var pressure: PressureRecord?
  /// The token probabilities at every decision.
  public var decisions: [DecisionRecord]
  /// The attempt's key, which external programs receive, or `nil` if the attempt isn't part of a
  /// run.
  public var key: AttemptKey?
  /// The variables of the test case, which external programs receive.
  public var variables = JSONObject()
  /// The permission to run external programs, or `nil` if they may not run.
  public var commands: CommandAccess?

  /// Creates the facts about an attempt.
  ///
  /// - Parameters:
  ///   - value: The value that the attempt returned.
  ///   - stopReason: The reason why generation stopped.
  ///   - duration: The duration in seconds, or `nil` if it is unknown.
  ///   - outputTokens: The number of tokens in the output, or `nil` if it is unknown.
  ///   - constraintPressure: Σ −ln Z over all steps, in nats, or `nil` if it was not measured.
  ///   - decisions: The token probabilities at every decision.
  public init(
    value: JSONValue, stopReason: StopReason = .complete, duration: Double? = nil,
    outputTokens: Int? = nil, constraintPressure: Double? = nil, decisions: [DecisionRecord] = []
  ) {
    self.value = value
    self.stopReason = stopReason
    self.duration = duration
    self.outputTokens = outputTokens
    self.constraintPressure = constraintPressure
    self.decisions = decisions
  }

  /// The whole answer, with the path at which it was cut off.
  var answer: AnswerPart { AnswerPart(value, cut: cut?.steps[...]) }
}
