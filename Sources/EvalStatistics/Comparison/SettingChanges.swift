import EvalRecords

/// The settings in which two slices differ, apart from the edit under test.
struct SettingChanges {
  let baseline: SuiteRecord
  let candidate: SuiteRecord
  private let settings: (baseline: EffectiveSettings, candidate: EffectiveSettings)
  /// The variant, or `nil` if the sides are two different variants: then a difference between the
  /// variants' options is the edit.
  private let variant: String?

  /// A setting with its values on both sides.
  struct Change: Hashable {
    var name: ComparisonDifference.Setting
    var before: SettingValue
    var after: SettingValue

    /// Returns the setting as a difference, or `nil` if its values are equal.
    func fact(cases: [String] = []) -> ComparisonDifference.Fact? {
      before == after
        ? nil : .setting(name: name, before: before, after: after, cases: cases)
    }
  }

  /// Creates the comparison of two slices.
  init(_ baseline: ComparisonSlice, _ candidate: ComparisonSlice) {
    self.baseline = baseline.suite
    self.candidate = candidate.suite
    settings = (baseline.suite.effectiveSettings, candidate.suite.effectiveSettings)
    variant = baseline.variant == candidate.variant ? baseline.variant : nil
  }

  /// The differences between the settings of the suites.
  var ofSuites: [ComparisonDifference.Fact] {
    let repeats = Change(
      name: .repeats, before: .integer(baseline.repeats), after: .integer(candidate.repeats))
    let options = Self.changes(
      settings.baseline.settings(in: variant), settings.candidate.settings(in: variant))
    return ([repeats] + options).compactMap { $0.fact() }
  }

  /// Returns the differences between settings of individual test cases: repeats, options and
  /// thresholds.
  ///
  /// - Parameter ids: The ids of the test cases that both sides have.
  /// - Returns: The differences, and the ids of the test cases that are left out because their
  ///   requests differ.
  func own(of ids: [String]) -> (facts: [ComparisonDifference.Fact], cases: Set<String>) {
    var casesByChange: [Change: [String]] = [:]
    var order: [Change] = []
    var other: Set<String> = []
    for id in ids {
      let (before, after) = (baseline.details.cases?[id], candidate.details.cases?[id])
      guard before != after else { continue }
      var changes = [
        Change(
          name: .threshold, before: before?.threshold.map { .number($0) } ?? .none,
          after: after?.threshold.map { .number($0) } ?? .none)
      ]
      // If neither side sets repeats for this test case, comparing the suites' repeats was enough.
      if before?.repeats != nil || after?.repeats != nil {
        changes.append(
          Change(
            name: .repeats, before: .integer(baseline.plannedRepeats(of: id)),
            after: .integer(candidate.plannedRepeats(of: id))))
      }
      if before?.options != nil || after?.options != nil {
        let options = Self.changes(
          settings.baseline.settings(of: id, in: variant),
          settings.candidate.settings(of: id, in: variant))
        changes += options
        if options.contains(where: { $0.before != $0.after }) { other.insert(id) }
      }
      for change in changes where change.before != change.after {
        if casesByChange[change] == nil { order.append(change) }
        casesByChange[change, default: []].append(id)
      }
    }
    return (order.compactMap { $0.fact(cases: casesByChange[$0] ?? []) }, other)
  }

  private static func changes(
    _ left: GenerationSettings, _ right: GenerationSettings
  ) -> [Change] {
    GenerationSetting.allCases.map {
      Change(name: .option($0), before: left[$0], after: right[$0])
    }
  }
}
