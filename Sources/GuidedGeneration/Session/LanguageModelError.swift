import Foundation

/// Why a model gave no answer, in the cases of OS 27.
public enum LanguageModelError: LocalizedError, CustomDebugStringConvertible {
  case contextSizeExceeded(ContextSizeExceeded)
  case rateLimited(RateLimited)
  case guardrailViolation(GuardrailViolation)
  case refusal(Refusal)
  case unsupportedCapability(UnsupportedCapability)
  case unsupportedTranscriptContent(UnsupportedTranscriptContent)
  case unsupportedGenerationGuide(UnsupportedGenerationGuide)
  case unsupportedLanguageOrLocale(UnsupportedLanguageOrLocale)
  case timeout(Timeout)

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

  public var errorDescription: String? { debugDescription }
}

extension LanguageModelError {
  /// The conversation is longer than what the model can read.
  public struct ContextSizeExceeded: Sendable {
    public var contextSize: Int
    public var tokenCount: Int
    public var debugDescription: String
    public var metadata: [String: any Sendable]

    /// Creates the details of the error.
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

  /// There were too many requests.
  public struct RateLimited: Sendable {
    public var resetDate: Date?
    public var debugDescription: String
    public var metadata: [String: any Sendable]

    /// Creates the details of the error.
    public init(
      resetDate: Date?, debugDescription: String, metadata: [String: any Sendable] = [:]
    ) {
      self.resetDate = resetDate
      self.debugDescription = debugDescription
      self.metadata = metadata
    }
  }

  /// The prompt or the answer is not allowed.
  public struct GuardrailViolation: Sendable {
    public var debugDescription: String
    public var metadata: [String: any Sendable]

    /// Creates the details of the error.
    public init(debugDescription: String, metadata: [String: any Sendable] = [:]) {
      self.debugDescription = debugDescription
      self.metadata = metadata
    }
  }

  /// The model does not want to answer.
  public struct Refusal: Sendable {
    /// What the model says of it.
    package let explanationText: String
    public var debugDescription: String
    public var metadata: [String: any Sendable]

    /// Creates the details of the error.
    public init(
      explanation: String, debugDescription: String, metadata: [String: any Sendable] = [:]
    ) {
      explanationText = explanation
      self.debugDescription = debugDescription
      self.metadata = metadata
    }

    /// What the model says of it, as a response.
    public nonisolated(nonsending) var explanation: LanguageModelSession.Response<String> {
      get async throws {
        LanguageModelSession.Response(
          content: explanationText, rawContent: explanationText.generatedContent,
          transcriptEntries: [], usage: .none)
      }
    }

    /// What the model says of it, as a stream.
    public var explanationStream: LanguageModelSession.ResponseStream<String> {
      let text = explanationText
      return LanguageModelSession.ResponseStream<String>.of { text }
    }
  }

  /// The model cannot do what is needed.
  public struct UnsupportedCapability: Sendable {
    public var capability: LanguageModelCapabilities.Capability
    public var debugDescription: String
    public var metadata: [String: any Sendable]

    /// Creates the details of the error.
    public init(
      capability: LanguageModelCapabilities.Capability, debugDescription: String,
      metadata: [String: any Sendable] = [:]
    ) {
      self.capability = capability
      self.debugDescription = debugDescription
      self.metadata = metadata
    }
  }

  /// The model cannot read a part of the conversation.
  public struct UnsupportedTranscriptContent: Sendable {
    public var unsupportedContent: [Transcript.Entry]
    public var debugDescription: String
    public var metadata: [String: any Sendable]

    /// Creates the details of the error.
    public init(
      unsupportedContent: [Transcript.Entry], debugDescription: String,
      metadata: [String: any Sendable] = [:]
    ) {
      self.unsupportedContent = unsupportedContent
      self.debugDescription = debugDescription
      self.metadata = metadata
    }
  }

  /// The grammar cannot enforce a guide.
  public struct UnsupportedGenerationGuide: Sendable {
    public var schemaName: String?
    public var debugDescription: String
    public var metadata: [String: any Sendable]

    /// Creates the details of the error.
    public init(
      schemaName: String?, debugDescription: String, metadata: [String: any Sendable] = [:]
    ) {
      self.schemaName = schemaName
      self.debugDescription = debugDescription
      self.metadata = metadata
    }
  }

  /// The model does not know the language.
  public struct UnsupportedLanguageOrLocale: Sendable {
    public var languageCode: Locale.LanguageCode
    public var debugDescription: String
    public var metadata: [String: any Sendable]

    /// Creates the details of the error.
    public init(
      languageCode: Locale.LanguageCode, debugDescription: String,
      metadata: [String: any Sendable] = [:]
    ) {
      self.languageCode = languageCode
      self.debugDescription = debugDescription
      self.metadata = metadata
    }
  }

  /// There was no answer in time.
  public struct Timeout: Sendable {
    public var debugDescription: String
    public var metadata: [String: any Sendable]

    /// Creates the details of the error.
    public init(debugDescription: String, metadata: [String: any Sendable] = [:]) {
      self.debugDescription = debugDescription
      self.metadata = metadata
    }
  }
}
