import SystemBasics

/// Finds the bundled model.
package enum ModelLocation {
  /// The file's name.
  package static let fileName = "assay-toy.gguf"

  /// Returns the possible paths of the bundled model; callers use the first path that exists.
  ///
  /// ```
  /// PREFIX/bin/assay              → PREFIX/share/assay/assay-toy.gguf     (installed)
  /// CHECKOUT/.build/…/assay       → CHECKOUT/evals/models/assay-toy.gguf  (built)
  /// the working directory and its parents: evals/models/assay-toy.gguf
  /// ```
  ///
  /// - Parameters:
  ///   - executable: The path of the program.
  ///   - workingDirectory: The current directory.
  /// - Returns: Paths in order of preference.
  package static func candidates(executable: String, workingDirectory: String) -> [String] {
    let program = URL(fileURLWithPath: executable).resolvingSymlinksInPath()
    let binaries = program.deletingLastPathComponent()
    let installed = binaries.deletingLastPathComponent()
      .appendingPathComponent("share/assay/\(fileName)").path
    return [installed] + inParents(of: binaries)
      + inParents(of: URL(fileURLWithPath: workingDirectory))
  }

  private static func inParents(of folder: URL) -> [String] {
    var paths: [String] = []
    var folder = folder.standardizedFileURL
    while true {
      paths.append(folder.appendingPathComponent("evals/models/\(fileName)").path)
      let parent = folder.deletingLastPathComponent().standardizedFileURL
      if parent.path == folder.path || folder.path == "/" { return paths }
      folder = parent
    }
  }

  /// Returns the path of the bundled model, or `nil` if it can't be found.
  package static func find(executable: String, workingDirectory: String) -> String? {
    candidates(executable: executable, workingDirectory: workingDirectory)
      .first { FileManager.default.fileExists(atPath: $0) }
  }
}
