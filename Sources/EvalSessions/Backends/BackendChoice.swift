import EvalSuites

/// Which backends answer, and on which models.
package struct BackendChoice: Sendable, Equatable {
  /// The ids of the backends, in order, each once.
  package var ids: [String]
  /// The model files of local backends, by the backend's id; a local backend without one uses the
  /// bundled model.
  package var models: [String: String]
  /// The name of the chat format of local models; nil for the one that the model file names.
  package var chatFormat: String?
  /// The threads on which each local model decodes.
  package var workers = 1
  /// The most memory for the keys and values of each local model, in MiB; nil for the default.
  package var memory: Int?

  /// The served models, by the backend's id.
  package var served: [String: ServedChoice] = [:]

  /// The file in which exchanges with servers are recorded; nil for none.
  package var record: String?
  /// The recording that answers in place of servers; nil for none.
  package var replay: String?

  /// The models of the project file by their paths, for their digests and chat formats.
  package var known: [String: ProjectFile.Model] = [:]

  /// Creates a choice.
  ///
  /// - Parameters:
  ///   - ids: The ids of the backends.
  ///   - models: The model files, by the backend's id.
  ///   - chatFormat: The name of the chat format; nil for the one that the model file names.
  package init(
    ids: [String] = ["local"], models: [String: String] = [:], chatFormat: String? = nil
  ) {
    self.ids = ids
    self.models = models
    self.chatFormat = chatFormat
  }
}
