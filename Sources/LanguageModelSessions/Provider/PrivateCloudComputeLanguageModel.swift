import Observation
public import SystemBasics

/// Apple's model on Apple's servers.
///
/// On Linux, an app can't reach these servers, but its code may still name this type. Register a
/// replacement with `provide(_:)`. Without a replacement, the model is unavailable.
public final class PrivateCloudComputeLanguageModel: Observable, Sendable {
  /// Whether the model can be used.
  @frozen
  public enum Availability: Equatable, Sendable {
    /// The reason why the model can't be used.
    public enum UnavailableReason: Hashable, Sendable {
      /// The device can't use the model; here, this means that no replacement is registered.
      case deviceNotEligible
      /// The model isn't ready; here, this is never the reason.
      case systemNotReady
    }

    /// The model can be used.
    case available
    /// The model can't be used.
    case unavailable(UnavailableReason)
  }

  /// The usage of the model's quota; here, the quota is never used up.
  public struct QuotaUsage: Sendable {
    /// The state of the quota.
    public enum Status: Sendable {
      /// The details of a quota that is not used up.
      public struct BelowLimit: Sendable {
        /// Whether the quota is almost used up; always false here.
        public var isApproachingLimit: Bool
      }

      /// The details of a quota that is used up.
      public struct LimitReached: Sendable {}

      /// Some of the quota is left.
      case belowLimit(BelowLimit)
      /// The quota is used up.
      case limitReached(LimitReached)
    }

    /// A way to raise the quota.
    public struct LimitIncreaseSuggestion: Sendable {
      /// Does nothing, unlike Apple's version, because there is nowhere to show a suggestion.
      public func show() {}
    }

    /// The state of the quota.
    public var status: Status
    /// A way to raise the quota, or `nil` if there is none.
    public var limitIncreaseSuggestion: LimitIncreaseSuggestion?
    /// The date on which the quota is reset, or `nil` if the quota isn't limited.
    public var resetDate: Date?

    /// Whether the quota is used up.
    public var isLimitReached: Bool { if case .limitReached = status { true } else { false } }
  }

  /// The reason why there is no answer from Apple's servers.
  ///
  /// Without a replacement, every request throws `serviceUnavailable`. A session throws the other
  /// errors only if the replacement does.
  public enum Error: LocalizedError, CustomDebugStringConvertible {
    /// The details of a `networkFailure` error: the servers could not be reached.
    public struct NetworkFailure: Sendable {
      /// A description for developers.
      public var debugDescription: String

      /// Creates the details of the error.
      ///
      /// - Parameter debugDescription: A description for developers.
      public init(debugDescription: String) { self.debugDescription = debugDescription }
    }

    /// The details of a `quotaLimitReached` error: the quota is used up.
    public struct QuotaLimitReached: Sendable {
      /// A way to raise the quota, or `nil` if there is none.
      public var limitIncreaseSuggestion: QuotaUsage.LimitIncreaseSuggestion?
      /// The date on which the quota is reset, or `nil` if the date is unknown.
      public var resetDate: Date?
      /// A description for developers.
      public var debugDescription: String

      /// Creates the details of the error.
      ///
      /// - Parameters:
      ///   - limitIncreaseSuggestion: A way to raise the quota, or `nil` if there is none.
      ///   - resetDate: The date on which the quota is reset, or `nil` if the date is unknown.
      ///   - debugDescription: A description for developers.
      public init(
        limitIncreaseSuggestion: QuotaUsage.LimitIncreaseSuggestion? = nil,
        resetDate: Date? = nil, debugDescription: String
      ) {
        self.limitIncreaseSuggestion = limitIncreaseSuggestion
        self.resetDate = resetDate
        self.debugDescription = debugDescription
      }
    }

    /// The details of a `serviceUnavailable` error: the servers don't answer.
    public struct ServiceUnavailable: Sendable {
      /// A description for developers.
      public var debugDescription: String

      /// Creates the details of the error.
      ///
      /// - Parameter debugDescription: A description for developers.
      public init(debugDescription: String) { self.debugDescription = debugDescription }
    }

