import EvalSuites

/// The models in Hugging Face's cache, where snapshots of repositories contain links to the files.
///
/// ```
/// models--OWNER--REPO/refs/main                      → the revision
/// models--OWNER--REPO/snapshots/REVISION/FILE.gguf   → ../../blobs/DIGEST
/// ```
struct HuggingFaceCache {
  /// The folder of repositories.
  let folder: String
  /// The access to files.
  let files: FileReading

  private static let prefix = "models--"

  /// The models in the cache.
  var models: [FoundModel] {
    let names = (try? files.names(folder))?.sorted() ?? []
    return names.prefix(10_000).filter { $0.hasPrefix(Self.prefix) }.flatMap(models(of:))
  }

  private func models(of name: String) -> [FoundModel] {
    let repository = String(
      name.dropFirst(Self.prefix.count).replacing("--", with: "/", maxReplacements: 1))
    let root = CacheFolder(path: "\(folder)/\(name)", files: files)
    guard let revision = revision(in: root.path) else { return [] }
    let snapshot = "snapshots/\(revision)"
    let paths = CacheFolder(path: "\(root.path)/\(snapshot)", files: files).relativePaths
      .filter(ModelFileName.isModel)
    return paths.map { path in
      let stem = ModelFileName.stem(path)
      var others = [repository, "\(repository):\(path)", "\(repository):\(stem)"]
      if let weights = ModelFileName.weights(path) {
        others += [weights, weights.lowercased(), weights.uppercased()].map {
          "\(repository):\($0)"
        }
      }
      return FoundModel(
        source: .huggingFace, name: paths.count == 1 ? repository : "\(repository):\(path)",
        otherNames: Set(others), file: root.file("\(snapshot)/\(path)", what: "the file"))
    }
  }

  /// Returns the revision that `main` names.
  ///
  /// Without a valid `main`, the result is the only snapshot, or `nil` if there is no snapshot or
  /// more than one.
  private func revision(in root: String) -> String? {
    if let bytes = try? files.bytes("\(root)/refs/main"), bytes.count <= 200,
      let text = String(validating: bytes, as: UTF8.self)
    {
      let revision = text.filter { !$0.isWhitespace }
      if !revision.isEmpty, revision.allSatisfy(\.isHexDigit) { return revision }
    }
    let snapshots = (try? files.names("\(root)/snapshots")) ?? []
    return snapshots.count == 1 ? snapshots.first : nil
  }
}
