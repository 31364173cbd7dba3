public import EvalRecords
import StructuredText

/// Answers with content from the suite file, for dry runs of suites and for tests of the harness.
///
/// The stub ignores the schema and the prompt. Only the test case's script determines its answers:
/// fixed content, a sequence over the repeats, or a weighted draw with the repeat's seed.
public struct StubBackend: EvalBackend {
  /// The identity of the backend.
  public let record: BackendRecord

  /// Waits for a number of milliseconds.
  ///
  /// Tests replace this function.
  private let sleep: @Sendable (Double) async -> Void

  /// Creates a stub.
  ///
  /// - Parameters:
  ///   - id: The id of the backend, which its attempts record.
  ///   - sleep: Waits for the latency of a script, in milliseconds.
  public init(
    id: String = "stub",
    sleep: @escaping @Sendable (Double) async -> Void = { milliseconds in
      try? await Task.sleep(for: .milliseconds(milliseconds))
    }
  ) {
    record = .stub(id: id)
    self.sleep = sleep
  }

  /// Returns `nil`, because no setting changes a scripted answer.
  public func obstacle(to request: BackendRequest) -> String? { nil }

  /// Returns the request without its variables, which the model doesn't see.
  public func sentText(of request: BackendRequest, repeat repeatSeed: RepeatSeed) -> String {
    request.textWithoutVariables
  }

  /// Answers a request once per repeat, after the script's latency.
  public func answers(
    to request: BackendRequest, repeats: [RepeatSeed]
  ) -> AsyncStream<BackendAnswer> {
    .working { continuation in
      for repeatSeed in repeats {
        if Task.isCancelled { break }
        let latency = request.stubScript?.latency ?? 0
        if latency > 0 { await sleep(latency) }
        continuation.yield(Self.answer(to: request, repeatSeed))
      }
    }
  }

  /// Emits the growing answer in steps of four characters (about one token) over the script's
  /// latency.
  public func progress(
    on request: BackendRequest, repeat repeatSeed: RepeatSeed
  ) -> AsyncStream<AnswerProgress> {
    .working { continuation in
      let answer = Self.answer(to: request, repeatSeed)
      let ends = Array(stride(from: 4, to: answer.output.count, by: 4))
      let pause = (request.stubScript?.latency ?? 0) / Double(ends.count + 1)
      for end in ends {
        if pause > 0 { await sleep(pause) }
        if Task.isCancelled { return }
        continuation.yield(.text(String(answer.output.prefix(end))))
      }
      if pause > 0 { await sleep(pause) }
      continuation.yield(.answer(answer))
    }
  }

  /// Returns the answer for one repeat.
  ///
  /// The answer depends only on the request and on the repeat with its seed.
  static func answer(to request: BackendRequest, _ repeatSeed: RepeatSeed) -> BackendAnswer {
    guard let script = request.stubScript, !script.entries.isEmpty else {
      let message =
        "the test case has no stub answer; add `stub: { content: … }` to it, or to the suite"
      return BackendAnswer(
        repeatSeed: repeatSeed, output: "", stopReason: .failed,
        failure: AttemptFailure(kind: .backend, message: message), renderedPrompt: request.prompt)
    }
    let entry = script.entry(for: repeatSeed)
    let text = entry.content?.compactText ?? ""
    var answer = BackendAnswer(
      repeatSeed: repeatSeed, output: text, stopReason: .complete,
      renderedPrompt: request.prompt, duration: script.latency / 1000)
    if let fault = entry.fault { answer.show(fault, of: text) }
    return answer
  }
}

extension BackendAnswer {
  /// Changes the answer so that it looks as if the backend had a fault.
  fileprivate mutating func show(_ fault: StubScript.Fault, of text: String) {
    func fail(_ kind: AttemptFailure.Kind, _ reason: StopReason, _ message: String) {
      failure = AttemptFailure(kind: kind, message: message)
      stopReason = reason
    }
    switch fault {
    case .refusal:
      output = ""
      fail(.refusal, .refusal, "stub: scripted refusal")
    case .truncation:
      output = String(text.prefix(text.count / 2))
      fail(.truncated, .tokenLimit, "stub: scripted truncation")
    case .malformed:
      output = text.isEmpty ? "{" : String(text.dropLast()) + ",,"
    case .timeout:
      output = ""
      fail(.timeout, .failed, "stub: scripted timeout")
    case .error:
      output = ""
      fail(.backend, .failed, "stub: scripted failure")
    }
  }
}
