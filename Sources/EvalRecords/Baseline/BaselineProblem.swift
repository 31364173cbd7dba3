/// A reason why a run is a poor reference for later runs.
public enum BaselineProblem: Sendable, Hashable {
  /// The run compares variants, tries edits, or takes a second look at another run, so it isn't a
  /// run of a suite as it stands.
  case comparesVariants
  /// The run has only the test cases or variants that these options selected.
  case part(options: [String])
  /// The run skipped attempts of a suite because the suite's gate was already settled.
  case stoppedEarly(suite: String, run: Int)
  /// These test cases of an import have no recorded answer.
  case missingAnswers(cases: [String])
  /// A suite missed its gate.
  case missedGate(GateResultRecord)
  /// A suite got worse than its reference, or its comparison has too many backend errors.
  case worse(suite: String, verdict: ComparisonVerdict)
  /// The gate of a suite was written for another model than the run's.
  case otherModel(UnjudgedSuite)
  /// Several models answered on a backend, because the server changed its model during the run.
  case changedModel(backend: String, models: [String])
  /// This many attempts ended in a backend error.
  case backendErrors(count: Int)
  /// The baseline file that the run would replace is damaged, so nobody can see what is replaced.
  case damagedBaseline(suite: String, problem: String)
  /// The run would replace a baseline of another kind.
  case otherKind(suite: String, replaced: BaselineKind, by: BaselineKind)

  /// Whether the run can't be accepted for any reason.
  public var isFinal: Bool { self == .comparesVariants }
}

/// The kind of answers that a baseline has.
///
/// Answers of different kinds say nothing about each other, so a baseline of one kind doesn't
/// replace a baseline of another kind.
public enum BaselineKind: String, Sendable, Hashable {
  /// Answers of a model.
  case model
  /// Recorded answers that were imported.
  case recorded
  /// Fixed answers of the stub.
  case stub

  /// Creates the kind of a run's answers.
  public init(of run: RunRecord) {
    if !run.backends.isEmpty, run.backends.allSatisfy(\.isRecorded) {
      self = .recorded
    } else if !run.backends.isEmpty, run.backends.allSatisfy(\.isStub) {
      self = .stub
    } else {
      self = .model
    }
  }
}

extension BackendRecord {
  /// The id of the backend that stands for imported answers.
  public static let recordedID = "recorded"

  /// The beginning of the engine of recorded answers that name the system that gave them.
  package static let recordedEngine = "recorded, "

  /// The beginning of the engine of Apple's model on Apple's own server.
  package static let appleEngine = "served, apple"

  /// Whether the answers were imported.
  public var isRecorded: Bool { id == Self.recordedID && engine.hasPrefix("recorded") }
}

extension BaselineProblem {
  /// Returns the reasons why a run is a poor reference for some of its suites.
  ///
  /// `assay baseline accept` and `renew` refuse a run with such a problem, and no report recommends
  /// accepting it.
  ///
  /// - Parameters:
  ///   - run: The run.
  ///   - attempts: The run's attempts.
  ///   - suites: The suites for which the run would be the reference.
  ///   - gates: The results of the suites' gates.
  ///   - comparisons: The comparisons of the run with its references.
  public static func problems(
    of run: RunRecord, _ attempts: [AttemptRecord], suites: [String], gates: [GateResultRecord],
    comparisons: [ComparisonRecord] = []
  ) -> [BaselineProblem] {
    if run.comparison != nil || run.details.lab != nil || run.details.secondLookOf != nil {
      return [.comparesVariants]
    }
    let own = attempts.lazy.filter { suites.contains($0.key.suite) }
    let errors = own.count(where: \.isBackendError)
    let part =
      (run.details.shard.map { ["--shard \($0)"] } ?? []) + (run.details.selection ?? [])
      + (run.details.variants ?? []).map { "--variant \($0)" }
    var missing: [String] = []
    for attempt in own {
      guard case .noAnswer? = attempt.details.skipReason else { continue }
      missing.append("\(attempt.key.suite)/\(attempt.key.caseID)")
    }
    let worse = suites.compactMap { suite -> BaselineProblem? in
      let verdicts = comparisons.filter { $0.candidate.suite == suite }.map(\.verdict)
      return [.regressed, .broken].first(where: verdicts.contains).map {
        .worse(suite: suite, verdict: $0)
      }
    }
    return (part.isEmpty ? [] : [.part(options: part)])
      + suites.filter(run.hasStoppedEarly).map { .stoppedEarly(suite: $0, run: run.id) }
      + (missing.isEmpty ? [] : [.missingAnswers(cases: missing)])
      + run.unjudgedSuites.filter { suites.contains($0.suite) }.map { .otherModel($0) }
      + run.changedModels
      + gates.filter { !$0.isPassed && suites.contains($0.suite) }.map { .missedGate($0) } + worse
      + (errors > 0 ? [.backendErrors(count: errors)] : [])
  }
}

extension RunRecord {
  /// A problem for each backend on which several models answered.
  fileprivate var changedModels: [BaselineProblem] {
    (details.served ?? [:]).filter(\.value.hasChangedModel).sorted { $0.key < $1.key }.map {
      .changedModel(backend: $0.key, models: $0.value.models.keys.sorted())
    }
  }
}
