import EvalSuites

/// The models of LM Studio: GGUF files in folders `PUBLISHER/REPOSITORY`.
///
/// This type follows links to files elsewhere, because LM Studio creates such links when it imports
/// a file.
struct LMStudioCache {
  /// The folder of models.
  let folder: String
  /// The access to files.
  let files: FileReading

  /// The models in the cache.
  var models: [FoundModel] {
    let paths = CacheFolder(path: folder, files: files).relativePaths
      .filter(ModelFileName.isModel)
    let perFolder = Dictionary(grouping: paths, by: Self.folder(of:)).mapValues(\.count)
    return paths.map { path in
      let own = Self.folder(of: path)
      let isOnly = perFolder[own] == 1 && !own.isEmpty
      var names = Self.endings(of: path) + Self.endings(of: ModelFileName.stem(path))
      names += Self.endings(of: own)
      return FoundModel(
        source: .lmStudio, name: isOnly ? own : path, otherNames: Set(names), file: file(path))
    }
  }

  private func file(_ path: String) -> Result<String, FoundModel.Problem> {
    let whole = "\(folder)/\(path)"
    guard files.kind(whole) == .file else {
      return .failure(
        FoundModel.Problem(path: whole, reason: "the file is missing, or its links are broken"))
    }
    return .success(files.resolved(whole))
  }

  private static func folder(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
  }

  /// Returns the path and its endings: for `a/b/c`, also `b/c` and `c`.
  private static func endings(of path: String) -> [String] {
    let parts = path.split(separator: "/")
    return parts.indices.map { parts[$0...].joined(separator: "/") }
  }
}
