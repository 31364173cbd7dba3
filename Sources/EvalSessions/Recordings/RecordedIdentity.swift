import EvalRecords

/// The model and the system that gave recorded answers.
package struct RecordedIdentity: Sendable, Hashable {
  /// The name of the model, or `nil` if the recordings don't name it.
  package var model: String?
  /// The version of the system, or `nil` if the recordings don't name it.
  package var system: String?
  /// The names of the model's files, with their versions.
  package var assets: [String] = []

  /// The record of the backend, which has the model's name and, as its engine, the system.
  var record: BackendRecord {
    let parts = [system].compactMap(\.self) + assets
    return BackendRecord(
      id: BackendRecord.recordedID, model: model ?? BackendRecord.recordedID,
      engine: parts.isEmpty
        ? "recorded: answers of imported transcripts"
        : BackendRecord.recordedEngine + parts.joined(separator: ", "),
      isDeterministic: false)
  }
}

extension [Recording] {
  /// Returns the recordings of each model and system, in the order in which they first appear.
  ///
  /// Recordings that name neither, for example of prompts without an answer, belong to the only
  /// system that the others name.
  package var byIdentity: [(identity: RecordedIdentity, recordings: [Recording])] {
    var groups: [(identity: RecordedIdentity, recordings: [Recording])] = []
    for recording in self {
      let key = RecordedIdentity(model: recording.facts.model, system: recording.facts.system)
      if let index = groups.firstIndex(where: { $0.identity == key }) {
        groups[index].recordings.append(recording)
      } else {
        groups.append((key, [recording]))
      }
    }
    let unnamed = groups.firstIndex { $0.identity == RecordedIdentity() }
    if let unnamed, groups.count == 2 {
      let identity = groups[1 - unnamed].identity
      groups = [(identity, self)]
    }
    for index in groups.indices {
      let names = groups[index].recordings.flatMap(\.facts.assets)
      groups[index].identity.assets = Set(names).sorted()
    }
    return groups
  }
}
