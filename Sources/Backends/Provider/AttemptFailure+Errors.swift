import EvalRecords
import GuidedGeneration
import LanguageModelSessions

extension AttemptFailure {
  /// Creates a failure for an error that a session or a provider throws.
  init(_ error: any Error) {
    let kind: Kind =
      switch error {
      case let error as LanguageModelError: Kind(error)
      case let error as LanguageModelSession.GenerationError: Kind(error)
      case let error as GeneratedContent.ParsingError: Kind(error)
      case let failure as AttemptFailure: failure.kind
      default: .backend
      }
    let message =
      switch error {
      case let failure as AttemptFailure: failure.message
      case let error as any CustomDebugStringConvertible: error.debugDescription
      default: String(describing: error)
      }
    self.init(kind: kind, message: message)
  }

  /// Returns the error that a session throws for the failure.
  ///
  /// - Parameters:
  ///   - output: The output so far.
  ///   - schema: The name of the schema.
  ///   - contextSize: The size of the model's context in tokens, or `nil` if it isn't known.
  ///   - tokenCount: The number of tokens in the prompt.
  func error(output: String, schema: String?, contextSize: Int?, tokenCount: Int) -> any Error {
    switch kind {
    case .truncated, .malformedOutput, .schemaMismatch:
      GeneratedContent.ParsingError(rawContent: output, debugDescription: message)
    case .refusal:
      LanguageModelError.refusal(.init(explanation: output, debugDescription: message))
    case .timeout: LanguageModelError.timeout(.init(debugDescription: message))
    case .contextSizeExceeded, .promptTooLong:
      LanguageModelError.contextSizeExceeded(
        .init(
          contextSize: contextSize ?? tokenCount, tokenCount: tokenCount,
          debugDescription: message))
    case .unsupportedGenerationGuide:
      LanguageModelError.unsupportedGenerationGuide(
        .init(schemaName: schema, debugDescription: message))
    case .rateLimited:
      LanguageModelError.rateLimited(.init(resetDate: nil, debugDescription: message))
    case .noAnswer, .backend, .defect: self
    }
  }
}

extension AttemptFailure.Kind {
  fileprivate init(_ error: LanguageModelError) {
    self =
      switch error {
      case .contextSizeExceeded: .contextSizeExceeded
      case .rateLimited: .rateLimited
      case .guardrailViolation, .refusal: .refusal
      case .unsupportedGenerationGuide: .unsupportedGenerationGuide
      case .timeout: .timeout
      case .unsupportedCapability, .unsupportedTranscriptContent, .unsupportedLanguageOrLocale:
        .backend
      }
  }

  fileprivate init(_ error: LanguageModelSession.GenerationError) {
    self =
      switch error {
      case .exceededContextWindowSize: .contextSizeExceeded
      case .guardrailViolation, .refusal: .refusal
      case .unsupportedGuide: .unsupportedGenerationGuide
      case .decodingFailure: .malformedOutput
      case .rateLimited: .rateLimited
      case .assetsUnavailable, .unsupportedLanguageOrLocale, .concurrentRequests: .backend
      }
  }

  fileprivate init(_ error: GeneratedContent.ParsingError) {
    let content = try? GeneratedContent(json: error.rawContent)
    self = content?.isComplete == false ? .truncated : .malformedOutput
  }
}
