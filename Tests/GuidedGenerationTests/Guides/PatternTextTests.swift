import GuidedGeneration
import RegexBuilder
import StructuredText
import Testing

@Suite("Regular expressions as guides")
struct PatternTextTests {
  /// Returns the schema's pattern for a property that has the regular expression as its guide.
  private func pattern<Output>(_ regex: Regex<Output>) -> String? {
    let property = GenerationSchema.Property(name: "code", type: String.self, guides: [regex])
    let schema = GenerationSchema(type: Bool.self, properties: [property])
    return schema.json["properties"]?["code"]?["pattern"]?.string
  }

  @Test("literals and builder expressions become patterns in the same syntax")
  func written() throws {
    #expect(pattern(/[A-Z]{2}-\d+/) == #"[A-Z]{2}\-\d+"#)
    #expect(pattern(/(?<n>a+)b/) == "(?<n>a+)b")
    #expect(pattern(/abc/.ignoresCase()) == "(?i:abc)")
    #expect(pattern(/./.dotMatchesNewlines()) == "(?s:.)")
    #expect(pattern(/[[a-z][\+\-]]/) == #"[a-z\+\-]"#)
    #expect(pattern(try Regex(#"\d{3}"#)) == #"\d{3}"#)
    #expect(
      pattern(
        Regex {
          "A-1."; OneOrMore(.digit)
        }) == #"A-1\.\d+"#)
    #expect(
      pattern(
        Regex {
          ChoiceOf {
            "a"; "bc"
          }
        }) == "a|bc")
    #expect(
      pattern(
        Regex {
          Capture {
            ChoiceOf {
              "a"; "bc"
            }
          }; "x"
        }) == "(a|bc)x")
    #expect(
      pattern(
        Regex {
          Repeat(CharacterClass("a"..."z", .anyOf("+-")), 2...4); Optionally("!")
        })
        == #"[a-z\+\-]{2,4}!?"#)
    #expect(
      pattern(
        Regex {
          ZeroOrMore(.any); OneOrMore(.anyNonNewline)
        }) == "(?s:.)*.+")
    #expect(pattern(/[.]+/) == #"[\.]+"#)
    #expect(
      pattern(
        Regex {
          OneOrMore {
            "a"; "b"
          }
        }) == "(?:ab)+")
    #expect(pattern(Regex { CharacterClass.word.subtracting(.digit) }) == #"[[\w]--[\d]]"#)
  }
}
