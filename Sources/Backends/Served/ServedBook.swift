import ConstrainedDecoding
import EvalRecords
import HTTPTransport
import ModelServers
import Synchronization

/// Collects everything that a served backend learns from its requests.
final class ServedBook: Sendable {
  private struct State {
    var use: ServedUse
    var schemas: [SchemaKey: Result<ServedSchema, AttemptFailure>] = [:]
    var leftOut: Set<String> = []
    var lacksRecording = false
  }

  /// A schema and its layout, for use as a key.
  ///
  /// The schema is stored as bytes, because strings with different bytes can be equal.
  private struct SchemaKey: Hashable {
    var schema: [UInt8]
    var judgedSchema: [UInt8]
    var layout: WhitespaceMode?
  }

  private let state: Mutex<State>
  private let profile: SchemaProfile
  /// Whether the server gets Assay's grammar instead of the schema.
  private let sendsGrammar: Bool

  init(address: String, profile: SchemaProfile, sendsGrammar: Bool = false) {
    state = Mutex(State(use: ServedUse(address: address)))
    self.profile = profile
    self.sendsGrammar = sendsGrammar
  }

  private func key(of request: BackendRequest) -> SchemaKey {
    SchemaKey(
      schema: Array(request.schema.utf8), judgedSchema: Array(request.answerSchema.utf8),
      layout: sendsGrammar ? WhitespaceMode(request.settings.whitespace) : nil)
  }

  /// Returns the counts of the requests so far.
  func use(mostAtOnce: Int) -> ServedUse {
    var use = state.withLock(\.use)
    use.mostAtOnce = mostAtOnce
    return use
  }

  /// The reason why the backend has stopped sending requests, or `nil` if it hasn't.
  var ending: String? { state.withLock(\.use.ending) }

  /// Records the reason why the backend stops sending requests.
  ///
  /// - Returns: True if this was the first reason to stop.
  func end(_ reason: String) -> Bool {
    state.withLock { state in
      guard state.use.ending == nil else { return false }
      state.use.ending = reason
      return true
    }
  }

  // MARK: Schemas and members

  /// Returns a request's schema, rewritten for the server.
  func schema(of request: BackendRequest) throws(AttemptFailure) -> ServedSchema {
    let key = key(of: request)
    let profile = profile
    return try state.withLock { state -> Result<ServedSchema, AttemptFailure> in
      if let known = state.schemas[key] { return known }
      let result: Result<ServedSchema, AttemptFailure>
      do throws(AttemptFailure) {
        let schema = try ServedSchema(request, for: profile, grammarLayout: key.layout)
        let obstacle = schema.obstacle.map { "grammar of \(request.suite) (\($0))" }
        if let obstacle, !state.use.unapplied.contains(obstacle) {
          state.use.unapplied.append(obstacle)
        }
        let losses = schema.sent.losses.map { "\(request.suite) \($0)" }
        state.use.losses += losses.filter { !state.use.losses.contains($0) }
        result = .success(schema)
      } catch {
        result = .failure(error)
      }
      state.schemas[key] = result
      return result
    }.get()
  }

  /// Records that the server rejects a schema, so that it is not sent again.
  func refuse(_ request: BackendRequest, _ failure: AttemptFailure) {
    let key = key(of: request)
    state.withLock { $0.schemas[key] = .failure(failure) }
  }

  /// The members of the request body that later requests leave out, because the server rejects
  /// them.
  var leftOut: Set<String> { state.withLock(\.leftOut) }

  /// Leaves a member out of all later requests.
  ///
  /// - Returns: True if no earlier call left the member out.
  func leaveOut(_ member: String) -> Bool {
    state.withLock { state in
      // The server would also reject `top_logprobs` without `logprobs`.
      if member == "logprobs" { state.leftOut.insert("top_logprobs") }
      return state.leftOut.insert(member).inserted
    }
  }

  // MARK: Counts

  /// Whether a request was missing from the recording that is being replayed.
  var lacksRecording: Bool { state.withLock(\.lacksRecording) }

  /// Records the result of testing the server.
  ///
  /// - Parameters:
  ///   - capabilities: The result.
  ///   - connections: The number of connections that the test opened and that the run can reuse.
  func note(_ capabilities: ServerCapabilities, connections: Int) {
    state.withLock { state in
      state.use.capabilities = capabilities
      state.use.connections += connections
    }
  }

  /// Records options that the server doesn't support.
  func note(unapplied: [String]) {
    state.withLock { state in
      for option in unapplied where !state.use.unapplied.contains(option) {
        state.use.unapplied.append(option)
      }
    }
  }

  /// Counts an exchange.
  func note(_ result: Result<HTTPResponse, HTTPFailure>, isRetry: Bool) {
    if case .failure(.cancelled) = result { return }
    state.withLock { state in
      state.use.requests += 1
      if isRetry { state.use.retries += 1 }
      if case .failure(let failure) = result, failure.isNotRecorded { state.lacksRecording = true }
      if case .success(let response) = result { state.use.connections += response.connections }
    }
  }

  /// Counts an answer.
  ///
  /// - Parameters:
  ///   - answer: The answer.
  ///   - isPriced: Whether the answer costs something at the user's prices.
  func note(_ answer: BackendAnswer, isPriced: Bool) {
    guard let served = answer.served else { return }
    state.withLock { state in
      state.use.answers += 1
      if let model = served.model { state.use.models[model, default: 0] += 1 }
      if let name = served.fingerprint { state.use.fingerprints[name, default: 0] += 1 }
      if served.brokenPromise != nil { state.use.brokenPromises += 1 }
      if served.probabilities != nil {
        let resolved = answer.decisions.count(where: \.isResolved)
        state.use.measuredDecisions = (state.use.measuredDecisions ?? 0) + resolved
        state.use.boundedDecisions =
          (state.use.boundedDecisions ?? 0) + answer.decisions.count - resolved
      }
      state.use.probabilities = served.probabilities ?? state.use.probabilities
      if let cost = served.cost {
        state.use.cost = (state.use.cost ?? 0) + cost
      } else if isPriced {
        state.use.answersOfUnknownCost = (state.use.answersOfUnknownCost ?? 0) + 1
      }
    }
  }
}
