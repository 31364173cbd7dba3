import EvalRecords

extension ComparisonUnit {
  /// The differences between the sides, except the edit under test, each with its consequence for
  /// the comparison.
  ///
  /// A variant's schema, guides, instructions and prompt template may differ, because they are the
  /// edit. Different seeds don't prevent a comparison; they only rule out paired tests.
  var differences: [ComparisonDifference] {
    let changes = SettingChanges(baseline, candidate)
    let facts =
      backendDifferences + changes.ofSuites + part
      + changes.ofGate(backends: (baseline.backend.id, candidate.backend.id))
    return facts.map { ComparisonDifference(place: place, fact: $0) }
  }

  private var backendDifferences: [ComparisonDifference.Fact] {
    let (left, right) = (baseline.backend, candidate.backend)
    let changes = [
      SettingChanges.Change(
        name: .measurementProtocol, before: .integer(baseline.run.measurementProtocol),
        after: .integer(candidate.run.measurementProtocol)),
      SettingChanges.Change(
        name: .model, before: .text(Self.modelName(left, beside: right)),
        after: .text(right.model)),
      SettingChanges.Change(
        name: .modelDigest, before: left.modelDigest.map { .text($0) } ?? .none,
        after: right.modelDigest.map { .text($0) } ?? .none),
    ]
    var engine: [ComparisonDifference.Fact] = []
    if left.isRecorded, right.isRecorded, left.engine != right.engine {
      let (before, after) = left.recordedChange(to: right)
      engine = [.servedChange(part: .system, before: before, after: after)]
    } else if left.engine != right.engine {
      engine = [
        left.isForeign && right.isForeign
          ? .servedChange(part: .engine, before: left.engine, after: right.engine)
          : .setting(name: .engine, before: .text(left.engine), after: .text(right.engine))
      ]
    }
    return changes.compactMap { $0.fact() } + engine + servedDifferences
  }

  /// Returns the name of a backend's model or, if only one of two recordings names its model, that
  /// name: recordings that don't name their model can still be of the same one.
  private static func modelName(_ left: BackendRecord, beside right: BackendRecord) -> String {
    let isUnnamed = [left, right].contains { $0.model == BackendRecord.recordedID }
    return left.isRecorded && right.isRecorded && isUnnamed ? right.model : left.model
  }

  /// The differences between the models that answered, by the names that the server reported.
  ///
  /// Either several models answered on one side, or different models answered on the two sides. If
  /// both names are versions of the name that the runs asked for, the server's model has changed by
  /// itself, and the comparison is made; otherwise, somebody replaced the model.
  private var servedDifferences: [ComparisonDifference.Fact] {
    let sides: [(ComparedRole, [String])] = [(.baseline, baseline), (.candidate, candidate)]
      .map { side, slice in
        (side, (slice.run.details.served?[slice.backend.id]?.models.keys).map { $0.sorted() } ?? [])
      }
    let changed = sides.filter { $0.1.count > 1 }
      .map { ComparisonDifference.Fact.changedModel(side: $0.0, models: $0.1) }
    guard changed.isEmpty, let before = sides[0].1.first, let after = sides[1].1.first else {
      return changed
    }
    guard before == after else {
      let asked = candidate.backend.model
      let isVersion = before.isVersion(of: asked) && after.isVersion(of: asked)
      return [
        isVersion
          ? .servedChange(part: .model, before: before, after: after)
          : .setting(name: .servedModel, before: .text(before), after: .text(after))
      ]
    }
    return [changedBuild].compactMap(\.self)
  }

  /// The change of the server's build, or `nil` if both sides met a common build or the server
  /// named none.
  private var changedBuild: ComparisonDifference.Fact? {
    let builds = [baseline, candidate].map { slice in
      (slice.run.details.served?[slice.backend.id]?.fingerprints ?? [:]).keys.sorted()
    }
    guard let before = builds[0].first, let after = builds[1].last,
      Set(builds[0]).isDisjoint(with: builds[1])
    else { return nil }
    let isApple = candidate.backend.engine.hasPrefix(BackendRecord.appleEngine)
    return .servedChange(part: isApple ? .system : .build, before: before, after: after)
  }
}

extension BackendRecord {
  /// Whether a program of the user's or a system's service answers, so that the engine can change
  /// without anybody changing the evaluation.
  fileprivate var isForeign: Bool {
    modelDigest == nil
      && !["assay ", "served, ", "stub", "recorded"].contains { engine.hasPrefix($0) }
  }
}

extension BackendRecord {
  /// The system that gave recorded answers, and the model's files with their versions.
  private var recordedParts: [String] {
    engine.hasPrefix(Self.recordedEngine)
      ? engine.dropFirst(Self.recordedEngine.count).split(separator: ", ").map(String.init)
      : ["an unnamed one"]
  }

  /// Returns what differs between the systems that gave recorded answers: their versions or, if
  /// these are equal, the model's files that only one of them has.
  fileprivate func recordedChange(to other: BackendRecord) -> (before: String, after: String) {
    let (before, after) = (recordedParts, other.recordedParts)
    if before.first != after.first {
      return (before.first ?? "an unnamed one", after.first ?? "an unnamed one")
    }
    func only(_ parts: [String], not others: [String]) -> String {
      let own = parts.filter { !others.contains($0) }
      return own.isEmpty ? "none" : own.joined(separator: ", ")
    }
    return (only(before, not: after), only(after, not: before))
  }
}

extension String {
  /// Returns whether a reported name is a version of the name of a model: `gpt-5-2026-01-31` is a
  /// version of `gpt-5`, and so is `gpt-5` itself.
  fileprivate func isVersion(of model: String) -> Bool {
    guard !model.isEmpty, hasPrefix(model) else { return false }
    let rest = dropFirst(model.count)
    // A version is digits and separators: another size of a model is another model.
    return rest.allSatisfy { $0.isASCII && ($0.isNumber || "-.:@_v".contains($0)) }
      || rest == ":latest"
  }
}
