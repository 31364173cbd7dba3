extension RunRecord {
  /// Takes the names of the models and builds that answered from the run's attempts.
  ///
  /// A process knows only the answers that it received itself. The attempts also have those of an
  /// earlier process that was killed, of the cache and of an earlier run. Call this function when
  /// a run ends, and for every run that is stored as a whole. If no attempt on a backend has
  /// details of a server, the names stay.
  ///
  /// - Parameter attempts: All attempts of the run.
  package mutating func takeServedNames(from attempts: [AttemptRecord]) {
    guard let backends = details.served?.keys else { return }
    var found: [String: (models: [String: Int], fingerprints: [String: Int])] = [:]
    for attempt in attempts where backends.contains(attempt.key.backend) {
      guard let answer = attempt.details.served else { continue }
      var names = found.removeValue(forKey: attempt.key.backend) ?? ([:], [:])
      if let model = answer.model { names.models[model, default: 0] += 1 }
      if let build = answer.fingerprint { names.fingerprints[build, default: 0] += 1 }
      found[attempt.key.backend] = names
    }
    for (backend, names) in found {
      details.served?[backend]?.models = names.models
      details.served?[backend]?.fingerprints = names.fingerprints
    }
  }
}
