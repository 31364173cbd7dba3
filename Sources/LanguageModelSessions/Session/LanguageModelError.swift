import GuidedGeneration
import SystemBasics

/// The reason why a model gave no answer; the enum cases are those of OS 27.
///
/// A session itself throws only the cases `unsupportedCapability`, `unsupportedGenerationGuide` and
/// `timeout`. The other cases come from the model's executor.
public enum LanguageModelError: LocalizedError, CustomDebugStringConvertible {
  /// The conversation is longer than the model's context.
  case contextSizeExceeded(ContextSizeExceeded)
  /// The app has sent too many requests.
  case rateLimited(RateLimited)
  /// The prompt or the answer violates the guardrails.
  case guardrailViolation(GuardrailViolation)
  /// The model refuses to answer.
  case refusal(Refusal)
  /// The model lacks a capability that the request needs.
  case unsupportedCapability(UnsupportedCapability)
  /// The model can't read part of the conversation.
  case unsupportedTranscriptContent(UnsupportedTranscriptContent)
  /// The grammar can't enforce a guide.
  case unsupportedGenerationGuide(UnsupportedGenerationGuide)
  /// The model doesn't support the language.
  case unsupportedLanguageOrLocale(UnsupportedLanguageOrLocale)
  /// The answer didn't arrive in time, or the model called tools for 100 rounds without answering.
  case timeout(Timeout)

  /// A description for developers.
  public var debugDescription: String {
    switch self {
    case .contextSizeExceeded(let facts): facts.debugDescription
    case .rateLimited(let facts): facts.debugDescription
    case .guardrailViolation(let facts): facts.debugDescription
    case .refusal(let facts): facts.debugDescription
    case .unsupportedCapability(let facts): facts.debugDescription
    case .unsupportedTranscriptContent(let facts): facts.debugDescription
    case .unsupportedGenerationGuide(let facts): facts.debugDescription
    case .unsupportedLanguageOrLocale(let facts): facts.debugDescription
    case .timeout(let facts): facts.debugDescription
    }
  }

  /// The text for users, which is the same as the debug description.
  public var errorDescription: String? { debugDescription }
}

extension LanguageModelError {
  /// The details of a `contextSizeExceeded` error: the conversation is longer than the model's
  /// context.
  public struct ContextSizeExceeded: Sendable {
    /// The maximum number of tokens in the model's context.
    public var contextSize: Int
    /// The number of tokens in the conversation.
    public var tokenCount: Int
    /// A description for developers.
    public var debugDescription: String
    /// Additional information about the error.
    public var metadata: [String: any Sendable]

    /// Creates the details of the error.
    ///
    /// - Parameters:
    ///   - contextSize: The maximum number of tokens in the model's context.
    ///   - tokenCount: The number of tokens in the conversation.
    ///   - debugDescription: A description for developers.
    ///   - metadata: Additional information about the error.
    public init(
      contextSize: Int, tokenCount: Int, debugDescription: String,
      metadata: [String: any Sendable] = [:]
    ) {
      self.contextSize = contextSize
      self.tokenCount = tokenCount
      self.debugDescription = debugDescription
      self.metadata = metadata
    }
  }

  /// The details of a `rateLimited` error: the app has sent too many requests.
  public struct RateLimited: Sendable {
    /// The date from which the model accepts requests again, or `nil` if it is unknown.
    public var resetDate: Date?
    /// A description for developers.
    public var debugDescription: String
    /// Additional information about the error.
    public var metadata: [String: any Sendable]

    /// Creates the details of the error.
    ///
    /// - Parameters:
    ///   - resetDate: The date from which the model accepts requests again, or `nil` if it is
    ///     unknown.
    ///   - debugDescription: A description for developers.
    ///   - metadata: Additional information about the error.
    public init(
      resetDate: Date?, debugDescription: String, metadata: [String: any Sendable] = [:]
    ) {
      self.resetDate = resetDate
      self.debugDescription = debugDescription
      self.metadata = metadata
    }
  }

  /// The details of a `guardrailViolation` error: the prompt or the answer violates the guardrails.
  public struct GuardrailViolation: Sendable {
    /// A description for developers.
    public var debugDescription: String
    /// Additional information about the error.
    public var metadata: [String: any Sendable]

    /// Creates the details of the error.
    ///
    /// - Parameters:
    ///   - debugDescription: A description for developers.
    ///   - metadata: Additional information about the error.
    public init(debugDescription: String, metadata: [String: any Sendable] = [:]) {
      self.debugDescription = debugDescription
      self.metadata = metadata
    }
  }

  /// The details of a `refusal` error: the model refuses to answer.
  public struct Refusal: Sendable {
    /// The model's explanation.
    package let explanationText: String
    /// A description for developers.
    public var debugDescription: String
    /// Additional information about the error.
    public var metadata: [String: any Sendable]

