import EvalRecords

/// The settings in which two slices differ, apart from the edit under test.
struct SettingChanges {
  let baseline: SuiteRecord
  let candidate: SuiteRecord
  private let settings: (baseline: Settings, candidate: Settings)
  /// The changes of the options of test cases without own ones.
  private let usual: [Change]

  /// The options of a side's test cases.
  private struct Settings {
    let usual: GenerationSettings
    let exceptions: [String: GenerationSettings]

    /// `variant` is `nil` if the sides are two different variants: then a difference between the
    /// variants' options is the edit.
    init(_ suite: SuiteRecord, in variant: String?) {
      let settings = suite.effectiveSettings
      usual = settings.settings(in: variant)
      exceptions = settings.exceptions(in: variant)
    }

    subscript(id: String) -> GenerationSettings { exceptions[id] ?? usual }
  }

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
    let variant = baseline.variant == candidate.variant ? baseline.variant : nil
    settings = (
      Settings(baseline.suite, in: variant), Settings(candidate.suite, in: variant)
    )
    usual = Self.changes(settings.baseline.usual, settings.candidate.usual)
  }

  /// The differences between the settings of the suites.
  ///
  /// An option that all test cases of both sides set for themselves isn't a difference.
  var ofSuites: [ComparisonDifference.Fact] {
    let repeats = Change(
      name: .repeats, before: .integer(baseline.repeats), after: .integer(candidate.repeats))
    let present = Set(candidate.cases.map(\.id))
    let ids = baseline.cases.map(\.id).filter(present.contains)
    let taken = usual.filter { change in
      ids.isEmpty || ids.contains { options(of: $0).contains(change) }
    }
    return ([repeats] + taken).compactMap { $0.fact() }
  }

  /// Returns the changes of a test case's options, whether the test case, its variant or its suite
  /// sets them.
  private func options(of id: String) -> [Change] {
    Self.changes(settings.baseline[id], settings.candidate[id])
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
      let own = options(of: id).filter { !usual.contains($0) }
      guard before != after || !own.isEmpty else { continue }
      if !own.isEmpty { other.insert(id) }
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
      changes += own
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
    if left == right { return [] }
    return GenerationSetting.allCases.filter { left[$0] != right[$0] }.map {
      Change(name: .option($0), before: left[$0], after: right[$0])
    }
  }
}
