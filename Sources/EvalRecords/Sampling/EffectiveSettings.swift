/// The settings with which each test case of a suite runs in each variant.
///
/// They are computed once, when a run is planned, and stored with the run. The request, the
/// statistics and the reports all read them.
///
/// ```
/// suite's options ─► test case's own options ─► variant's edit ─► effective settings
/// ```
/// Only the test cases whose settings differ from the variant's usual settings are listed, and
/// equal settings are listed once.
public struct EffectiveSettings: Sendable, Hashable, Codable {
  /// The settings in one variant.
  struct OfVariant: Sendable, Hashable, Codable {
    /// The settings of test cases without own options.
    var usual: GenerationSettings
    /// The settings of the other test cases.
    var others: [Group]
    /// Whether the stub's answers vary, or `nil` if the test cases' own scripts decide.
    var stubVaries: Bool?
    /// Whether the number of a repeat decides its answer, or `nil` if the test cases' own scripts
    /// decide, or if an older version of Assay made the run.
    var stubTakesTurns: Bool?
  }

  /// Test cases with the same settings.
  struct Group: Sendable, Hashable, Codable {
    var settings: GenerationSettings
    var cases: [String]
  }

  private var variants: [String: OfVariant]
  /// The settings in a variant that changes nothing.
  private var unedited: OfVariant
  /// The sorted ids of the test cases for which the stub's answers vary, unless the variant has a
  /// stub.
  private(set) var casesWithVaryingStub: [String]
  /// Those of them in which the number of a repeat decides its answer, sorted, or `nil` if there
  /// are none or if an older version of Assay made the run.
  private(set) var casesWithStubTurns: [String]?

  /// A variant of a suite that is about to run.
  public struct Variant: Sendable {
    var id: String
    var edit: SettingsEdit
    var stub: StubScript?

    /// Creates a variant.
    ///
    /// - Parameters:
    ///   - id: The variant's id.
    ///   - edit: The options that the variant itself sets.
    ///   - stub: The stub's answers in this variant, or `nil` if the test cases define them.
    public init(id: String, edit: SettingsEdit = SettingsEdit(), stub: StubScript? = nil) {
      self.id = id
      self.edit = edit
      self.stub = stub
    }
  }

  /// Creates the settings of a suite.
  ///
  /// - Parameters:
  ///   - suite: The suite's options.
  ///   - cases: The settings that test cases override, keyed by id.
  ///   - variants: The variants.
  ///   - casesWithVaryingStub: The ids of the test cases for which the stub's answers vary.
  ///   - casesWithStubTurns: The ids of those in which the number of a repeat decides its answer.
  public init(
    _ suite: GenerationSettings, cases: [String: CaseSettings] = [:], variants: [Variant],
    casesWithVaryingStub: [String] = [], casesWithStubTurns: [String] = []
  ) {
    let own = cases.compactMap { id, settings in settings.options.map { (id: id, options: $0) } }
      .sorted { $0.id < $1.id }
    self.casesWithVaryingStub = casesWithVaryingStub.sorted()
    self.casesWithStubTurns = casesWithStubTurns.isEmpty ? nil : casesWithStubTurns.sorted()
    func settings(in edit: SettingsEdit, _ stub: StubScript?) -> OfVariant {
      let usual = Self.settings(suite, ofCase: nil, in: edit)
      var ofVariant = OfVariant(
        usual: usual, others: [], stubVaries: stub.map { !$0.isFixed },
        stubTakesTurns: stub.map(\.takesTurns))
      for (id, options) in own {
        let settings = Self.settings(suite, ofCase: options, in: edit)
        if settings != usual { ofVariant.add(id, settings) }
      }
      return ofVariant
    }
    unedited = settings(in: SettingsEdit(), nil)
    self.variants = Dictionary(
      variants.map { ($0.id, settings(in: $0.edit, $0.stub)) },
      uniquingKeysWith: { first, _ in first })
  }