    /// Creates the details of the error.
    ///
    /// - Parameters:
    ///   - explanation: The model's explanation.
    ///   - debugDescription: A description for developers.
    ///   - metadata: Additional information about the error.
    public init(
      explanation: String, debugDescription: String, metadata: [String: any Sendable] = [:]
    ) {
      explanationText = explanation
      self.debugDescription = debugDescription
      self.metadata = metadata
    }

    /// The model's explanation as a response: the text that the error was created with.
    ///
    /// This property generates nothing and never throws.
    public nonisolated(nonsending) var explanation: LanguageModelSession.Response<String> {
      get async throws {
        LanguageModelSession.Response(
          content: explanationText, rawContent: explanationText.generatedContent,
          transcriptEntries: [], usage: .none)
      }
    }

    /// The model's explanation as a stream of one snapshot.
    public var explanationStream: LanguageModelSession.ResponseStream<String> {
      let text = explanationText
      return LanguageModelSession.ResponseStream<String>.of { text }
    }
  }

  /// The details of an `unsupportedCapability` error: the model lacks a capability that the request
  /// needs.
  public struct UnsupportedCapability: Sendable {
    /// The missing capability.
    public var capability: LanguageModelCapabilities.Capability
    /// A description for developers.
    public var debugDescription: String
    /// Additional information about the error.
    public var metadata: [String: any Sendable]

    /// Creates the details of the error.
    ///
    /// - Parameters:
    ///   - capability: The missing capability.
    ///   - debugDescription: A description for developers.
    ///   - metadata: Additional information about the error.
    public init(
      capability: LanguageModelCapabilities.Capability, debugDescription: String,
      metadata: [String: any Sendable] = [:]
    ) {
      self.capability = capability
      self.debugDescription = debugDescription
      self.metadata = metadata
    }
  }

  /// The details of an `unsupportedTranscriptContent` error: the model can't read part of the
  /// conversation.
  public struct UnsupportedTranscriptContent: Sendable {
    /// The entries that the model can't read.
    public var unsupportedContent: [Transcript.Entry]
    /// A description for developers.
    public var debugDescription: String
    /// Additional information about the error.
    public var metadata: [String: any Sendable]

    /// Creates the details of the error.
    ///
    /// - Parameters:
    ///   - unsupportedContent: The entries that the model can't read.
    ///   - debugDescription: A description for developers.
    ///   - metadata: Additional information about the error.
    public init(
      unsupportedContent: [Transcript.Entry], debugDescription: String,
      metadata: [String: any Sendable] = [:]
    ) {
      self.unsupportedContent = unsupportedContent
      self.debugDescription = debugDescription
      self.metadata = metadata
    }
  }

  /// The details of an `unsupportedGenerationGuide` error: the grammar can't enforce a guide.
  public struct UnsupportedGenerationGuide: Sendable {
    /// The name of the schema with the guide, or `nil` if it is unknown.
    public var schemaName: String?
    /// A description for developers, beginning with the place of the guide.
    public var debugDescription: String
    /// Additional information about the error.
    public var metadata: [String: any Sendable]

    /// Creates the details of the error.
    ///
    /// - Parameters:
    ///   - schemaName: The name of the schema with the guide, or `nil` if it is unknown.
    ///   - debugDescription: A description for developers, beginning with the place of the guide.
    ///   - metadata: Additional information about the error.
    public init(
      schemaName: String?, debugDescription: String, metadata: [String: any Sendable] = [:]
    ) {
      self.schemaName = schemaName
      self.debugDescription = debugDescription
      self.metadata = metadata
    }
  }

  /// The details of an `unsupportedLanguageOrLocale` error: the model doesn't support the language.
  public struct UnsupportedLanguageOrLocale: Sendable {
    /// The language that the model doesn't support.
    public var languageCode: Locale.LanguageCode
    /// A description for developers.
    public var debugDescription: String
    /// Additional information about the error.
    public var metadata: [String: any Sendable]

    /// Creates the details of the error.
    ///
    /// - Parameters:
    ///   - languageCode: The language that the model doesn't support.
    ///   - debugDescription: A description for developers.
    ///   - metadata: Additional information about the error.
    public init(
      languageCode: Locale.LanguageCode, debugDescription: String,
      metadata: [String: any Sendable] = [:]
    ) {
      self.languageCode = languageCode
      self.debugDescription = debugDescription
      self.metadata = metadata
    }
  }

  /// The details of a `timeout` error: the answer didn't arrive in time, or the model called tools
  /// for too many rounds.
  public struct Timeout: Sendable {
    /// A description for developers.
    public var debugDescription: String
    /// Additional information about the error.
    public var metadata: [String: any Sendable]

    /// Creates the details of the error.
    ///
    /// - Parameters:
    ///   - debugDescription: A description for developers.
    ///   - metadata: Additional information about the error.
    public init(debugDescription: String, metadata: [String: any Sendable] = [:]) {
      self.debugDescription = debugDescription
      self.metadata = metadata
    }
  }
}
