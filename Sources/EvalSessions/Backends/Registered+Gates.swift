import EvalRecords
internal import ModelServers
import StructuredText

extension Registered {
  /// The ids of all backends that aren't named after a model.
  private var knownIDs: [String] {
    ["local", "stub", BackendRecord.recordedID] + backends.map(\.record.id)
  }

  /// Returns whether an id in a gate can only be the name of a model file.
  func mayNameModelFile(_ id: String) -> Bool {
    !knownIDs.contains(id) && !ServedModelName.isServed(id)
  }

  /// Returns the problem with the id of a backend in a gate, and what is allowed, or `nil` if there
  /// can be such a backend.
  ///
  /// If a run names several model files, the backends have the names of the files. So only names
  /// that are nearly the name of another backend, or the name of a server, are refused.
  @Sendable func backendProblem(_ id: String) -> (problem: String, allowed: String)? {
    let known = knownIDs
    if known.contains(id) { return nil }
    let problem = "there is no backend `\(id)`"
    let near = known.first { NearestName.distance($0, id.lowercased()) <= 1 }
    if let near {
      let hint = NearestName.hint(for: id, meaning: near, among: known, what: "backends")
      return (problem, hint)
    }
    if let interface = HostedModels.interface(of: id), interface != .ollama {
      return (problem, "did you mean `\(interface.rawValue):\(id)`?")
    }
    guard ServedModelName.isServed(id) else { return nil }
    do throws(ServedModelName.Problem) {
      _ = try ServedModelName(parsing: id)
      return nil
    } catch {
      // An id has no address.
      if case .noAddress = error { return nil }
      return ("\(error)", "")
    }
  }
}
