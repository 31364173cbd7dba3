import EvalSuites

/// The selected backends and their models.
package struct BackendChoice: Sendable, Equatable {
  /// The ids of the backends, in order, without duplicates.
  package var ids: [String]
  /// The model files of local backends, by backend id; a local backend that isn't listed uses the
  /// bundled model.
  package var models: [String: String]
  /// The name of the chat format for local models; nil for the format that the model file names.
  package var chatFormat: String?
  /// The number of threads for each local model.
  package var workers = 1
  /// Whether local models draft tokens from earlier answers.
  package var usesDrafts = true
  /// The memory limit on the command line, for the keys and values of each local model, in MiB; nil
  /// if there is none.
  package var memory: Int?
  /// The project's memory limit for models without their own limit, in MiB; nil for the default.
  package var projectMemory: Int?

  /// Returns the memory limit of a model in MiB: the limit on the command line, or else the model's
  /// limit, or else the project's.
  func memory(forModelWith limit: Int?) -> Int? { memory ?? limit ?? projectMemory }

  /// The served models, by backend id.
  package var served: [String: ServedChoice] = [:]

  /// The file in which to record the exchanges with servers; nil for none.
  package var record: String?
  /// The recording to take answers from instead of asking the servers; nil for none.
  package var replay: String?

  /// The models of the project file, by path, with their digests, chat formats and limits.
  package var known: [String: ProjectFile.Model] = [:]

  /// The ids of the local backends that are named after their models.
  var localModels: [String] { ids.filter { $0 != "local" && models[$0] != nil } }

  /// Creates a choice.
  ///
  /// - Parameters:
  ///   - ids: The ids of the backends.
  ///   - models: The model files, by backend id.
  ///   - chatFormat: The name of the chat format; nil for the format that the model file names.
  package init(
    ids: [String] = ["local"], models: [String: String] = [:], chatFormat: String? = nil
  ) {
    self.ids = ids
    self.models = models
    self.chatFormat = chatFormat
  }
}
