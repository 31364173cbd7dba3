import Foundation
import LocalModels
import StructuredText
import TestSupport
import Testing

@testable import EvalSessions

@Suite("Remembered digests of model files")
struct ModelDigestTests {
  /// A change of a model's file, or of its entry in the cache, between two runs.
  enum Change: CaseIterable {
    case nothing, content, entryIsDamaged, entryIsOfAnotherFile
  }

  private static let toy = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("evals/models/assay-toy.gguf")

  /// A temporary folder with a copy of the toy model and a cache.
  private final class Folder {
    private let temporary: TemporaryFolder
    var path: String { temporary.path }
    var model: String { path + "/toy.gguf" }
    var entries: [String] {
      let folder = path + "/cache/assay/models"
      return ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [])
        .map { "\(folder)/\($0)" }
    }

    init() throws {
      temporary = try TemporaryFolder()
      try FileManager.default.copyItem(atPath: ModelDigestTests.toy.path, toPath: model)
    }

    /// Returns the digest that a run `seconds` after the last change of the file would report.
    func digest(after seconds: Double = 60, home: String? = nil) throws -> String {
      let model = try LocalModel(path: model)
      let now = model.fileIdentity.changed + seconds
      return ModelDigests(
        environment: ["XDG_CACHE_HOME": home ?? path + "/cache"], now: { now }
      ).digest(of: model, at: self.model)
    }

    /// Appends a byte, which changes the digest, but not the tensors.
    func grow() throws {
      let file = try FileHandle(forUpdating: URL(fileURLWithPath: model))
      try file.seekToEnd()
      try file.write(contentsOf: [0])
      try file.close()
    }

    var actual: String {
      get throws {
        SHA256.hexDigest(of: [UInt8](try Data(contentsOf: URL(fileURLWithPath: model))))
      }
    }
  }

  @Test(
    "the digest is that of the file, whatever changed since the last run",
    arguments: Change.allCases)
  func changes(_ change: Change) throws {
    let folder = try Folder()
    #expect(try folder.digest() == folder.actual)
    let entry = try #require(folder.entries.first)
    switch change {
    case .nothing: break
    case .content: try folder.grow()
    case .entryIsDamaged: try Data("{\"file\":".utf8).write(to: URL(fileURLWithPath: entry))
    case .entryIsOfAnotherFile:
      let other = #"{"file":"1:2:3:4.0:5.0","sha256":"\#(String(repeating: "0", count: 64))"}"#
      try Data(other.utf8).write(to: URL(fileURLWithPath: entry))
    }
    #expect(try folder.digest() == folder.actual)
    #expect(folder.entries.count == 1)
  }

  @Test("an unchanged file isn't read again")
  func memory() throws {
    let folder = try Folder()
    _ = try folder.digest()
    let entry = try #require(folder.entries.first)
    let text = try String(contentsOfFile: entry, encoding: .utf8)
    let mark = String(repeating: "a", count: 64)
    try text.replacing(try folder.actual, with: mark)
      .write(toFile: entry, atomically: true, encoding: .utf8)
    #expect(try folder.digest() == mark)
  }

  @Test("the digest of a file that has just changed isn't remembered")
  func recentChange() throws {
    let folder = try Folder()
    #expect(try folder.digest(after: 1) == folder.actual)
    #expect(folder.entries.isEmpty)
  }

  @Test(
    "without a usable cache folder, every run computes the digest", arguments: ["/dev/null", ""])
  func noFolder(_ home: String) throws {
    let folder = try Folder()
    #expect(try folder.digest(home: home) == folder.actual)
    #expect(folder.entries.isEmpty)
  }
}
