import GuidedGeneration
import Observation
import Synchronization

/// A conversation with a model.
///
/// A session handles one request at a time. If a second request begins before the first one has
/// ended, the second one throws `Error.concurrentRequests`. A request that fails leaves the
/// transcript as it was, unless `transcriptErrorHandlingPolicy` preserves it.
///
/// If the model calls several tools in one round, that is, before it reads any of their outputs,
/// the tools run concurrently, and their outputs keep the order of the calls. If the model calls a
/// tool that doesn't exist, the tool output says so, and the model may call another tool. After 100
/// rounds of tool calls, the request throws `LanguageModelError.timeout`. These are Assay's
/// choices, because Apple's behavior is unknown.
public final class LanguageModelSession: Observable, @unchecked Sendable {
  struct State {
    var transcript: Transcript
    var isResponding = false
    /// Whether the app has set the transcript since the current request began.
    var isTranscriptSet = false
    var usage = Usage.none
    var policy: TranscriptErrorHandlingPolicy?
  }

  /// The values that the session's profile, instructions and tools share.
  public let properties = SessionPropertyValues()

  /// The source of the model, the instructions and the tools.
  ///
  /// A request and `prewarm` may evaluate the profile at the same time, so each evaluation holds
  /// the lock `asking`.
  private let source: SessionSource
  private let asking = Mutex<Void>(())
  let executors: ExecutorPool
  private let lifetimes = Mutex<[ProfileLifetime]>([])
  private let state: Mutex<State>
  private let registrar = ObservationRegistrar()

  init(source: SessionSource, executors: ExecutorPool, transcript: Transcript) {
    self.source = source
    self.executors = executors
    state = Mutex(State(transcript: transcript))
    properties.attach(to: self)
  }

  convenience init(model: ModelRunner, tools: [any Tool], transcript: Transcript) {
    self.init(
      source: .fixed(SessionSetup(model: model, tools: tools)), executors: model.executors,
      transcript: transcript)
  }

  convenience init(model: ModelRunner, tools: [any Tool], instructions: Instructions?) {
    let setup = SessionSetup(model: model, tools: tools)
    let entries = setup.instructionsEntry(instructions).map { [Transcript.Entry.instructions($0)] }
    self.init(
      source: .fixed(setup), executors: model.executors,
      transcript: Transcript(entries: entries ?? []))
  }

  /// The conversation so far.
  ///
  /// If the app sets the transcript during a request, the request throws
  /// `Error.transcriptMutationWhileResponding`, and the session keeps the app's transcript. A
  /// tool or an action of the session may set the transcript at any time. These rules are Assay's
  /// choice, because Apple's behavior is unknown.
  public var transcript: Transcript {
    get {
      registrar.access(self, keyPath: \.transcript)
      return state.withLock(\.transcript)
    }
    set {
      // An action or a tool that the session itself is waiting for may change the transcript.
      let isOwn = SessionPropertyValues.current === properties
      change(\.transcript) { state in
        state.transcript = newValue
        if state.isResponding, !isOwn { state.isTranscriptSet = true }
      }
    }
  }

  /// The conversation without the leading instructions.
  ///
  /// The rules for setting `transcript` apply to this property too.
  public var history: Transcript.HistoryView {
    get { transcript.history }
    set { transcript.history = newValue }
  }

  /// Whether the session is answering a request.
  public var isResponding: Bool {
    registrar.access(self, keyPath: \.isResponding)
    return state.withLock(\.isResponding)
  }

  /// The numbers of tokens that the model has read and written in all successful requests.
  public var usage: Usage {
    registrar.access(self, keyPath: \.usage)
    return state.withLock(\.usage)
  }

  /// The policy for the transcript after a failed or cancelled request.
  ///
  /// If the value is `nil`, the session reverts the transcript, except that a stream that the app
  /// has abandoned leaves the prompt and the part of its response that has arrived.
  ///
  /// If a profile sets a policy, that policy takes precedence.
  public var transcriptErrorHandlingPolicy: TranscriptErrorHandlingPolicy? {
    get { state.withLock(\.policy) }
    set { state.withLock { $0.policy = newValue } }
  }

  /// Prepares the model for a request.
  ///
  /// If the model can't be prepared, this method does nothing, and the next request throws the
  /// error.
  ///
  /// - Parameter promptPrefix: The beginning of the next prompt, if the app already knows it.
  public func prewarm(promptPrefix: Prompt? = nil) {
    let setup = setup()
    var transcript = state.withLock(\.transcript)
    if let promptPrefix {
      transcript.append(.prompt(Transcript.Prompt(segments: promptPrefix.content.segments)))
    }
    setup.model.prewarm(setup.visible(transcript))
  }

  // MARK: The setup of a request

