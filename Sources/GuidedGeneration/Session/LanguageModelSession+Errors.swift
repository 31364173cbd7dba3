import Foundation

extension LanguageModelSession {
  /// What a session does not allow.
  public enum Error: LocalizedError, Hashable, CustomDebugStringConvertible {
    /// The session is still responding.
    case concurrentRequests
    /// The transcript was changed while the session was responding.
    case transcriptMutationWhileResponding

    public var debugDescription: String {
      switch self {
      case .concurrentRequests: "The session is still responding to another request."
      case .transcriptMutationWhileResponding:
        "The transcript was changed while the session was responding."
      }
    }

    public var errorDescription: String? { debugDescription }
  }

  /// Why there is no answer, in the cases of OS 26.
  ///
  /// Sessions throw the errors of OS 27; these are for code that names them.
  public enum GenerationError: Swift.Error, LocalizedError {
    /// The context of the error.
    public struct Context: Sendable {
      public let debugDescription: String

      /// Creates a context.
      public init(debugDescription: String) { self.debugDescription = debugDescription }
    }

    /// What the model says of a refusal.
    public struct Refusal: Sendable {
      private let entries: [Transcript.Entry]

      /// Creates a refusal of the entries that led to it.
      public init(transcriptEntries: [Transcript.Entry]) { entries = transcriptEntries }

      /// The last answer in the entries.
      public nonisolated(nonsending) var explanation: Response<String> {
        get async throws {
          Response(
            content: text, rawContent: text.generatedContent, transcriptEntries: [], usage: .none)
        }
      }

      /// The last answer in the entries, as a stream.
      public var explanationStream: ResponseStream<String> {
        let text = text
        return ResponseStream<String>.of { text }
      }

      private var text: String {
        var text = ""
        for case .response(let response) in entries { text = response.segments.text }
        return text
      }
    }

    case exceededContextWindowSize(Context)
    case assetsUnavailable(Context)
    case guardrailViolation(Context)
    case unsupportedGuide(Context)
    case unsupportedLanguageOrLocale(Context)
    case decodingFailure(Context)
    case rateLimited(Context)
    case concurrentRequests(Context)
    case refusal(Refusal, Context)

    public var errorDescription: String? {
      switch self {
      case .exceededContextWindowSize(let context), .assetsUnavailable(let context),
        .guardrailViolation(let context), .unsupportedGuide(let context),
        .unsupportedLanguageOrLocale(let context), .decodingFailure(let context),
        .rateLimited(let context), .concurrentRequests(let context), .refusal(_, let context):
        context.debugDescription
      }
    }

    public var failureReason: String? { errorDescription }

    public var recoverySuggestion: String? {
      switch self {
      case .exceededContextWindowSize: "Begin a new session, or shorten the transcript."
      case .assetsUnavailable: "Wait until the model is ready, or use another."
      case .guardrailViolation, .refusal: "Ask in other words."
      case .unsupportedGuide: "Use a guide that the model keeps to."
      case .unsupportedLanguageOrLocale: "Ask in a language that the model knows."
      case .decodingFailure: "Ask again, or allow more tokens."
      case .rateLimited: "Ask again later."
      case .concurrentRequests: "Wait until the session has answered."
      }
    }
  }
}
