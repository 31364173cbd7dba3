import EvalRecords
import SystemBasics

extension BackendChoice {
  /// Returns the id of a backend that is named after its model file, before it is made unique.
  package static func name(ofModel path: String) -> String {
    let file = path.split(separator: "/").last.map(String.init) ?? path
    return String(ModelFileName.stem(file).map { $0.isWhitespace ? "-" : $0 })
  }

  /// Returns the backends in a gate that neither this run has nor a later run would have, as far as
  /// one can see: no other model file of this run or of the project, or beside one of these, has
  /// such a name.
  ///
  /// A run's only model is called `local`, so its own name is among them.
  ///
  /// - Parameters:
  ///   - gate: The gate of a suite.
  ///   - registered: The backends of the program.
  func unknownModels(in gate: GateRecord, _ registered: Registered) -> [String] {
    let paths = Array(models.values) + known.keys
    let files = Set(paths.map(OutputFolder.folder(of:))).flatMap {
      (try? FileManager.default.contentsOfDirectory(atPath: $0)) ?? []
    }
    let names = Set((files + known.keys).map(Self.name(ofModel:)))
      .subtracting(models.values.map(Self.name(ofModel:))).union(ids)
    return gate.passRateByBackend.keys.sorted().filter {
      registered.mayNameModelFile($0) && !names.contains($0)
    }
  }

  /// Whether a name is that of the run's only model, which the run calls `local`.
  func isOnlyModel(_ id: String) -> Bool {
    models.count == 1 && models.values.map(Self.name(ofModel:)).contains(id)
  }
}
