/// A model that sessions can talk to.
///
/// The requirements are those of OS 27's provider protocol, so a provider written for OS 27 also
/// works here.
public protocol LanguageModel: Sendable {
  /// The type that answers the requests.
  associatedtype Executor: LanguageModelExecutor where Self == Self.Executor.Model

  /// The capabilities of the model.
  var capabilities: LanguageModelCapabilities { get }

  /// The configuration from which the executor is created.
  var executorConfiguration: Executor.Configuration { get }
}

/// A type that answers the requests of a session.
public protocol LanguageModelExecutor: Sendable {
  /// The type of the configuration.
  associatedtype Configuration: Hashable, Sendable
  /// The type of the model that it runs.
  associatedtype Model: LanguageModel

  /// Creates an executor.
  ///
  /// - Parameter configuration: The configuration.
  /// - Throws: An error if the executor can't be created.
  init(configuration: Configuration) throws

  /// Prepares for a request that will begin with a transcript.
  ///
  /// - Parameters:
  ///   - model: The model.
  ///   - transcript: The transcript with which the request will begin.
  func prewarm(model: Model, transcript: Transcript)

  /// Answers a request.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - model: The model.
  ///   - channel: The channel that receives the answer, piece by piece.
  /// - Throws: An error if there is no answer.
  nonisolated(nonsending) func respond(
    to request: LanguageModelExecutorGenerationRequest, model: Model,
    streamingInto channel: LanguageModelExecutorGenerationChannel) async throws
}

extension LanguageModelExecutor {
  /// Does nothing.
  public func prewarm(model: Model, transcript: Transcript) {}
}

/// The capabilities of a model.
public struct LanguageModelCapabilities: Sendable {
  /// One capability of a model.
  public struct Capability: Sendable, Hashable {
    let name: String

    /// The model can look at images.
    public static var vision: Capability { Capability(name: "vision") }
    /// The model can follow a schema.
    public static var guidedGeneration: Capability { Capability(name: "guidedGeneration") }
    /// The model can reason before it answers.
    public static var reasoning: Capability { Capability(name: "reasoning") }
    /// The model can call tools.
    public static var toolCalling: Capability { Capability(name: "toolCalling") }
  }

  private let capabilities: Set<Capability>

  /// Creates a set of capabilities.
  ///
  /// - Parameter capabilities: The capabilities.
  public init(_ capabilities: [Capability]) { self.capabilities = Set(capabilities) }

  /// Returns whether the model has a capability.
  ///
  /// - Parameter capability: The capability.
  /// - Returns: Whether the model has it.
  public func contains(_ capability: Capability) -> Bool { capabilities.contains(capability) }
}
