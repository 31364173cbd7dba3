import Observation
import Synchronization

/// A conversation with a model.
///
/// One request at a time: a second one is refused while the first is being answered. A request that
/// fails leaves the transcript as it was, unless `transcriptErrorHandlingPolicy` says otherwise.
public final class LanguageModelSession: Observable, @unchecked Sendable {
  struct State {
    var transcript: Transcript
    var isResponding = false
    var usage = Usage.none
    var policy: TranscriptErrorHandlingPolicy?
  }

  let model: ModelRunner
  let tools: [any Tool]
  /// The definitions are made once: a tool's parameters do not change within a session.
  let toolDefinitions: [Transcript.ToolDefinition]
  private let state: Mutex<State>
  private let registrar = ObservationRegistrar()

  init(model: ModelRunner, tools: [any Tool], transcript: Transcript) {
    self.model = model
    self.tools = tools
    toolDefinitions = tools.map { Transcript.ToolDefinition(tool: $0) }
    state = Mutex(State(transcript: transcript))
  }

  convenience init(model: ModelRunner, tools: [any Tool], instructions: Instructions?) {
    self.init(model: model, tools: tools, transcript: Transcript())
    guard instructions != nil || !tools.isEmpty else { return }
    let text = instructions?.text ?? ""
    let entry = Transcript.Instructions(
      segments: text.isEmpty ? [] : [.text(Transcript.TextSegment(content: text))],
      toolDefinitions: zip(tools, toolDefinitions).filter { $0.0.includesSchemaInInstructions }
        .map { $0.1 })
    state.withLock { $0.transcript.append(.instructions(entry)) }
  }

  /// The conversation so far.
  public var transcript: Transcript {
    get {
      registrar.access(self, keyPath: \.transcript)
      return state.withLock(\.transcript)
    }
    set { change(\.transcript) { $0.transcript = newValue } }
  }

  /// Whether a request is being answered.
  public var isResponding: Bool {
    registrar.access(self, keyPath: \.isResponding)
    return state.withLock(\.isResponding)
  }

  /// How many tokens all requests together have read and written.
  public var usage: Usage {
    registrar.access(self, keyPath: \.usage)
    return state.withLock(\.usage)
  }

  /// What becomes of the transcript when a request fails; nil reverts it.
  public var transcriptErrorHandlingPolicy: TranscriptErrorHandlingPolicy? {
    get { state.withLock(\.policy) }
    set { state.withLock { $0.policy = newValue } }
  }

  /// Gets the model ready for a request.
  ///
  /// - Parameter promptPrefix: What the prompt will begin with.
  public func prewarm(promptPrefix: Prompt? = nil) {
    var transcript = state.withLock(\.transcript)
    if let promptPrefix {
      let segment = Transcript.Segment.text(Transcript.TextSegment(content: promptPrefix.text))
      transcript.append(.prompt(Transcript.Prompt(segments: [segment])))
    }
    model.prewarm(transcript)
  }

  // MARK: Turns

  private func change<Value, Result>(
    _ keyPath: KeyPath<LanguageModelSession, Value>, _ body: (inout State) -> Result
  ) -> Result {
    registrar.withMutation(of: self, keyPath: keyPath) { state.withLock { body(&$0) } }
  }

  /// Begins a turn with a prompt.
  ///
  /// - Returns: The transcript before and after.
  func begin(_ prompt: Transcript.Entry) throws -> (before: Transcript, after: Transcript) {
    let transcripts = change(\.isResponding) { state -> (Transcript, Transcript)? in
      if state.isResponding { return nil }
      state.isResponding = true
      let before = state.transcript
      state.transcript.append(prompt)
      return (before, state.transcript)
    }
    guard let transcripts else { throw Error.concurrentRequests }
    return transcripts
  }

  /// Puts a turn's entries in the transcript as far as they have come.
  func update(_ transcript: Transcript) { change(\.transcript) { $0.transcript = transcript } }

  func end(adding usage: Usage) {
    change(\.isResponding) { state in
      state.isResponding = false
      state.usage.add(usage)
    }
  }

  /// Ends a turn that failed.
  func fail(revertingTo before: Transcript) {
    change(\.isResponding) { state in
      state.isResponding = false
      if state.policy?.preserves != true { state.transcript = before }
    }
  }
}

/// What becomes of the transcript when a request fails.
public struct TranscriptErrorHandlingPolicy: Sendable {
  let preserves: Bool

  /// The transcript is what it was before the request.
  public static let revertTranscript = TranscriptErrorHandlingPolicy(preserves: false)
  /// The transcript keeps the prompt and what came of it.
  public static let preserveTranscript = TranscriptErrorHandlingPolicy(preserves: true)
}
