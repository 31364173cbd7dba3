import EvalFindings
import EvalReports
import Foundation
import Testing

@Suite("Glossary")
struct GlossaryTests {
  @Test("`docs/glossary.md` equals the glossary in the program")
  func page() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let file = root.appendingPathComponent("docs/glossary.md")
    if ProcessInfo.processInfo.environment["ASSAY_REGENERATE"] != nil {
      try Glossary.markdown.write(to: file, atomically: true, encoding: .utf8)
    }
    #expect(try String(contentsOf: file, encoding: .utf8) == Glossary.markdown)
  }

  @Test("a page for users needs each term")
  func needed() throws {
    let docs = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("docs")
    let pages = try FileManager.default.contentsOfDirectory(atPath: docs.path)
      .filter { $0.hasSuffix(".md") && $0 != "glossary.md" }
      .map { try String(contentsOf: docs.appendingPathComponent($0), encoding: .utf8) }
    for entry in Glossary.entries {
      let term = String(entry.term.prefix { $0 != "(" }).trimmingCharacters(in: .whitespaces)
      #expect(pages.contains { $0.localizedCaseInsensitiveContains(term) }, "\(entry.term)")
    }
  }

  @Test("terms are in alphabetical order and unique, and each explanation ends with a full stop")
  func order() {
    let terms = Glossary.entries.map { $0.term.lowercased() }
    #expect(terms == terms.sorted() && Set(terms).count == terms.count)
    #expect(Glossary.entries.allSatisfy { $0.text.hasSuffix(".") })
  }
}
