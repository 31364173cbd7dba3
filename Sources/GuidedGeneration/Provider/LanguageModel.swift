/// A model that sessions can talk to.
///
/// The shape is that of the provider protocol of OS 27, so that a provider that is written for it
/// can be evaluated here.
public protocol LanguageModel: Sendable {
  /// What answers the requests.
  associatedtype Executor: LanguageModelExecutor where Self == Self.Executor.Model

  /// What the model can do.
  var capabilities: LanguageModelCapabilities { get }

  /// What its executor is made of.
  var executorConfiguration: Executor.Configuration { get }
}

/// What answers the requests of a session.
public protocol LanguageModelExecutor: Sendable {
  /// What an executor is made of.
  associatedtype Configuration: Hashable, Sendable
  /// The model that it runs.
  associatedtype Model: LanguageModel

  /// Creates an executor.
  ///
  /// - Parameter configuration: What it is made of.
  /// - Throws: Where it cannot be made.
  init(configuration: Configuration) throws

  /// Gets ready for a request that will begin with a transcript.
  ///
  /// - Parameters:
  ///   - model: The model.
  ///   - transcript: What the request will begin with.
  func prewarm(model: Model, transcript: Transcript)

  /// Answers a request.
  ///
  /// - Parameters:
  ///   - request: What is asked.
  ///   - model: The model.
  ///   - channel: Where the answer goes, piece by piece.
  /// - Throws: `LanguageModelError`, `Error` or `ToolCallError` if there is no answer.
  nonisolated(nonsending) func respond(
    to request: LanguageModelExecutorGenerationRequest, model: Model,
    streamingInto channel: LanguageModelExecutorGenerationChannel) async throws
}

extension LanguageModelExecutor {
  /// Does nothing.
  public func prewarm(model: Model, transcript: Transcript) {}
}

/// What a model can do.
public struct LanguageModelCapabilities: Sendable {
  /// One thing that a model can do.
  public struct Capability: Sendable, Hashable {
    let name: String

    /// Looking at images.
    public static var vision: Capability { Capability(name: "vision") }
    /// Keeping to a schema.
    public static var guidedGeneration: Capability { Capability(name: "guidedGeneration") }
    /// Thinking before it answers.
    public static var reasoning: Capability { Capability(name: "reasoning") }
    /// Calling tools.
    public static var toolCalling: Capability { Capability(name: "toolCalling") }
  }

  private let capabilities: Set<Capability>

  /// Creates a set of capabilities.
  ///
  /// - Parameter capabilities: The capabilities.
  public init(_ capabilities: [Capability]) { self.capabilities = Set(capabilities) }

  /// Whether the model can do something.
  ///
  /// - Parameter capability: What it should be able to do.
  /// - Returns: Whether it can.
  public func contains(_ capability: Capability) -> Bool { capabilities.contains(capability) }
}