  /// Returns the current setup.
  ///
  /// If the setup comes from a profile, this method also puts the profile's instructions at the
  /// beginning of the transcript.
  private func setup() -> SessionSetup {
    guard case .profile(let profile) = source else { return fixedSetup }
    let resolved = asking.withLock { _ in
      SessionPropertyValues.$current.withValue(properties) { ResolvedProfile(profile) }
    }
    let setup = SessionSetup(resolved, executors: executors)
    replaceInstructions(setup.instructionsEntry(resolved.instructions))
    return setup
  }

  private var fixedSetup: SessionSetup {
    guard case .fixed(let setup) = source else { preconditionFailure("the session has a profile") }
    return setup
  }

  /// Replaces the leading instructions, unless they already have the same content.
  private func replaceInstructions(_ entry: Transcript.Instructions?) {
    let transcript = state.withLock(\.transcript)
    if case .instructions(let known)? = transcript.first, let entry,
      known.segments.text == entry.segments.text,
      known.toolDefinitions == entry.toolDefinitions
    {
      return
    }
    let entries = entry.map { [Transcript.Entry.instructions($0)] } ?? []
    change(\.transcript) { $0.transcript = Transcript(entries: entries + $0.transcript.history) }
  }

  /// Runs the actions for the parts of the profile that have just become active or inactive, and
  /// returns the setup for the next request to a model.
  ///
  /// The actions may change the profile. So the session evaluates the profile again until no part
  /// becomes active or inactive, but at most eight times.
  func nextSetup() async -> SessionSetup {
    var setup = setup()
    for _ in 0..<8 {
      guard let new = setup.profile?.events.lifetimes else { break }
      let old = lifetimes.withLock { lifetimes in
        defer { lifetimes = new }
        return lifetimes
      }
      let gone = old.filter { item in !new.contains { $0.place == item.place } }
      let come = new.filter { item in !old.contains { $0.place == item.place } }
      for lifetime in gone { await lifetime.onDeactivate?() }
      for lifetime in come { await lifetime.onActivate?() }
      if gone.isEmpty, come.isEmpty { break }
      setup = self.setup()
    }
    return setup
  }

  // MARK: Turns

  private func change<Value, Result>(
    _ keyPath: KeyPath<LanguageModelSession, Value>, _ body: (inout State) -> Result
  ) -> Result {
    registrar.withMutation(of: self, keyPath: keyPath) { state.withLock { body(&$0) } }
  }

  /// Begins a turn, in which the session answers one request.
  ///
  /// - Returns: The transcript before the turn.
  /// - Throws: `Error.concurrentRequests` if the session is still responding.
  func begin() throws -> Transcript {
    let transcript = change(\.isResponding) { state -> Transcript? in
      if state.isResponding { return nil }
      state.isResponding = true
      state.isTranscriptSet = false
      return state.transcript
    }
    guard let transcript else { throw Error.concurrentRequests }
    return transcript
  }

  /// Appends entries to the transcript.
  ///
  /// - Throws: `Error.transcriptMutationWhileResponding` if the app has set the transcript since
  ///   the turn began.
  func add(_ entries: [Transcript.Entry]) throws {
    let isSet = change(\.transcript) { state in
      if !state.isTranscriptSet { state.transcript.append(contentsOf: entries) }
      return state.isTranscriptSet
    }
    if isSet { throw Error.transcriptMutationWhileResponding }
  }

  func end(adding usage: Usage) {
    change(\.isResponding) { $0.isResponding = false }
    change(\.usage) { $0.usage.add(usage) }
  }

  /// Ends a failed turn, and reverts the transcript unless the policy preserves it or the app has
  /// set it in the meantime.
  func fail(revertingTo before: Transcript, policy: TranscriptErrorHandlingPolicy?) {
    change(\.isResponding) { state in
      state.isResponding = false
      let preserves = (policy ?? state.policy)?.preserves ?? false
      if !preserves, !state.isTranscriptSet { state.transcript = before }
    }
  }

  /// Ends a turn whose stream the app has abandoned.
  ///
  /// As in Apple's framework, the transcript keeps the prompt and the part of the response that has
  /// arrived, unless a policy says to revert it.
  func abandon(
    with partial: Transcript.Response?, revertingTo before: Transcript,
    policy: TranscriptErrorHandlingPolicy?
  ) {
    if (policy ?? state.withLock(\.policy))?.preserves == false {
      return fail(revertingTo: before, policy: policy)
    }
    change(\.isResponding) { state in
      state.isResponding = false
      if let partial, !state.isTranscriptSet { state.transcript.append(.response(partial)) }
    }
  }
}

/// A policy that decides whether a failed request leaves its entries in the transcript.
public struct TranscriptErrorHandlingPolicy: Sendable {
  let preserves: Bool

  /// The policy that restores the transcript to its state before the request.
  public static let revertTranscript = TranscriptErrorHandlingPolicy(preserves: false)
  /// The policy that keeps the prompt and the entries that followed it.
  public static let preserveTranscript = TranscriptErrorHandlingPolicy(preserves: true)
}
