/// A model that a run selected, with the names by which a gate can mean it.
public struct SelectedModel: Sendable, Hashable, Codable {
  /// The model's names, the usual one first: its names in the project file, and the name of its
  /// file; or the id of a backend on a server.
  public var names: [String]
  /// Whether the command line named the model, so that the project file's choice didn't matter.
  public var isNamed: Bool

  /// Creates a selected model.
  public init(names: [String], isNamed: Bool) {
    self.names = names
    self.isNamed = isNamed
  }
}

/// A suite that no gate and no baseline judges on a backend, because they were written for another
/// model.
public struct UnjudgedSuite: Sendable, Hashable {
  /// The suite's id.
  public var suite: String
  /// The backend's id.
  public var backend: String
  /// The model that the gate and the baselines were written for.
  public var model: String
  /// The model that the run used.
  public var used: SelectedModel

  /// Creates a record.
  public init(suite: String, backend: String, model: String, used: SelectedModel) {
    self.suite = suite
    self.backend = backend
    self.model = model
    self.used = used
  }

  /// The usual name of the model that the run used.
  public var usedName: String { used.names.first ?? backend }
}

extension RunRecord {
  /// The suites that no gate and no baseline judges on some backend, because they were written for
  /// another model.
  ///
  /// Gates don't judge comparisons of variants, so such a run has no unjudged suites.
  public var unjudgedSuites: [UnjudgedSuite] {
    guard comparison == nil, details.lab == nil, let models = details.selectedModels else {
      return []
    }
    return suites.flatMap { suite -> [UnjudgedSuite] in
      guard let model = suite.gate.model else { return [] }
      return backends.compactMap { backend in
        guard let used = models[backend.id], !used.names.contains(model) else { return nil }
        // A gate may give a server or a backend of a program its own rate. (The rate for `local` is
        // for any model file, so it doesn't count.)
        if backend.modelDigest == nil, suite.gate.passRateByBackend[backend.id] != nil {
          return nil
        }
        return UnjudgedSuite(suite: suite.id, backend: backend.id, model: model, used: used)
      }
    }
  }

  /// Returns whether no gate and no baseline judges a suite on any model.
  public func isUnjudged(_ suite: String) -> Bool {
    let unjudged = unjudgedSuites.filter { $0.suite == suite }
    return !unjudged.isEmpty && unjudged.count == details.selectedModels?.count
  }
}
