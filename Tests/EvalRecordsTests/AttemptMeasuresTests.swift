import Testing

@testable import EvalRecords

@Suite("The measured numbers of an attempt")
struct AttemptMeasuresTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var backend = BackendRecord.recordedID
    var tokens = 0
    var duration = 0.0
    var pressure = 0.0
    var parts: PressureRecord?
    var expected: AttemptMeasures
  }

  static let rows = [
    Row(testDescription: "a log without usage and time", expected: AttemptMeasures()),
    Row(
      testDescription: "a log with both", tokens: 5, duration: 0.5,
      expected: AttemptMeasures(promptTokens: 5, outputTokens: 5, seconds: 0.5)),
    Row(
      testDescription: "a server without usage", backend: "openai:m", duration: 0.5,
      expected: AttemptMeasures(seconds: 0.5)),
    Row(
      testDescription: "the stub, which answers in no time", backend: "stub",
      expected: AttemptMeasures(seconds: 0)),
    Row(
      testDescription: "a mask that removed nothing", backend: "local", tokens: 5, duration: 0.5,
      parts: PressureRecord(whitespace: 0, segmentation: 0, preface: 0, content: 0),
      expected: AttemptMeasures(promptTokens: 5, outputTokens: 5, seconds: 0.5, pressure: 0)),
    Row(
      testDescription: "an attempt of version 0.1, without the parts of the pressure",
      backend: "local", tokens: 5, duration: 0.5, pressure: 2,
      expected: AttemptMeasures(promptTokens: 5, outputTokens: 5, seconds: 0.5, pressure: 2)),
  ]

  @Test("a number that nobody measured is unknown, and not 0", arguments: rows)
  func unknown(row: Row) {
    var attempt = AttemptRecord(
      key: AttemptKey(
        suite: "s", variant: "default", backend: row.backend, caseID: "a", repeatIndex: 0),
      seed: 1, outcome: .pass, stopReason: .complete, output: "{}", promptTokens: row.tokens,
      outputTokens: row.tokens, duration: row.duration, constraintPressure: row.pressure)
    attempt.details.pressure = row.parts
    #expect(attempt.measures == row.expected)
  }
}
