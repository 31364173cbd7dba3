import Foundation

/// The model in the repository, if it is checked out.
enum BundledModel {
  static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
    .appendingPathComponent("evals/models")
  static let path = folder.appendingPathComponent("assay-toy.gguf").path
  static let referencePath = folder.appendingPathComponent("assay-toy.reference.json").path
  static let isPresent =
    FileManager.default.fileExists(atPath: path)
    && FileManager.default.fileExists(atPath: referencePath)
}
