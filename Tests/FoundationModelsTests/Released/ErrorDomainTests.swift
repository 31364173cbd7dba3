import Foundation
import FoundationModels
import Testing

@Suite("The domains and codes of errors")
struct ErrorDomainTests {
  @Test("NSError names errors after Apple's framework")
  func domains() {
    let guardrail: any Error = LanguageModelError.guardrailViolation(
      .init(debugDescription: "unsafe"))
    #expect((guardrail as NSError).domain == "FoundationModels.LanguageModelError")
    #expect((guardrail as NSError).code == 2)
    #expect(guardrail.localizedDescription.contains("unsafe"))
    let parsing: any Error = GeneratedContent.ParsingError(rawContent: "{", debugDescription: "cut")
    #expect((parsing as NSError).domain == "FoundationModels.GeneratedContent.ParsingError")
    #expect((parsing as NSError).code == 1)
    let old: any Error = LanguageModelSession.GenerationError.unsupportedGuide(
      .init(debugDescription: "no"))
    #expect((old as NSError).domain == "FoundationModels.LanguageModelSession.GenerationError")
  }
}
