import EvalRecords

extension ComparisonUnit {
  /// What differs beyond the edit under test, so that a change could come from it; empty where the
  /// sides are comparable.
  ///
  /// A variant's schema, guides, instructions and prompt template may differ: they are the edit. Other
  /// seeds don't forbid a comparison; they only take the pairing away.
  var differences: [String] {
    let parts = backendDifferences + settingDifferences + caseDifferences + attemptDifferences
    return parts.map { "\(scope): \($0)" }
  }

  private func changed<Value: Equatable>(
    _ name: String, _ baseline: Value, _ candidate: Value
  ) -> [String] {
    baseline == candidate ? [] : ["\(name) \(baseline) → \(candidate)"]
  }

  private var backendDifferences: [String] {
    let (left, right) = (baseline.backend, candidate.backend)
    func short(_ digest: String?) -> String { digest.map { String($0.prefix(12)) } ?? "none" }
    let digests =
      left.modelDigest == right.modelDigest
      ? [] : ["model digest \(short(left.modelDigest)) → \(short(right.modelDigest))"]
    return changed("model", left.model, right.model) + digests
      + changed("engine", left.engine, right.engine)
  }

  private var settingDifferences: [String] {
    let (left, right) = (baseline.suite.options, candidate.suite.options)
    return changed("repeats", baseline.suite.repeats, candidate.suite.repeats)
      + changed("greedy sampling", left.isGreedy, right.isGreedy)
      + changed("temperature", left.temperature, right.temperature)
      + changed("top-k", left.topK, right.topK) + changed("top-p", left.topP, right.topP)
      + changed("min-p", left.minP, right.minP)
      + changed("maximum tokens", left.maximumTokens, right.maximumTokens)
      + changed("white space", left.whitespace.rawValue, right.whitespace.rawValue)
      + changed("tokenization", left.tokenization.rawValue, right.tokenization.rawValue)
  }

  private var caseDifferences: [String] {
    let left = Dictionary(
      baseline.suite.cases.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    let right = Dictionary(
      candidate.suite.cases.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    let common = baseline.suite.cases.filter { right[$0.id] != nil }
    let lists: [(String, [String])] = [
      ("only in the baseline", baseline.suite.cases.map(\.id).filter { right[$0] == nil }),
      ("only in the candidate", candidate.suite.cases.map(\.id).filter { left[$0] == nil }),
      (
        "with another input",
        common.filter { $0.variables != right[$0.id]?.variables }.map(\.id)
      ),
      (
        "with other assertions",
        common.filter {
          $0.assertions != right[$0.id]?.assertions
            || $0.expectedBranches != right[$0.id]?.expectedBranches
        }.map(\.id)
      ),
    ]
    return lists.filter { !$0.1.isEmpty }.map { "cases \($0.0): \(Self.enumerated($0.1))" }
  }

  private var attemptDifferences: [String] {
    var parts: [String] = []
    for (name, slice) in [("baseline", baseline), ("candidate", candidate)] {
      let planned = slice.suite.cases.count * slice.suite.repeats
      if slice.attempts.count < planned {
        parts.append(
          "\(planned - slice.attempts.count) of \(planned) attempts of the \(name) were not made")
      }
    }
    if baseline.run.status == .interrupted, baseline.run.id != candidate.run.id {
      parts.append("the baseline's run was interrupted")
    }
    return parts
  }

  /// The first names, and how many more there are.
  static func enumerated(_ names: [String], limit: Int = 5) -> String {
    let shown = names.prefix(limit).joined(separator: ", ")
    return names.count > limit ? "\(shown) and \(names.count - limit) more" : shown
  }
}
