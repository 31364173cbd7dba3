/// A model that sessions can talk to.
///
/// The requirements are those of OS 27's provider protocol, so a provider written for OS 27 also
/// works here.
public protocol LanguageModel: Sendable {
  /// The type that answers requests to the model.
  associatedtype Executor: LanguageModelExecutor where Self == Self.Executor.Model

  /// The capabilities of the model.
  var capabilities: LanguageModelCapabilities { get }

  /// The configuration from which the executor is created.
  ///
  /// Within a session, models with the same executor type and equal configurations share one
  /// executor.
  var executorConfiguration: Executor.Configuration { get }

  /// Returns whether the model can read attachments with a type of data.
  ///
  /// - Parameter type: The type.
  /// - Throws: An error if the model can't tell.
  nonisolated(nonsending) func supportsDataAttachmentType(_ type: UTType) async throws -> Bool

  /// Returns whether sessions may keep the model's data entries with a type of data.
  ///
  /// - Parameter type: The type.
  /// - Throws: An error if the model can't tell.
  nonisolated(nonsending) func supportsDataEntryType(_ type: UTType) async throws -> Bool
}

/// A type that answers the requests of a session.
public protocol LanguageModelExecutor: Sendable {
  /// The type of the configuration from which an executor is created.
  associatedtype Configuration: Hashable, Sendable
  /// The type of the model that the executor runs.
  associatedtype Model: LanguageModel

  /// Creates an executor.
  ///
  /// - Parameter configuration: The configuration.
  /// - Throws: An error if the executor can't be created.
  init(configuration: Configuration) throws

  /// Prepares the executor for a request that will begin with a transcript.
  ///
  /// The default implementation does nothing.
  ///
  /// - Parameters:
  ///   - model: The model.
  ///   - transcript: The transcript that the request will begin with.
  func prewarm(model: Model, transcript: Transcript)

  /// Answers a request.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - model: The model.
  ///   - channel: The channel that receives the answer, piece by piece.
  /// - Throws: An error if there is no answer; the session passes it to the app.
  nonisolated(nonsending) func respond(
    to request: LanguageModelExecutorGenerationRequest, model: Model,
    streamingInto channel: LanguageModelExecutorGenerationChannel) async throws
}

extension LanguageModelExecutor {
  /// Does nothing, by default.
  ///
  /// - Parameters:
  ///   - model: The model.
  ///   - transcript: The transcript that the request will begin with.
  public func prewarm(model: Model, transcript: Transcript) {}
}

/// The capabilities of a model.
public struct LanguageModelCapabilities: Sendable {
  /// One capability of a model.
  public struct Capability: Sendable, Hashable {
    let name: String

    /// The model can look at images.
    ///
    /// Without this capability, a session throws `LanguageModelError.unsupportedCapability` for a
    /// conversation with attachments. This is Assay's choice, because Apple's behavior is unknown.
    public static var vision: Capability { Capability(name: "vision") }
    /// The model can follow a schema.
    ///
    /// Without this capability, a session throws `LanguageModelError.unsupportedCapability` for a
    /// request with a schema, as in Apple's framework.
    public static var guidedGeneration: Capability { Capability(name: "guidedGeneration") }
    /// The model can reason before it answers; a session doesn't check this capability.
    public static var reasoning: Capability { Capability(name: "reasoning") }
    /// The model can call tools; a session doesn't check this capability.
    public static var toolCalling: Capability { Capability(name: "toolCalling") }
  }

  private let capabilities: Set<Capability>

  /// Creates a set of capabilities.
  ///
  /// - Parameter capabilities: The capabilities.
  public init(_ capabilities: [Capability]) { self.capabilities = Set(capabilities) }

  /// Creates a set of capabilities, with the parameter name of the first versions of OS 27.
  ///
  /// - Parameter capabilities: The capabilities.
  @available(*, deprecated, renamed: "init(_:)")
  public init(capabilities: [Capability]) { self.init(capabilities) }

  /// Returns whether the model has a capability.
  ///
  /// - Parameter capability: The capability.
  /// - Returns: True if the model has the capability.
  public func contains(_ capability: Capability) -> Bool { capabilities.contains(capability) }
}
