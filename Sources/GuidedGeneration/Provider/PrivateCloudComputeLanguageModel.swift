public import Foundation
import Observation

/// Apple's model on its servers.
///
/// Where it cannot be reached, as on Linux, an app's code still names it: `provide(_:)` says which
/// model stands for it, and without one it is unavailable.
public final class PrivateCloudComputeLanguageModel: Observable, Sendable {
  /// Whether the model can be used.
  @frozen
  public enum Availability: Equatable, Sendable {
    /// Why it cannot.
    public enum UnavailableReason: Hashable, Sendable {
      case deviceNotEligible
      case systemNotReady
    }

    case available
    case unavailable(UnavailableReason)
  }

  /// How much of the model's use is left.
  public struct QuotaUsage: Sendable {
    /// Whether any is left.
    public enum Status: Sendable {
      /// Some is.
      public struct BelowLimit: Sendable {
        public var isApproachingLimit: Bool
      }

      /// None is.
      public struct LimitReached: Sendable {}

      case belowLimit(BelowLimit)
      case limitReached(LimitReached)
    }

    /// How the use can be extended.
    public struct LimitIncreaseSuggestion: Sendable {
      /// Does nothing: there is nowhere to show it.
      public func show() {}
    }

    public var status: Status
    public var limitIncreaseSuggestion: LimitIncreaseSuggestion?
    public var resetDate: Date?

    /// Whether nothing is left.
    public var isLimitReached: Bool { if case .limitReached = status { true } else { false } }
  }

  /// Why there is no answer.
  public enum Error: LocalizedError, CustomDebugStringConvertible {
    /// The servers could not be reached.
    public struct NetworkFailure: Sendable {
      public var debugDescription: String

      /// Creates the details of the error.
      public init(debugDescription: String) { self.debugDescription = debugDescription }
    }

    /// The use is spent.
    public struct QuotaLimitReached: Sendable {
      public var limitIncreaseSuggestion: QuotaUsage.LimitIncreaseSuggestion?
      public var resetDate: Date?
      public var debugDescription: String

      /// Creates the details of the error.
      public init(
        limitIncreaseSuggestion: QuotaUsage.LimitIncreaseSuggestion? = nil,
        resetDate: Date? = nil, debugDescription: String
      ) {
        self.limitIncreaseSuggestion = limitIncreaseSuggestion
        self.resetDate = resetDate
        self.debugDescription = debugDescription
      }
    }

    /// The servers do not answer.
    public struct ServiceUnavailable: Sendable {
      public var debugDescription: String

      /// Creates the details of the error.
      public init(debugDescription: String) { self.debugDescription = debugDescription }
    }

    case networkFailure(NetworkFailure)
    case quotaLimitReached(QuotaLimitReached)
    case serviceUnavailable(ServiceUnavailable)

    public var debugDescription: String {
      switch self {
      case .networkFailure(let facts): facts.debugDescription
      case .quotaLimitReached(let facts): facts.debugDescription
      case .serviceUnavailable(let facts): facts.debugDescription
      }
    }

    public var errorDescription: String? { debugDescription }
  }

  private static let standIn = StandInModel()

  /// Creates the model.
  public init() {}

  /// Says which model stands for Apple's, for every session of the process.
  ///
  /// - Parameter model: The model, nil for none.
  public static func provide(_ model: (any LanguageModel)?) { standIn.provide(model) }

  /// Whether a model stands for Apple's.
  public var availability: Availability {
    Self.standIn.runner == nil ? .unavailable(.deviceNotEligible) : .available
  }

  /// Whether a model stands for Apple's.
  public var isAvailable: Bool { availability == .available }

  /// Below the limit: a model that stands for Apple's has none.
  public var quotaUsage: QuotaUsage {
    QuotaUsage(status: .belowLimit(.init(isApproachingLimit: false)))
  }

  /// The maximum number of tokens in a conversation.
  public nonisolated(nonsending) var contextSize: Int {
    get async throws {
      guard let size = Self.standIn.contextSize else { throw Self.unavailable }
      return size
    }
  }

  /// The languages that the model supports; empty if there is no model.
  public var supportedLanguages: Set<Locale.Language> { Self.standIn.languages }

  /// Returns whether the model supports the language of a locale.
  ///
  /// - Parameter locale: The locale.
  /// - Returns: Whether it does; true if the model doesn't list its languages.
  public func supportsLocale(_ locale: Locale = Locale.current) -> Bool {
    Self.standIn.supports(locale)
  }

  private static var unavailable: Error {
    .serviceUnavailable(
      .init(
        debugDescription: "Apple's servers cannot be reached from here: name another model with "
          + "PrivateCloudComputeLanguageModel.provide."))
  }
}

extension PrivateCloudComputeLanguageModel: LanguageModel {
  public var capabilities: LanguageModelCapabilities {
    Self.standIn.runner?.capabilities
      ?? LanguageModelCapabilities([.guidedGeneration, .toolCalling, .reasoning])
  }

  public var executorConfiguration: Executor.Configuration { Executor.Configuration() }

  /// Hands requests to the model that stands for Apple's.
  public struct Executor: LanguageModelExecutor {
    /// Nothing: there is one service.
    public struct Configuration: Hashable, Sendable {}

    public init(configuration: Configuration) {}

    public func prewarm(model: PrivateCloudComputeLanguageModel, transcript: Transcript) {
      standIn.runner?.prewarm(transcript)
    }

    public nonisolated(nonsending) func respond(
      to request: LanguageModelExecutorGenerationRequest, model: PrivateCloudComputeLanguageModel,
      streamingInto channel: LanguageModelExecutorGenerationChannel
    ) async throws {
      guard let runner = standIn.runner else { throw unavailable }
      try await runner.respond(to: request, streamingInto: channel)
    }
  }
}
