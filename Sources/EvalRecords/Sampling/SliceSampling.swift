/// How the answers of one suite, variant and backend come about: which requests sample nothing, and
/// whether seeds determine the answers to the others.
public struct SliceSampling: Sendable {
  /// Whether most requests sample nothing.
  private let isUsuallyFixed: Bool
  /// The test cases that differ from most, keyed by id.
  private let exceptions: [String: Bool]
  /// The test cases in which the stub's script gives each repeat an answer of its own.
  private let scripted: Set<String>
  /// Whether that is so in all test cases.
  private let isScripted: Bool
  /// Whether the backend gives equal answers to equal requests with equal seeds.
  ///
  /// For a served backend, the run's test of the server must have confirmed this.
  public let honoursSeeds: Bool

  /// Creates the facts about a slice of a run.
  ///
  /// - Parameters:
  ///   - run: The run.
  ///   - suite: The suite's record in the run.
  ///   - variant: The variant's id.
  ///   - backend: The backend's record in the run.
  public init(run: RunRecord, suite: SuiteRecord, variant: String, backend: BackendRecord) {
    self.init(
      suite.effectiveSettings, variant: variant, isStub: backend.isStub,
      honoursSeeds: backend.isDeterministic
        || run.details.served?[backend.id]?.capabilities?.repeatsSeeds == .yes)
  }

  /// Creates the facts about a slice.
  ///
  /// - Parameters:
  ///   - settings: The suite's effective settings.
  ///   - variant: The variant's id.
  ///   - isStub: Whether a stub answers.
  ///   - honoursSeeds: Whether equal seeds give equal answers.
  public init(
    _ settings: EffectiveSettings, variant: String, isStub: Bool, honoursSeeds: Bool
  ) {
    self.honoursSeeds = honoursSeeds
    if isStub {
      let varies = settings.stubVaries(in: variant)
      isUsuallyFixed = varies != true
      isScripted = settings.stubTakesTurns(in: variant) ?? false
      scripted = varies == nil ? Set(settings.casesWithStubTurns ?? []) : []
      exceptions =
        varies == nil
        ? Dictionary(
          settings.casesWithVaryingStub.map { ($0, false) }, uniquingKeysWith: { first, _ in first }
        )
        : [:]
    } else {
      (isScripted, scripted) = (false, [])
      isUsuallyFixed = settings.settings(in: variant).samplesNothing
      exceptions = settings.exceptions(in: variant).mapValues(\.samplesNothing)
    }
  }

  /// Creates the facts about a slice whose requests are all alike, for simulations.
  ///
  /// - Parameters:
  ///   - samplesNothing: Whether no request samples.
  ///   - honoursSeeds: Whether equal seeds give equal answers.
  package init(samplesNothing: Bool = false, honoursSeeds: Bool = true) {
    isUsuallyFixed = samplesNothing
    exceptions = [:]
    (isScripted, scripted) = (false, [])
    self.honoursSeeds = honoursSeeds
  }

  /// Returns whether nothing is sampled in a test case, because its settings leave one token at
  /// each step or because the stub's answer is fixed.
  ///
  /// - Parameter caseID: The test case's id.
  public func samplesNothing(in caseID: String) -> Bool {
    exceptions[caseID] ?? isUsuallyFixed
  }

  /// Returns whether the stub's script gives each repeat of a test case an answer of its own, so
  /// that chance plays no part although the answers vary.
  ///
  /// - Parameter caseID: The test case's id.
  public func followsScript(in caseID: String) -> Bool { isScripted || scripted.contains(caseID) }
}

extension RunRecord {
  /// Returns how the answers of a slice come about, or `nil` if the run has no such suite or
  /// backend.
  ///
  /// - Parameters:
  ///   - suite: The suite's id.
  ///   - variant: The variant's id.
  ///   - backend: The backend's id.
  public func sampling(suite: String, variant: String, backend: String) -> SliceSampling? {
    guard let suite = suites.first(where: { $0.id == suite }),
      let backend = backends.first(where: { $0.id == backend })
    else { return nil }
    return SliceSampling(run: self, suite: suite, variant: variant, backend: backend)
  }
}
