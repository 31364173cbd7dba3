import EvalRecords
import EvalSuites

extension BackendChoice {
  /// Returns the selected models with their names, keyed by backend id, or `nil` if the stub is the
  /// only backend.
  ///
  /// A model file has the names of all entries of the project file with its path or its digest, and
  /// the name of the file.
  ///
  /// - Parameter backends: The records of the backends.
  func selectedModels(of backends: [BackendRecord]) -> [String: SelectedModel]? {
    var selected: [String: SelectedModel] = [:]
    for backend in backends where !backend.isStub && !backend.isRecorded {
      // `--backend local` doesn't say which file the local engine runs.
      let isNamed = namesModels || namesBackends && backend.modelDigest == nil
      selected[backend.id] = SelectedModel(names: names(of: backend), isNamed: isNamed)
    }
    return selected.isEmpty ? nil : selected
  }

  private func names(of backend: BackendRecord) -> [String] {
    guard let digest = backend.modelDigest else {
      return [known[backend.id]?.name, backend.id].compactMap(\.self)
    }
    let path = models[backend.id] ?? ModelLocation.fileName
    let others = known.values.filter { $0.path != path && $0.digest == digest }.map(\.name)
    let file = path.split(separator: "/").last.map(String.init) ?? path
    let all = [known[path]?.name].compactMap(\.self) + others.sorted() + [ModelFileName.stem(file)]
    return all.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }
}
