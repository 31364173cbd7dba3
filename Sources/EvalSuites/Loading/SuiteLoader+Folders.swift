extension SuiteLoader {
  /// The maximum depth of the folders to search.
  private static let maximumDepth = 16

  /// Returns the suite files under a folder, sorted by path.
  func suiteFiles(
    in folder: String, _ problems: inout [SuiteProblem]
  ) -> [(path: String, file: String)] {
    var search = FolderSearch(files: files)
    search.visit(folder, relative: "", depth: 0, above: [])
    problems += search.problems
    return search.found
  }

  /// A search for suite files that visits each folder once, however many symbolic links lead to it.
  private struct FolderSearch {
    let files: FileReading
    var found: [(path: String, file: String)] = []
    var problems: [SuiteProblem] = []
    private var visited: Set<String> = []

    init(files: FileReading) { self.files = files }

    /// Visits a folder.
    ///
    /// - Parameters:
    ///   - folder: The folder.
    ///   - relative: The path of the folder, relative to the root of the search.
    ///   - depth: The number of folders from the root of the search down to this folder.
    ///   - above: The resolved paths of the folders above this one, from the root of the search
    ///     downward.
    mutating func visit(_ folder: String, relative: String, depth: Int, above: [String]) {
      let resolved = files.resolved(folder)
      // `above` begins at the root of the search, but a symbolic link may also lead to a folder
      // above the root.
      let isAbove = above.first.map { resolved == "/" || $0.hasPrefix(resolved + "/") } ?? false
      if let other = isAbove ? resolved : above.last(where: { $0 == resolved }) {
        problems.append(
          SuiteProblem(
            file: folder, line: 0, column: 0,
            problem: "a symbolic link leads back to \(other), so the folder contains itself",
            allowed: "links may lead to files, or to folders that don't contain the link"))
        return
      }
      guard visited.insert(resolved).inserted, depth < SuiteLoader.maximumDepth else { return }
      let names: [String]
      do throws(FileReading.Failure) {
        names = try files.names(folder).sorted {
          $0.unicodeScalars.lexicographicallyPrecedes($1.unicodeScalars)
        }
      } catch {
        problems.append(SuiteProblem(file: folder, line: 0, column: 0, problem: error.reason))
        return
      }
      for name in names where !name.hasPrefix(".") {
        let path = folder.hasSuffix("/") ? folder + name : folder + "/" + name
        let file = relative.isEmpty ? name : relative + "/" + name
        switch files.kind(path) {
        case .file: if SuiteLoader.fileNames.contains(name) { found.append((path, file)) }
        case .folder: visit(path, relative: file, depth: depth + 1, above: above + [resolved])
        case nil: break
        }
      }
    }
  }
}