    /// The servers could not be reached.
    case networkFailure(NetworkFailure)
    /// The quota is used up.
    case quotaLimitReached(QuotaLimitReached)
    /// The servers don't answer.
    case serviceUnavailable(ServiceUnavailable)

    /// A description for developers.
    public var debugDescription: String {
      switch self {
      case .networkFailure(let facts): facts.debugDescription
      case .quotaLimitReached(let facts): facts.debugDescription
      case .serviceUnavailable(let facts): facts.debugDescription
      }
    }

    /// The text for users, which is the same as the debug description.
    public var errorDescription: String? { debugDescription }
  }

  private static let standIn = StandInModel()

  /// Creates a model that forwards requests to the registered replacement.
  public init() {}

  /// Registers the model that replaces Apple's server model in every session of this process.
  ///
  /// Apple's framework has no such method.
  ///
  /// - Parameter model: The replacement, or `nil` to remove the current one.
  public static func provide(_ model: (any LanguageModel)?) { standIn.provide(model) }

  /// Whether the model can be used.
  ///
  /// The model can be used if a replacement is registered.
  public var availability: Availability {
    Self.standIn.runner == nil ? .unavailable(.deviceNotEligible) : .available
  }

  /// Whether a replacement is registered.
  public var isAvailable: Bool { availability == .available }

  /// The usage of the quota, reported as below the limit, because a replacement has no quota.
  public var quotaUsage: QuotaUsage {
    QuotaUsage(status: .belowLimit(.init(isApproachingLimit: false)))
  }

  /// The maximum number of tokens in a conversation.
  ///
  /// Throws `Error.serviceUnavailable` if no replacement is registered, or if the replacement isn't
  /// a `DescribedLanguageModel`.
  public nonisolated(nonsending) var contextSize: Int {
    get async throws {
      guard let size = Self.standIn.contextSize else { throw Self.unavailable }
      return size
    }
  }

  /// The languages that the model supports.
  ///
  /// Without a replacement, the set is empty. If the replacement doesn't list its languages, the
  /// set contains all languages.
  public var supportedLanguages: Set<Locale.Language> { Self.standIn.languages }

  /// Returns whether the model supports the language of a locale.
  ///
  /// In later versions of OS 27, Apple's method is asynchronous; this method isn't.
  ///
  /// - Parameter locale: The locale.
  /// - Returns: True if the replacement supports the language or doesn't list its languages. False
  ///   if it doesn't support the language, or if no replacement is registered.
  public func supportsLocale(_ locale: Locale = Locale.current) -> Bool {
    Self.standIn.supports(locale)
  }

  private static var unavailable: Error {
    .serviceUnavailable(
      .init(
        debugDescription: "Apple's servers can't be reached from here; register another model with "
          + "PrivateCloudComputeLanguageModel.provide."))
  }
}

extension PrivateCloudComputeLanguageModel: LanguageModel {
  /// The capabilities of the replacement or, if none is registered, guided generation, tool calls
  /// and reasoning.
  public var capabilities: LanguageModelCapabilities {
    Self.standIn.runner?.capabilities
      ?? LanguageModelCapabilities([.guidedGeneration, .toolCalling, .reasoning])
  }

  /// An empty configuration.
  public var executorConfiguration: Executor.Configuration { Executor.Configuration() }

  /// Forwards requests to the replacement.
  public struct Executor: LanguageModelExecutor {
    /// An empty configuration, because there is only one service.
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
    public func prewarm(model: PrivateCloudComputeLanguageModel, transcript: Transcript) {
      standIn.runner?.prewarm(transcript)
    }

    /// Answers a request with the replacement.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - model: The model.
    ///   - channel: The channel that receives the answer, piece by piece.
    /// - Throws: `Error.serviceUnavailable` if no replacement is registered, or the error that the
    ///   replacement throws.
    public nonisolated(nonsending) func respond(
      to request: LanguageModelExecutorGenerationRequest, model: PrivateCloudComputeLanguageModel,
      streamingInto channel: LanguageModelExecutorGenerationChannel
    ) async throws {
      guard let runner = standIn.runner else { throw unavailable }
      try await runner.respond(to: request, streamingInto: channel)
    }
  }
}
