extension RunRecord {
  /// Returns whether a run counts as made on one of the branches.
  ///
  /// A run outside a repository has neither a commit nor a branch, so it counts on every branch. A
  /// run on a detached HEAD whose branch no variable names counts on none: nobody knows where its
  /// commit belongs.
  ///
  /// - Parameters:
  ///   - branches: The names of the branches.
  ///   - branch: The run's branch.
  ///   - commit: The run's commit.
  package static func isOn(_ branches: [String], branch: String?, commit: String?) -> Bool {
    branch.map(branches.contains) ?? (commit == nil)
  }

  /// Whether the run was made in a repository, but on no known branch.
  package var hasUnknownBranch: Bool { details.branch == nil && commit != nil }

  /// The names of the backends and their models.
  package var modelNames: [String] { backends.map(\.modelName) }
}

extension BackendRecord {
  /// The names of the backend and its model, with the beginning of the model's digest.
  package var modelName: String { Self.name(id: id, model: model, digest: modelDigest) }

  /// Returns the names of a backend and its model: `local (SmolLM2 135M, b179c9523d0e)`.
  package static func name(id: String, model: String, digest: String?) -> String {
    let model = digest.map { "\(model), \($0.prefix(12))" } ?? model
    return id == model ? id : "\(id) (\(model))"
  }

  /// Whether another backend has the same id and model.
  package func isLike(_ other: BackendRecord) -> Bool {
    id == other.id && model == other.model && modelDigest == other.modelDigest
  }
}
