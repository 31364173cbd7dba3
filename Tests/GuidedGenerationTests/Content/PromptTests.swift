import GuidedGeneration
import Testing

@Suite("Prompts and instructions")
struct PromptTests {
  @Test("the parts of a prompt are on separate lines")
  func builder() {
    let isLong = true
    let names: [String]? = nil
    let prompt = Prompt {
      "First"
      if isLong { "Second" } else { "Not this" }
      if let names { "\(names)" }
      for word in ["a", "b"] { "Item \(word)" }
      ["x", "y"]
      GeneratedContent(properties: ["n": 1])
    }
    #expect(prompt.text == "First\nSecond\nItem a\nItem b\nx\ny\n{\"n\": 1}")
  }

  @Test("instructions are built in the same way as prompts")
  func instructions() {
    let instructions = Instructions {
      "Be brief."
      Instructions("Be kind.")
    }
    #expect(instructions.text == "Be brief.\nBe kind.")
  }
}