  /// Returns the settings of a test case in a variant: the variant's edit applies to the test
  /// case's options or, if it has none, to the suite's.
  ///
  /// This function is the only place with this rule.
  private static func settings(
    _ suite: GenerationSettings, ofCase options: GenerationSettings?, in edit: SettingsEdit
  ) -> GenerationSettings {
    edit.applied(to: options ?? suite)
  }

  /// Returns the settings of a test case.
  ///
  /// - Parameters:
  ///   - caseID: The test case's id, or `nil` for the settings of test cases without own options.
  ///   - variant: The variant's id, or `nil` for a variant that changes nothing.
  public func settings(of caseID: String? = nil, in variant: String?) -> GenerationSettings {
    let ofVariant = ofVariant(variant)
    guard let caseID else { return ofVariant.usual }
    return ofVariant.others.first { $0.cases.contains(caseID) }?.settings ?? ofVariant.usual
  }

  private func ofVariant(_ id: String?) -> OfVariant { id.flatMap { variants[$0] } ?? unedited }

  /// Returns the settings of a variant's test cases that don't run with the usual settings, keyed
  /// by test case id.
  ///
  /// - Parameter variant: The variant's id, or `nil` for a variant that changes nothing.
  package func exceptions(in variant: String?) -> [String: GenerationSettings] {
    Dictionary(
      ofVariant(variant).others.flatMap { group in
        group.cases.map { ($0, group.settings) }
      }, uniquingKeysWith: { first, _ in first })
  }

  /// Whether the stub's answers vary in a variant, or `nil` if the test cases' scripts decide.
  func stubVaries(in variant: String) -> Bool? { variants[variant]?.stubVaries }

  /// Whether the number of a repeat decides the stub's answer in a variant, or `nil` if the test
  /// cases' scripts decide.
  func stubTakesTurns(in variant: String) -> Bool? { variants[variant]?.stubTakesTurns }

  /// Renames test cases.
  ///
  /// - Parameter names: The new names, keyed by the old ones.
  package mutating func renameCases(_ names: [String: String]) {
    func renamed(_ ids: [String]) -> [String] { ids.map { names[$0] ?? $0 }.sorted() }
    casesWithVaryingStub = renamed(casesWithVaryingStub)
    casesWithStubTurns = casesWithStubTurns.map(renamed)
    func rename(_ settings: inout OfVariant) {
      for index in settings.others.indices {
        settings.others[index].cases = renamed(settings.others[index].cases)
      }
    }
    rename(&unedited)
    variants = variants.mapValues {
      var settings = $0
      rename(&settings)
      return settings
    }
  }
}

extension EffectiveSettings.OfVariant {
  fileprivate mutating func add(_ id: String, _ settings: GenerationSettings) {
    if let index = others.firstIndex(where: { $0.settings == settings }) {
      others[index].cases.append(id)
    } else {
      others.append(EffectiveSettings.Group(settings: settings, cases: [id]))
    }
  }
}

extension SuiteRecord {
  /// The settings with which each test case runs in each variant.
  ///
  /// Runs of version 0.1 don't contain them, so they are derived from the options of the suite, the
  /// test cases and the variants. Such runs don't contain the stub's script either; the stub's
  /// answers then count as fixed unless they differ.
  public var effectiveSettings: EffectiveSettings {
    details.effectiveSettings
      ?? EffectiveSettings(
        options, cases: details.cases ?? [:],
        variants: variants.map {
          EffectiveSettings.Variant(
            id: $0.id, edit: details.variantOptions?[$0.id] ?? SettingsEdit())
        })
  }

  /// All different settings with which the suite's test cases run, in the order of variants and
  /// test cases.
  public var distinctSettings: [GenerationSettings] {
    let settings = effectiveSettings
    var seen: Set<GenerationSettings> = []
    return variants.flatMap { variant in
      let exceptions = settings.exceptions(in: variant.id)
      let usual = settings.settings(in: variant.id)
      return cases.map { exceptions[$0.id] ?? usual }
    }.filter { seen.insert($0).inserted }
  }
}
