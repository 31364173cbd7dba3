import Observation
public import SystemBasics

/// The system's language model.
///
/// Linux has no such model, but an app's code may still name this type. Register a replacement with
/// `provide(_:)`. Without a replacement, the model is unavailable.
public final class SystemLanguageModel: Observable, Sendable {
  /// The purpose that the model is used for; it has no effect here.
  public struct UseCase: Sendable, Equatable {
    private let name: String

    /// General use, which is the default.
    public static let general = UseCase(name: "general")
    /// Finding tags for a text.
    public static let contentTagging = UseCase(name: "contentTagging")
  }

  /// The restrictions on the content that the model may read and write.
  ///
  /// They have no effect here.
  public struct Guardrails: Sendable {
    private let name: String

    /// The default restrictions.
    public static let `default` = Guardrails(name: "default")
    /// Looser restrictions for transforming content that the app provides.
    public static let permissiveContentTransformations = Guardrails(
      name: "permissiveContentTransformations")
  }

  /// Whether a model is available.
  @frozen
  public enum Availability: Equatable, Sendable {
    /// The reason why no model is available.
    public enum UnavailableReason: Hashable, Sendable {
      /// The device can't run the model; here, this means that no replacement is registered.
      case deviceNotEligible
      /// Apple Intelligence is turned off; here, this is never the reason.
      case appleIntelligenceNotEnabled
      /// The model isn't ready; here, this is never the reason.
      case modelNotReady
    }

    /// A model is available.
    case available
    /// No model is available.
    case unavailable(UnavailableReason)
  }

  /// An error that prevents the use of the model.
  public enum Error: LocalizedError, CustomDebugStringConvertible {
    /// The details of an `assetsUnavailable` error: no model is available.
    public struct AssetsUnavailable: Sendable {
      /// A description for developers.
      public var debugDescription: String

      /// Creates the details of the error.
      ///
      /// - Parameter debugDescription: A description for developers.
      public init(debugDescription: String) { self.debugDescription = debugDescription }
    }

    /// No model is available.
    case assetsUnavailable(AssetsUnavailable)

    /// A description for developers.
    public var debugDescription: String {
      switch self {
      case .assetsUnavailable(let facts): facts.debugDescription
      }
    }

    /// The text for users, which is the same as the debug description.
    public var errorDescription: String? { debugDescription }
  }

  static let standIn = StandInModel()

  /// The model for general use.
  public static let `default` = SystemLanguageModel()

  /// Creates a model for a purpose.
  ///
  /// - Parameters:
  ///   - useCase: The purpose; it has no effect here.
  ///   - guardrails: The restrictions on the content that the model may read and write; they have
  ///     no effect here.
  public init(useCase: UseCase = .general, guardrails: Guardrails = .default) {}

  /// Registers the model that replaces the system's model in every session of this process.
  ///
  /// Apple's framework has no such method.
  ///
  /// - Parameter model: The replacement, or `nil` to remove the current one.
  public static func provide(_ model: (any LanguageModel)?) {
    standIn.provide(model)
  }

  /// Whether a model is available.
  ///
  /// A model is available if a replacement is registered.
  public var availability: Availability {
    Self.standIn.runner == nil ? .unavailable(.deviceNotEligible) : .available
  }

  /// Whether a replacement is registered.
  public var isAvailable: Bool { availability == .available }
}

extension SystemLanguageModel: LanguageModel {
  /// The capabilities of the replacement or, if none is registered, guided generation and tool
  /// calls.
  public var capabilities: LanguageModelCapabilities {
    Self.standIn.runner?.capabilities
      ?? LanguageModelCapabilities([.guidedGeneration, .toolCalling])
  }

  /// An empty configuration.
  public var executorConfiguration: Executor.Configuration { Executor.Configuration() }

  /// Forwards requests to the replacement.
  public struct Executor: LanguageModelExecutor {
    /// An empty configuration, because there is only one system model.
    public struct Configuration: Hashable, Sendable {}

    /// Creates an executor.
    ///
    /// - Parameter configuration: The empty configuration.
    public init(configuration: Configuration) {}

    /// Prepares the replacement for a request, or does nothing if no replacement is registered.
    ///
    /// - Parameters:
    ///   - model: The model.
    ///   - transcript: The transcript that the request will begin with.
    public func prewarm(model: SystemLanguageModel, transcript: Transcript) {
      SystemLanguageModel.standIn.runner?.prewarm(transcript)
    }

    /// Answers a request with the replacement.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - model: The model.
    ///   - channel: The channel that receives the answer, piece by piece.
    /// - Throws: `Error.assetsUnavailable` if no replacement is registered, or the error that the
    ///   replacement throws.
    public nonisolated(nonsending) func respond(
      to request: LanguageModelExecutorGenerationRequest, model: SystemLanguageModel,
      streamingInto channel: LanguageModelExecutorGenerationChannel
    ) async throws {
      guard let runner = SystemLanguageModel.standIn.runner else {
        throw Error.assetsUnavailable(
          .init(
            debugDescription:
              "This system has no built-in model; \(StandInModel.advice)"))
      }
      try await runner.respond(to: request, streamingInto: channel)
    }
  }
}
