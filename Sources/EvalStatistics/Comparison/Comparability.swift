import EvalRecords

extension ComparisonUnit {
  /// What differs beyond the edit under test, so that a change could come from it; empty where the
  /// sides are comparable.
  ///
  /// A variant's schema, guides, instructions and prompt template may differ: they are the edit. Other
  /// seeds don't forbid a comparison; they only take the pairing away.
  var differences: [String] {
    let parts =
      backendDifferences + settingDifferences + caseDifferences + ownSettingDifferences
      + attemptDifferences
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
    changed("repeats", baseline.suite.repeats, candidate.suite.repeats)
      + optionDifferences(baseline.suite.options, candidate.suite.options)
  }

  private func optionDifferences(
    _ left: GenerationSettings, _ right: GenerationSettings
  ) -> [String] {
    changed("greedy sampling", left.isGreedy, right.isGreedy)
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

  /// What cases have of their own on one side and not on the other: repeats, options, a threshold.
  private var ownSettingDifferences: [String] {
    let (left, right) = (baseline.suite, candidate.suite)
    var casesByChange: [String: [String]] = [:]
    var order: [String] = []
    for id in left.cases.map(\.id) where right.cases.contains(where: { $0.id == id }) {
      let (before, after) = (left.details.cases?[id], right.details.cases?[id])
      guard before != after else { continue }
      func words(_ threshold: Double?) -> String { threshold.map { "\($0)" } ?? "none" }
      var changes = changed("threshold", words(before?.threshold), words(after?.threshold))
      // Where no case has its own, the suites' have been compared.
      if before?.repeats != nil || after?.repeats != nil {
        changes += changed("repeats", left.plannedRepeats(of: id), right.plannedRepeats(of: id))
      }
      if before?.options != nil || after?.options != nil {
        changes += optionDifferences(
          before?.options ?? left.options, after?.options ?? right.options)
      }
      for change in changes {
        if casesByChange[change] == nil { order.append(change) }
        casesByChange[change, default: []].append(id)
      }
    }
    return order.map { "\($0) in the cases \(Self.enumerated(casesByChange[$0] ?? []))" }
  }

  private var attemptDifferences: [String] {
    var parts: [String] = []
    for (name, slice) in [("baseline", baseline), ("candidate", candidate)] {
      let suite = slice.suite
      let planned = suite.cases.reduce(0) { $0 + suite.plannedRepeats(of: $1.id) }
      let made = slice.attempts.count { !suite.isFresh(repeatIndex: $0.key.repeatIndex) }
      if made < planned {
        parts.append(
          "\(planned - made) of \(planned.counted("attempt")) of the \(name) \(planned - made == 1 ? "was" : "were") not made"
        )
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
