import GuidedGeneration
import SystemBasics

extension LanguageModelSession {
  /// An error in how the app uses a session.
  public enum Error: LocalizedError, Hashable, CustomDebugStringConvertible {
    /// The session is still responding to another request.
    case concurrentRequests
    /// The app set the transcript while the session was responding.
    case transcriptMutationWhileResponding

    /// A description for developers.
    public var debugDescription: String {
      switch self {
      case .concurrentRequests: "The session is still responding to another request."
      case .transcriptMutationWhileResponding:
        "The transcript was changed while the session was responding."
      }
    }

    /// The text for users, which is the same as the debug description.
    public var errorDescription: String? { debugDescription }
  }

  /// The reason why there is no answer; the enum cases are those of OS 26.
  ///
  /// Sessions throw the errors of OS 27: `LanguageModelError`, `Error` and others. In Apple's
  /// framework, the version of Xcode that built the app decides which errors are thrown. Here,
  /// these cases exist only so that code that names them compiles.
  public enum GenerationError: Swift.Error, LocalizedError {
    /// The context of the error.
    public struct Context: Sendable {
      /// A description for developers.
      public let debugDescription: String

      /// Creates a context.
      ///
      /// - Parameter debugDescription: A description for developers.
      public init(debugDescription: String) { self.debugDescription = debugDescription }
    }

    /// The model's refusal to answer.
    public struct Refusal: Sendable {
      private let entries: [Transcript.Entry]

      /// Creates a refusal from the entries that led to it.
      ///
      /// - Parameter transcriptEntries: The entries; the last response explains the refusal.
      public init(transcriptEntries: [Transcript.Entry]) { entries = transcriptEntries }

      /// The explanation of the refusal: the last response in the entries.
      ///
      /// Apple's framework generates the explanation; this property generates nothing and never
      /// throws.
      public nonisolated(nonsending) var explanation: Response<String> {
        get async throws {
          Response(
            content: text, rawContent: text.generatedContent, transcriptEntries: [], usage: .none)
        }
      }

      /// The explanation of the refusal as a stream of one snapshot.
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

    /// The conversation is longer than the model's context.
    case exceededContextWindowSize(Context)
    /// No model is available.
    case assetsUnavailable(Context)
    /// The prompt or the answer violates the guardrails.
    case guardrailViolation(Context)
    /// The grammar can't enforce a guide.
    case unsupportedGuide(Context)
    /// The model doesn't support the language.
    case unsupportedLanguageOrLocale(Context)
    /// The answer could not be decoded as the requested type.
    case decodingFailure(Context)
    /// The app has sent too many requests.
    case rateLimited(Context)
    /// The session was still responding to another request.
    case concurrentRequests(Context)
    /// The model refuses to answer.
    case refusal(Refusal, Context)

    /// The text for users, which is the same as the debug description.
    public var errorDescription: String? {
      switch self {
      case .exceededContextWindowSize(let context), .assetsUnavailable(let context),
        .guardrailViolation(let context), .unsupportedGuide(let context),
        .unsupportedLanguageOrLocale(let context), .decodingFailure(let context),
        .rateLimited(let context), .concurrentRequests(let context), .refusal(_, let context):
        context.debugDescription
      }
    }

    /// The same text as the error description.
    public var failureReason: String? { errorDescription }

    /// Advice for solving the problem.
    public var recoverySuggestion: String? {
      switch self {
      case .exceededContextWindowSize: "Start a new session, or shorten the transcript."
      case .assetsUnavailable: "Wait until the model is ready, or use another model."
      case .guardrailViolation, .refusal: "Rephrase the request."
      case .unsupportedGuide: "Use a guide that the model supports."
      case .unsupportedLanguageOrLocale: "Ask in a language that the model supports."
      case .decodingFailure: "Try again, or allow more tokens."
      case .rateLimited: "Try again later."
      case .concurrentRequests: "Wait until the session has answered."
      }
    }
  }
}
