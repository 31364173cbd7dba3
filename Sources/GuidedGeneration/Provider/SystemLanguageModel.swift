public import Foundation
import Observation

/// The model of the system.
///
/// Where there is none, as on Linux, an app's code still names it: `provide(_:)` says which model
/// stands for it.
public final class SystemLanguageModel: Observable, Sendable {
  /// What the model is for.
  public struct UseCase: Sendable, Equatable {
    private let name: String

    /// Anything.
    public static let general = UseCase(name: "general")
    /// Finding tags for a text.
    public static let contentTagging = UseCase(name: "contentTagging")
  }

  /// What the model may read and write.
  public struct Guardrails: Sendable {
    private let name: String

    /// What is harmless.
    public static let `default` = Guardrails(name: "default")
    /// What the app gives it to change.
    public static let permissiveContentTransformations = Guardrails(
      name: "permissiveContentTransformations")
  }

  /// Whether a model is available.
  @frozen
  public enum Availability: Equatable, Sendable {
    /// Why there is none.
    public enum UnavailableReason: Hashable, Sendable {
      case deviceNotEligible
      case appleIntelligenceNotEnabled
      case modelNotReady
    }

    case available
    case unavailable(UnavailableReason)
  }

  /// Why the model cannot be used.
  public enum Error: LocalizedError, CustomDebugStringConvertible {
    /// There is no model.
    public struct AssetsUnavailable: Sendable {
      public var debugDescription: String

      /// Creates the details of the error.
      public init(debugDescription: String) { self.debugDescription = debugDescription }
    }

    case assetsUnavailable(AssetsUnavailable)

    public var debugDescription: String {
      switch self {
      case .assetsUnavailable(let facts): facts.debugDescription
      }
    }

    public var errorDescription: String? { debugDescription }
  }

  static let standIn = StandInModel()

  /// The model for anything.
  public static let `default` = SystemLanguageModel()

  /// Creates the model for a use.
  ///
  /// - Parameters:
  ///   - useCase: What it is for.
  ///   - guardrails: What it may read and write.
  public init(useCase: UseCase = .general, guardrails: Guardrails = .default) {}

  /// Says which model stands for the system's, for every session of the process.
  ///
  /// - Parameter model: The model, nil for none.
  public static func provide(_ model: (any LanguageModel)?) {
    standIn.provide(model)
  }

  /// Whether a model is available.
  public var availability: Availability {
    Self.standIn.runner == nil ? .unavailable(.deviceNotEligible) : .available
  }

  /// Whether a model is available.
  public var isAvailable: Bool { availability == .available }
}

extension SystemLanguageModel: LanguageModel {
  public var capabilities: LanguageModelCapabilities {
    Self.standIn.runner?.capabilities
      ?? LanguageModelCapabilities([.guidedGeneration, .toolCalling])
  }

  public var executorConfiguration: Executor.Configuration { Executor.Configuration() }

  /// Hands requests to the model that stands for the system's.
  public struct Executor: LanguageModelExecutor {
    /// Nothing: there is one system.
    public struct Configuration: Hashable, Sendable {}

    public init(configuration: Configuration) {}

    public func prewarm(model: SystemLanguageModel, transcript: Transcript) {
      SystemLanguageModel.standIn.runner?.prewarm(transcript)
    }

    public nonisolated(nonsending) func respond(
      to request: LanguageModelExecutorGenerationRequest, model: SystemLanguageModel,
      streamingInto channel: LanguageModelExecutorGenerationChannel
    ) async throws {
      guard let runner = SystemLanguageModel.standIn.runner else {
        throw Error.assetsUnavailable(
          .init(
            debugDescription:
              "This system has no model of its own: \(StandInModel.advice)"))
      }
      try await runner.respond(to: request, streamingInto: channel)
    }
  }
}
