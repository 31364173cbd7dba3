/// A difference between the two sides of a comparison, besides the edit under test.
public struct ComparisonDifference: Sendable, Hashable, Codable {
  /// The pair of slices with the difference, or `nil` if the difference concerns the runs as a
  /// whole.
  public var place: ComparedPlace?
  /// The kind of difference, with its details.
  public var fact: Fact

  /// Creates a difference.
  public init(place: ComparedPlace? = nil, fact: Fact) {
    self.place = place
    self.fact = fact
  }

  /// The kinds of differences.
  public enum Fact: Sendable, Hashable, Codable {
    /// A setting has different values on the two sides: in the named test cases or, if none is
    /// named, in all test cases.
    case setting(name: Setting, before: SettingValue, after: SettingValue, cases: [String] = [])
    /// Test cases were added, removed or changed.
    case cases(change: CaseChange, ids: [String])
    /// Assertions were added, removed or changed; the comparison judges attempts by the assertions
    /// that both sides have.
    case assertions(change: AssertionChange, names: [String])
    /// The assertions of these test cases were edited, so the baseline's stored answers were judged
    /// anew, by the candidate's suite.
    case judgedAnew(Rejudgement)
    /// At least half of the baseline's test cases have edited expectations of their own, so the
    /// suite is hardly the same.
    case otherExpectations(cases: Int, of: Int)
    /// The baseline was judged anew, and this many answers that differ from the baseline's pass
    /// only by the new judgement: they fail by the former one, or nobody can judge them by it. If
    /// all of them failed, the candidate would have regressed.
    case hiddenByEdit(answers: Int)
    /// Assertions are a guardrail on only one side; the comparison judges attempts by the
    /// candidate's guardrails.
    case guardrails(change: AssertionChange, names: [String])
    /// In these test cases, the baseline's threshold, weights and guardrails find other changes
    /// than the candidate's.
    case scoring(cases: [String])
    /// At least half of the baseline's test cases are gone, were renamed, or have other requests or
    /// expectations, although the candidate's run includes all test cases of its suite.
    case mostCasesGone(gone: Int, of: Int)
    /// More than half of the candidate's test cases are new, so the comparison says little about
    /// the suite.
    case mostCasesNew(new: Int, of: Int)
    /// Some of the test cases that the comparison leaves out passed in the baseline and fail in the
    /// candidate.
    case leftOutFailing(cases: [String], of: Int)
    /// Another variant is the first one of the suite, and it makes other requests.
    case otherVariant(before: String, after: String)
    /// The server reports another version of the model or of itself, although the run asked for the
    /// same model.
    case servedChange(part: ServedPart, before: String, after: String)
    /// Planned attempts of one side were not made.
    case notMade(side: ComparedRole, attempts: Int, planned: Int)
    /// One side stopped early, because its gate was already settled; continuing its run makes the
    /// missing attempts.
    case stoppedEarly(side: ComparedRole, run: Int, attempts: Int, planned: Int)
    /// One side's run was interrupted.
    case interrupted(side: ComparedRole)
    /// Too many attempts of one side ended in a backend error.
    case errors(side: ComparedRole, errors: Int, attempts: Int)
    /// Several models answered under the name of one served model.
    case changedModel(side: ComparedRole, models: [String])
    /// Test cases have backend errors on one side only, and these errors may hide a regression.
    ///
    /// The test finds a regression if the `baseline` attempts with such errors passed, of which
    /// `failures` failed in the candidate, and if the `candidate` attempts with such errors failed.
    case hiddenFailures(baseline: Int, failures: Int, candidate: Int)
    /// Only one side has a measured probability of these quantities, so they can't be compared.
    case measuredOnlyIn(side: ComparedRole, quantities: [Quantity])
    /// Only one side's answers have arrays at these paths.
    case arraysOnlyIn(side: ComparedRole, paths: [String])
    /// The answers of one side contradict the measured probabilities of the quantity: of `count`
    /// attempts, `hits` have it, but the probabilities add up to `expected`.
    case contradiction(
      side: ComparedRole, quantity: Quantity, expected: Double, hits: Int, count: Int)
    /// A suite, variant or backend has no counterpart on the other side.
    case unmatched(side: ComparedRole, part: RunPart, id: String)
    /// No attempt has a counterpart on the other side.
    case nothingInCommon
  }

  /// The settings that can differ.
  public enum Setting: Sendable, Hashable {
    case model, modelDigest, servedModel, engine, repeats, threshold, measurementProtocol
    /// A setting of the requests.
    case option(GenerationSetting)
    /// The share of attempts or the mean score that the gate requires of the backend.
    case gateRate
    /// The rule that combines the repeats of a test case for the gate.
    case reducer
    /// A metric, with the bounds that the gate sets for its mean.
    case metric

    /// Whether the setting decides only how answers are judged, so that the requests are the same.
    public var isOfJudging: Bool {
      switch self {
      case .threshold, .gateRate, .reducer, .metric: true
      default: false
      }
    }
  }

  /// The parts of a served model that can change without an edit.
  public enum ServedPart: String, Sendable, Hashable, Codable, CaseIterable {
    /// The version of the model behind the name that the run asked for.
    case model
    /// The server's build and settings.
    case build
    /// The engine, for example a version of the operating system.
    case engine
    /// The operating system that Apple's model belongs to, with the versions of the model's files.
    case system
  }

  /// The ways in which the test cases of a suite can differ.
  public enum CaseChange: String, Sendable, Hashable, Codable, CaseIterable {
    /// Only the baseline has the test cases.
    case removed
    /// Only the candidate has the test cases.
    case added
    /// The test cases have different inputs on the two sides.
    case input
    /// The assertions differ, and those that both sides have can't judge the attempts.
    case assertions
    /// The test cases expect different branches (enum cases or alternatives of a union) on the two
    /// sides.
    case branches
  }

  /// The ways in which the assertions of a suite can differ.
  public enum AssertionChange: String, Sendable, Hashable, Codable, CaseIterable {
    /// Only the baseline has the assertions.
    case removed
    /// Only the candidate has the assertions.
    case added
    /// The assertions were edited: they check something different under the same name, or took the
    /// place of another assertion.
    case changed
    /// The assertions have another weight; the comparison judges attempts by the candidate's.
    case reweighted
    /// Only one side has the assertions, and their weight is 0, so they decide nothing.
    case uncounted
  }

  /// The parts of a run that can lack a counterpart.
  public enum RunPart: String, Sendable, Hashable, Codable, CaseIterable {
    case suite, variant, backend
  }
}

extension ComparisonDifference.Setting: RawRepresentable, Codable {
  private static let all: [Self] =
    [
      .model, .modelDigest, .servedModel, .engine, .repeats, .threshold, .measurementProtocol,
      .gateRate, .reducer, .metric,
    ] + GenerationSetting.allCases.map(Self.option)

  /// The name in records.
  public var rawValue: String {
    switch self {
    case .model: "model"
    case .modelDigest: "modelDigest"
    case .servedModel: "servedModel"
    case .engine: "engine"
    case .repeats: "repeats"
    case .threshold: "threshold"
    case .measurementProtocol: "measurementProtocol"
    case .gateRate: "gateRate"
    case .reducer: "reducer"
    case .metric: "metric"
    case .option(.sampling): "greedy"
    case .option(let setting): setting.rawValue
    }
  }

  /// Creates a setting from its name in records; `nil` if there is no such setting.
  public init?(rawValue: String) {
    guard let setting = Self.all.first(where: { $0.rawValue == rawValue }) else { return nil }
    self = setting
  }
}
