import Foundation
import GuidedGeneration
import Testing

@Suite("The table of keywords")
struct KeywordTableTests {
  @Test("the documentation agrees with the reader")
  func documentation() throws {
    let page = URL(filePath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "docs/json-schema.md")
    #expect(
      try String(contentsOf: page, encoding: .utf8) == KeywordTable.markdown,
      "docs/json-schema.md is made from KeywordTable.markdown: write it anew")
  }
}
