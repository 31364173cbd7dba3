import EvalSuites

/// The selected backends and their models.
package struct BackendChoice: Sendable, Equatable {
  /// The ids of the backends, in order, without duplicates.
  package var ids: [String]
  /// The model files of local backends, keyed by backend id; a local backend without an entry uses
  /// the bundled model.
  package var models: [String: String]
  /// The name of the chat format for local models, or `nil` for the format of each file's chat
  /// template.
  package var chatFormat: String?
  /// Whether the command line names models, so that the project file's choice doesn't matter.
  package var namesModels = false
  /// Whether the command line names backends.
  package var namesBackends = false
  /// The number of threads for each local model.
  package var workers = 1
  /// Whether local models draft tokens from earlier answers.
  package var usesDrafts = true
  /// The command line's limit on the memory for each local model's keys and values, in MiB, or
  /// `nil` if the command line sets no limit.
  package var memory: Int?
  /// The project's memory limit in MiB for models that set no limit themselves, or `nil` for the
  /// default.
  package var projectMemory: Int?

  /// Returns a model's memory limit in MiB: the command line's limit if there is one, otherwise the
  /// model's own limit, otherwise the project's.
  func memory(forModelWith limit: Int?) -> Int? { memory ?? limit ?? projectMemory }

  /// The served models, keyed by backend id.
  package var served: [String: ServedChoice] = [:]

  /// The file in which to record the exchanges with servers, or `nil` for none.
  package var record: String?
  /// The recording to take answers from instead of asking the servers, or `nil` for none.
  package var replay: String?

  /// The models that the project file lists, keyed by path, with their digests, chat formats and
  /// limits.
  package var known: [String: ProjectFile.Model] = [:]

  /// The ids of the local backends that are named after their models.
  var localModels: [String] { ids.filter { $0 != "local" && models[$0] != nil } }

  /// Creates a choice.
  ///
  /// - Parameters:
  ///   - ids: The ids of the backends.
  ///   - models: The model files, by backend id.
  ///   - chatFormat: The name of the chat format, or `nil` for the format of each file's chat
  ///     template.
  package init(
    ids: [String] = ["local"], models: [String: String] = [:], chatFormat: String? = nil
  ) {
    self.ids = ids
    self.models = models
    self.chatFormat = chatFormat
  }
}
