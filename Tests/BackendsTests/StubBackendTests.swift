import Backends
import EvalRecords
import StructuredText
import Testing

@Suite struct StubBackendTests {
  static let empty: JSONValue = ["cards": []]
  static let full: JSONValue = ["cards": ["a", "b", "c"]]

  func answers(
    _ script: StubScript?, repeats: Int, seed: UInt64 = 7
  ) async -> [BackendAnswer] {
    let request = BackendRequest(
      suite: "s", variant: "default", caseID: "c", schema: "{}", instructions: nil,
      prompt: "p", settings: GenerationSettings(), stubScript: script)
    let seeds = (0..<repeats).map { RepeatSeed(repeatIndex: $0, seed: seed) }
    var answers: [BackendAnswer] = []
    for await answer in StubBackend(sleep: { _ in }).answers(to: request, repeats: seeds) {
      answers.append(answer)
    }
    return answers
  }

  @Test("a sequence answers each repeat with its next entry, and starts again after the last")
  func sequence() async {
    let script = StubScript(
      choice: .sequence, entries: [.init(content: Self.full), .init(content: Self.empty)])
    let outputs = await answers(script, repeats: 3).map(\.output)
    #expect(
      outputs == [#"{"cards":["a","b","c"]}"#, #"{"cards":[]}"#, #"{"cards":["a","b","c"]}"#])
  }

  @Test("a weighted choice follows the weights, and equal seeds give equal choices")
  func weighted() async {
    let script = StubScript(
      choice: .weighted,
      entries: [.init(weight: 14, content: Self.full), .init(weight: 1, content: Self.empty)])
    let first = await answers(script, repeats: 3000).map(\.output)
    let empties = first.count { $0 == #"{"cards":[]}"# }
    // The expected number is 200, with a standard deviation of 13.7. The range is ±5 deviations.
    #expect((131...269).contains(empties))
    #expect(await answers(script, repeats: 3000).map(\.output) == first)
    #expect(await answers(script, repeats: 3000, seed: 8).map(\.output) != first)
  }

  @Test(
    "each fault causes a different kind of failure",
    arguments: [
      (StubScript.Fault.refusal, AttemptFailure.Kind.refusal, StopReason.refusal),
      (.truncation, .truncated, .tokenLimit), (.timeout, .timeout, .failed),
      (.error, .backend, .failed),
    ])
  func faults(
    fault: StubScript.Fault, kind: AttemptFailure.Kind, reason: StopReason
  ) async throws {
    let script = StubScript(choice: .sequence, entries: [.init(content: Self.full, fault: fault)])
    let answer = try #require(await answers(script, repeats: 1).first)
    #expect(answer.failure?.kind == kind)
    #expect(answer.stopReason == reason)
    #expect(answer.output != #"{"cards":["a","b","c"]}"#)
  }

  @Test("malformed output is reported as complete but is not JSON")
  func malformed() async throws {
    let script = StubScript(
      choice: .sequence, entries: [.init(content: Self.full, fault: .malformed)])
    let answer = try #require(await answers(script, repeats: 1).first)
    #expect(answer.stopReason == .complete)
    #expect(throws: StructuredTextError.self) { try JSONValue(parsing: answer.output) }
  }

  @Test("a test case without a script gives an error that says what to write")
  func noScript() async throws {
    let answer = try #require(await answers(nil, repeats: 1).first)
    #expect(answer.failure?.kind == .backend)
    #expect(answer.failure?.message.contains("stub: { content: … }") == true)
  }
}
