/// The numbers that describe an attempt as a whole, where `nil` means that nobody measured them.
///
/// A log without `usage` or `seconds`, a server or a program that reports no usage, and a backend
/// without a mask leave numbers unknown. Everything that judges or shows these numbers reads them
/// here, because a record stores an unknown number as 0, and 0 would satisfy every maximum.
public struct AttemptMeasures: Sendable, Hashable {
  /// The number of tokens in the prompt.
  public var promptTokens: Int?
  /// The number of tokens in the output.
  public var outputTokens: Int?
  /// The duration in seconds.
  public var seconds: Double?
  /// The constraint pressure in nats.
  public var pressure: Double?
}

extension AttemptRecord {
  /// The numbers that describe the attempt as a whole, as far as they are known.
  public var measures: AttemptMeasures {
    AttemptMeasures(
      // Every prompt and every answer has at least one token.
      promptTokens: promptTokens == 0 ? nil : promptTokens,
      outputTokens: outputTokens == 0 ? nil : outputTokens,
      // Assay measures the duration of its own attempts, so 0 is what the stub's script asks for.
      // No model answers in no time, so for an imported answer, 0 means that the log has no time.
      seconds: key.backend == BackendRecord.recordedID && duration == 0 ? nil : duration,
      // Version 0.1 stored only the sum of the pressure.
      pressure: details.pressure == nil && constraintPressure == 0 ? nil : constraintPressure)
  }

  /// Whether the number of tokens in the prompt, or in an answer with text, is unknown.
  public var lacksTokenCounts: Bool {
    let measures = measures
    return measures.promptTokens == nil || measures.outputTokens == nil && !output.isEmpty
  }
}
