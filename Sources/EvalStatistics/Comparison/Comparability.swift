import EvalRecords

extension ComparisonUnit {
  /// What differs beyond the edit under test, so that a change could come from it; empty where the
  /// sides are comparable.
  ///
  /// A variant's schema, guides, instructions and prompt template may differ: they are the edit. Other
  /// seeds don't forbid a comparison; they only take the pairing away.
  var differences: [ComparisonDifference] {
    let facts =
      backendDifferences + settingDifferences + caseDifferences + ownSettingDifferences
      + attemptDifferences
    return facts.map { ComparisonDifference(place: place, fact: $0) }
  }

  private typealias Fact = ComparisonDifference.Fact

  /// A setting with its values on both sides.
  private struct Change: Hashable {
    var name: ComparisonDifference.Setting
    var before: ComparisonDifference.SettingValue
    var after: ComparisonDifference.SettingValue

    /// The difference; nil where the values are equal.
    func fact(cases: [String] = []) -> Fact? {
      before == after
        ? nil : .setting(name: name, before: before, after: after, cases: cases)
    }
  }

  private var backendDifferences: [Fact] {
    let (left, right) = (baseline.backend, candidate.backend)
    let changes = [
      Change(
        name: .measurementProtocol, before: .integer(baseline.run.measurementProtocol),
        after: .integer(candidate.run.measurementProtocol)),
      Change(name: .model, before: .text(left.model), after: .text(right.model)),
      Change(
        name: .modelDigest, before: left.modelDigest.map { .text($0) } ?? .none,
        after: right.modelDigest.map { .text($0) } ?? .none),
      Change(name: .engine, before: .text(left.engine), after: .text(right.engine)),
    ]
    return changes.compactMap { $0.fact() } + servedDifferences
  }

  /// Differences between the models that answered under the name of a served model.
  private var servedDifferences: [Fact] {
    let sides: [(ComparedRole, [String])] = [(.baseline, baseline), (.candidate, candidate)]
      .map { side, slice in
        (side, (slice.run.details.served?[slice.backend.id]?.models.keys).map { $0.sorted() } ?? [])
      }
    let changed = sides.filter { $0.1.count > 1 }
      .map { Fact.changedModel(side: $0.0, models: $0.1) }
    guard changed.isEmpty, let before = sides[0].1.first, let after = sides[1].1.first else {
      return changed
    }
    let change = Change(name: .servedModel, before: .text(before), after: .text(after))
    return [change.fact()].compactMap(\.self)
  }

  private var settingDifferences: [Fact] {
    let (left, right) = (baseline.suite, candidate.suite)
    let repeats = Change(
      name: .repeats, before: .integer(left.repeats), after: .integer(right.repeats))
    return ([repeats] + changes(left.options, right.options)).compactMap { $0.fact() }
  }

  private func changes(_ left: GenerationSettings, _ right: GenerationSettings) -> [Change] {
    func number(_ value: Double?) -> ComparisonDifference.SettingValue {
      value.map { .number($0) } ?? .none
    }
    func integer(_ value: Int?) -> ComparisonDifference.SettingValue {
      value.map { .integer($0) } ?? .none
    }
    return [
      Change(name: .greedy, before: .flag(left.isGreedy), after: .flag(right.isGreedy)),
      Change(
        name: .temperature, before: number(left.temperature), after: number(right.temperature)),
      Change(name: .topK, before: integer(left.topK), after: integer(right.topK)),
      Change(name: .topP, before: number(left.topP), after: number(right.topP)),
      Change(name: .minP, before: number(left.minP), after: number(right.minP)),
      Change(
        name: .maximumTokens, before: integer(left.maximumTokens),
        after: integer(right.maximumTokens)),
      Change(
        name: .whitespace, before: .text(left.whitespace.rawValue),
        after: .text(right.whitespace.rawValue)),
      Change(
        name: .tokenization, before: .text(left.tokenization.rawValue),
        after: .text(right.tokenization.rawValue)),
      Change(
        name: .outline, before: .text(left.outline.rawValue),
        after: .text(right.outline.rawValue)),
      Change(name: .mask, before: .text(left.mask.rawValue), after: .text(right.mask.rawValue)),
    ]
  }

  private var caseDifferences: [Fact] {
    let left = Dictionary(
      baseline.suite.cases.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    let right = Dictionary(
      candidate.suite.cases.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    let common = baseline.suite.cases.filter { right[$0.id] != nil }
    let lists: [(ComparisonDifference.CaseChange, [String])] = [
      (.removed, baseline.suite.cases.map(\.id).filter { right[$0] == nil }),
      (.added, candidate.suite.cases.map(\.id).filter { left[$0] == nil }),
      (
        .input,
        common.filter { $0.variables != right[$0.id]?.variables }.map(\.id)
      ),
      (
        .assertions,
        common.filter {
          $0.assertions != right[$0.id]?.assertions
            || $0.expectedBranches != right[$0.id]?.expectedBranches
        }.map(\.id)
      ),
    ]
    return lists.filter { !$0.1.isEmpty }.map { .cases(change: $0.0, ids: $0.1) }
  }

  /// What cases have of their own on one side and not on the other: repeats, options, a threshold.
  private var ownSettingDifferences: [Fact] {
    let (left, right) = (baseline.suite, candidate.suite)
    var casesByChange: [Change: [String]] = [:]
    var order: [Change] = []
    for id in left.cases.map(\.id) where right.cases.contains(where: { $0.id == id }) {
      let (before, after) = (left.details.cases?[id], right.details.cases?[id])
      guard before != after else { continue }
      var changes = [
        Change(
          name: .threshold, before: before?.threshold.map { .number($0) } ?? .none,
          after: after?.threshold.map { .number($0) } ?? .none)
      ]
      // Where no case has its own, the suites' have been compared.
      if before?.repeats != nil || after?.repeats != nil {
        changes.append(
          Change(
            name: .repeats, before: .integer(left.plannedRepeats(of: id)),
            after: .integer(right.plannedRepeats(of: id))))
      }
      if before?.options != nil || after?.options != nil {
        changes += self.changes(
          before?.options ?? left.options, after?.options ?? right.options)
      }
      for change in changes where change.before != change.after {
        if casesByChange[change] == nil { order.append(change) }
        casesByChange[change, default: []].append(id)
      }
    }
    return order.compactMap { $0.fact(cases: casesByChange[$0] ?? []) }
  }

  private var attemptDifferences: [Fact] {
    var facts: [Fact] = []
    for (side, slice) in [(ComparedRole.baseline, baseline), (.candidate, candidate)] {
      let suite = slice.suite
      let planned = suite.cases.reduce(0) { $0 + suite.plannedRepeats(of: $1.id) }
      let made = slice.attempts.count { !suite.isFresh(repeatIndex: $0.key.repeatIndex) }
      if made < planned {
        facts.append(.notMade(side: side, attempts: planned - made, planned: planned))
      }
    }
    if baseline.run.status == .interrupted, baseline.run.id != candidate.run.id {
      facts.append(.interrupted(side: .baseline))
    }
    return facts
  }
}
