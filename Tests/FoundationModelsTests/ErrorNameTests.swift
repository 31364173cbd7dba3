import Foundation
import FoundationModels
import Testing

/// Returns a text made from the associated values of an error.
///
/// Apps switch over these errors without a default, so this switch must compile without one.
private func name(_ error: LanguageModelError) -> String {
  switch error {
  case .contextSizeExceeded(let facts): "context \(facts.tokenCount)/\(facts.contextSize)"
  case .rateLimited(let facts): "rate \(facts.resetDate == nil)"
  case .guardrailViolation(let facts): facts.debugDescription
  case .refusal(let facts): facts.debugDescription
  case .unsupportedCapability(let facts): "\(facts.capability == .vision)"
  case .unsupportedTranscriptContent(let facts): "\(facts.unsupportedContent.count)"
  case .unsupportedGenerationGuide(let facts): facts.schemaName ?? ""
  case .unsupportedLanguageOrLocale(let facts): facts.languageCode.identifier
  case .timeout(let facts): facts.debugDescription
  }
}

private func name(_ error: LanguageModelSession.GenerationError) -> String {
  switch error {
  case .exceededContextWindowSize(let context), .assetsUnavailable(let context),
    .guardrailViolation(let context), .unsupportedGuide(let context),
    .unsupportedLanguageOrLocale(let context), .decodingFailure(let context),
    .rateLimited(let context), .concurrentRequests(let context), .refusal(_, let context):
    context.debugDescription
  }
}

private func name(_ error: GenerationSchema.SchemaError) -> String {
  switch error {
  case .duplicateType(let schema, let type, _): "\(schema ?? "") \(type)"
  case .duplicateProperty(let schema, let property, _): "\(schema).\(property)"
  case .emptyTypeChoices(let schema, _): schema
  case .undefinedReferences(_, let references, _): references.joined()
  }
}

@Suite("Errors under Apple's names")
struct ErrorNameTests {
  @Test("errors have Apple's cases and associated values, a description and a recovery suggestion")
  func names() async throws {
    #expect(
      name(
        LanguageModelError.contextSizeExceeded(
          .init(contextSize: 4096, tokenCount: 5000, debugDescription: "long")))
        == "context 5000/4096")
    #expect(
      name(
        LanguageModelError.unsupportedLanguageOrLocale(
          .init(languageCode: "nb", debugDescription: ""))) == "nb")
    let old = LanguageModelSession.GenerationError.unsupportedGuide(
      .init(debugDescription: "a guide"))
    #expect(name(old) == "a guide" && old.errorDescription == "a guide")
    #expect(old.recoverySuggestion?.isEmpty == false)
    let entry = Transcript.Entry.response(.init(segments: [.text(.init(content: "I won't."))]))
    let refusal = LanguageModelSession.GenerationError.Refusal(transcriptEntries: [entry])
    #expect(try await refusal.explanation.content == "I won't.")
    #expect(try await refusal.explanationStream.collect().content == "I won't.")
    let empty = DynamicGenerationSchema(name: "Pick", anyOf: [String]())
    do {
      _ = try GenerationSchema(root: empty, dependencies: [])
      Issue.record("a choice with nothing to choose from was accepted")
    } catch let error as GenerationSchema.SchemaError {
      #expect(name(error) == "Pick")
      #expect(error.recoverySuggestion?.isEmpty == false)
    }
  }
}
