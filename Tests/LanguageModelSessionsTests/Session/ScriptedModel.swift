import GuidedGeneration
import LanguageModelSessions
import Synchronization
import TestSupport

/// A model that answers each request with the next list of scripted events, and records the
/// requests.
struct ScriptedModel: LanguageModel {
  typealias Event = LanguageModelExecutorGenerationChannel.Event

  enum Step: Sendable {
    case send(Event)
    case fail(LanguageModelError)
    /// Waits until the request is cancelled, for at most ten minutes.
    ///
    /// If all cores are busy with other tests, a test may take minutes to cancel its request.
    case wait
    /// Waits until a condition holds.
    case until(@Sendable () -> Bool)
  }

  final class Script: Sendable {
    let rounds: Mutex<[[Step]]>
    let requests = Mutex<[LanguageModelExecutorGenerationRequest]>([])

    init(_ rounds: [[Step]]) { self.rounds = Mutex(rounds) }
  }

  struct Executor: LanguageModelExecutor {
    struct Configuration: Hashable, Sendable {
      let script: Script
      static func == (left: Self, right: Self) -> Bool { left.script === right.script }
      func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(script)) }
    }

    let configuration: Configuration

    init(configuration: Configuration) throws { self.configuration = configuration }

    func respond(
      to request: LanguageModelExecutorGenerationRequest, model: ScriptedModel,
      streamingInto channel: LanguageModelExecutorGenerationChannel
    ) async throws {
      configuration.script.requests.withLock { $0.append(request) }
      let round = configuration.script.rounds.withLock { $0.isEmpty ? [] : $0.removeFirst() }
      for step in round {
        switch step {
        case .send(let event): await channel.send(event)
        case .fail(let error): throw error
        case .wait: try await Task.sleep(for: .seconds(600))
        case .until(let holds): await waitUntil(holds)
        }
      }
    }
  }

  let script: Script
  var capabilities = LanguageModelCapabilities([.guidedGeneration, .toolCalling])

  var executorConfiguration: Executor.Configuration { .init(script: script) }

  init(_ rounds: [Step]...) { script = Script(rounds) }

  /// Returns steps that send a text piece by piece.
  static func text(_ pieces: String...) -> [Step] {
    pieces.map { .send(.response(action: .appendText($0, tokenCount: 1))) }
  }

  static func call(_ name: String, id: String = "call", _ arguments: String...) -> [Step] {
    arguments.map {
      .send(
        .toolCalls(
          action: .toolCall(
            id: id, name: name, action: .appendArguments($0, tokenCount: 1))))
    }
  }

  var requests: [LanguageModelExecutorGenerationRequest] { script.requests.withLock { $0 } }
}
