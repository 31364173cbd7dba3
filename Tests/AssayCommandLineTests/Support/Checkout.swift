import Foundation

/// The files and folders of the project that tests use.
enum Checkout {
  /// The root of the project.
  static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// The folder of the shipped suites.
  static let suites = root.appendingPathComponent("evals")

  /// The bundled model.
  static let model = suites.appendingPathComponent("models/assay-toy.gguf").path

  /// The built program next to the test bundle; nil if there is none.
  static var program: URL? {
    let places =
      [Bundle.main, Bundle(for: Marker.self)]
      .flatMap { [$0.executableURL?.deletingLastPathComponent(), $0.bundleURL] }
      .compactMap { $0?.resolvingSymlinksInPath() }
      .flatMap { [$0, $0.deletingLastPathComponent()] }
    return places.map { $0.appendingPathComponent("assay") }
      .first {
        var isFolder: ObjCBool = false
        let isThere = FileManager.default.fileExists(atPath: $0.path, isDirectory: &isFolder)
        return isThere && !isFolder.boolValue
          && FileManager.default.isExecutableFile(atPath: $0.path)
      }
  }

  private final class Marker {}
}
