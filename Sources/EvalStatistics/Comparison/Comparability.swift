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
      SettingChanges.Change(name: .model, before: .text(left.model), after: .text(right.model)),
      SettingChanges.Change(
        name: .modelDigest, before: left.modelDigest.map { .text($0) } ?? .none,
        after: right.modelDigest.map { .text($0) } ?? .none),
      SettingChanges.Change(
        name: .engine, before: .text(left.engine), after: .text(right.engine)),
    ]
    return changes.compactMap { $0.fact() } + servedDifferences
  }

  /// The differences between the models that answered, by the names that the server reported.
  ///
  /// Either several models answered on one side, or different models answered on the two sides.
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
    let change = SettingChanges.Change(
      name: .servedModel, before: .text(before), after: .text(after))
    return [change.fact()].compactMap(\.self)
  }
}
