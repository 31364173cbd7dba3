import Foundation

/// A folder that is removed after the test.
public final class TemporaryFolder: Sendable {
  /// The path, without symbolic links.
  public let path: String

  /// Creates an empty folder.
  public init() throws {
    let url = FileManager.default.temporaryDirectory
      .appendingPathComponent("assay-test-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    path = url.resolvingSymlinksInPath().path
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The folder as a URL.
  public var url: URL { URL(fileURLWithPath: path, isDirectory: true) }

  /// Returns the path of a file in the folder.
  public func path(_ name: String) -> String { "\(path)/\(name)" }

  /// Writes a file, and creates its folder if necessary.
  public func write(_ data: Data, to name: String) throws {
    let url = URL(fileURLWithPath: path(name))
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try data.write(to: url)
  }

  /// Writes a text file, and creates its folder if necessary.
  public func write(_ text: String, to name: String) throws {
    try write(Data(text.utf8), to: name)
  }
}
