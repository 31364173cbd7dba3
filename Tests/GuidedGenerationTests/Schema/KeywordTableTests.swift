import Foundation
import GuidedGeneration
import Testing

@Suite("The table of keywords")
struct KeywordTableTests {
  @Test("`docs/json-schema.md` equals the table in the program")
  func documentation() throws {
    let page = URL(filePath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "docs/json-schema.md")
    if ProcessInfo.processInfo.environment["ASSAY_REGENERATE"] != nil {
      try KeywordTable.markdown.write(to: page, atomically: true, encoding: .utf8)
    }
    #expect(
      try String(contentsOf: page, encoding: .utf8) == KeywordTable.markdown,
      "docs/json-schema.md is out of date: run the tests once with ASSAY_REGENERATE=1")
  }
}
