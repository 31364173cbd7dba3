import Foundation
import GuidedGeneration
import StructuredText
import Testing

@Suite("The schemas of the eval suites")
struct EvalSchemaTests {
  private static let folder = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "evals")

  /// The schema files of all suites that have one.
  private static var files: [URL] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.sorted().map { folder.appending(path: "\($0)/schema.json") }
      .filter { FileManager.default.fileExists(atPath: $0.path) }
  }

  @Test("at least one suite has a schema file")
  func found() { #expect(!Self.files.isEmpty) }

  @Test("each schema is unchanged after it is read and written", arguments: files)
  func identity(file: URL) throws {
    let json = try JSONValue(parsing: String(contentsOf: file, encoding: .utf8))
    let schema = try GenerationSchema(json: json)
    #expect(schema.json == json)
    #expect(!schema.outline.isEmpty)
  }
}
