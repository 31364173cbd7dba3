import GuidedGeneration
import LanguageModelSessions
import RegexBuilder
import Testing

@Suite("Guides that can't be enforced")
struct UnsupportedGuideTests {
  /// Checks that a request with the expression is rejected, and that the error contains a word.
  private func checkRefused<Output>(_ regex: Regex<Output>, _ word: String) async {
    let property = GenerationSchema.Property(name: "code", type: String.self, guides: [regex])
    let schema = GenerationSchema(type: Bool.self, properties: [property])
    let model = ScriptedModel(ScriptedModel.text(#"{"code": "a"}"#))
    await #expect {
      try await LanguageModelSession(model: model).respond(to: "?", schema: schema)
    } throws: { error in
      guard case .unsupportedGenerationGuide(let facts) = error as? LanguageModelError else {
        return false
      }
      return facts.schemaName == "Bool" && facts.debugDescription.hasPrefix("Bool.code: ")
        && facts.debugDescription.contains(word)
    }
    #expect(model.requests.isEmpty)
  }

  @Test("an expression without an equivalent pattern is rejected, and the error names the property")
  func unwritable() async {
    await checkRefused(
      Regex {
        TryCapture {
          OneOrMore(.digit)
        } transform: {
          Int($0)
        }
      }, "transform")
    await checkRefused(
      Regex {
        ChoiceOf {
          "a"; "bc"
        }; "x"
      }, "Capture")
    await checkRefused(
      Regex {
        /a|b/; "c"
      }, "Capture")
    await checkRefused(
      Regex {
        OneOrMore {
          ChoiceOf {
            "a"; "b"
          }
        }
      }, "Capture")
    await checkRefused(Regex { OneOrMore { OneOrMore { "a" } } }, "Capture")
    await checkRefused(Regex { Repeat(2...3) { /ab/ } }, "Capture")
    await checkRefused(Regex { CharacterClass(.anyNonNewline, .anyOf("\n")) }, "any character")
  }

  @Test(
    "the error for a choice without options gives its place, even in an array or a dynamic schema")
  func noChoices() async throws {
    func place(_ schema: GenerationSchema) async -> String? {
      do {
        _ = try await LanguageModelSession(model: ScriptedModel()).respond(to: "?", schema: schema)
      } catch LanguageModelError.unsupportedGenerationGuide(let facts) {
        return facts.debugDescription
      } catch {}
      return nil
    }
    let city = GenerationSchema.Property(name: "city", type: String.self, guides: [.anyOf([])])
    #expect(
      await place(GenerationSchema(type: Bool.self, properties: [city]))
        == "Bool.city: there is nothing to choose from")
    let cities = GenerationSchema.Property(
      name: "cities", type: [String].self, guides: [.element(.anyOf([]))])
    #expect(
      await place(GenerationSchema(type: Bool.self, properties: [cities]))
        == "Bool.cities[]: there is nothing to choose from")
    let never = GenerationSchema.Property(
      name: "never", type: String.self, guides: [.constant("a"), .constant("b")])
    #expect(
      await place(GenerationSchema(type: Bool.self, properties: [never]))
        == "Bool.never: there is nothing to choose from")
    let schema = GenerationSchema(type: Bool.self, properties: [city])
    #expect(throws: SchemaReadError.self) { try GenerationSchema(json: schema.json) }
    let dynamic = DynamicGenerationSchema(type: String.self, guides: [.anyOf([])])
    #expect(
      await place(try GenerationSchema(root: dynamic, dependencies: []))
        == "String: there is nothing to choose from")
  }
}
