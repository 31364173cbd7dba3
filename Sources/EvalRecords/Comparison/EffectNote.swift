/// A further fact about an effect, for example how pairs flipped, or which data would decide the
/// verdict.
public enum EffectNote: Sendable, Hashable, Codable {
  /// Nothing was tested, because the two slices are not comparable.
  case notComparable
  /// Nothing was tested, because too many attempts on one side ended in a backend error.
  case errors(side: ComparedRole, errors: Int, attempts: Int)
  /// The effect is inconclusive; `until` says which data would decide it.
  case undecided(until: Need)
  /// The number of pairs with equal seeds that flipped in each direction.
  case flips(toWorse: Int, toBetter: Int, pairs: Int)
  /// All outputs are the same on both sides.
  case equalOutputs(count: Int)
  /// The number of pairs that couldn't be judged.
  case notJudged(pairs: Int, of: Int)
  /// The two-sided p-value of the change if the test cases are regarded as a sample of inputs.
  case casesAsSample(pValue: Double)
  /// The number of test cases in which a probability rose, and the number in which it fell.
  case direction(rose: Int, fell: Int, cases: Int)
  /// The test case whose probability moved furthest in the same direction as the mean.
  case largestShift(caseID: String, before: Double, after: Double)
  /// The number of test cases that have no probability for the effect's decision.
  case withoutDecision(cases: Int, of: Int)
  /// The number of decisions that were left out because too much of their probability is
  /// unresolved, and the number of test cases that the comparison lost as a result.
  case unresolved(decisions: Int, lostCases: Int, cases: Int, limit: Double)
  /// The number of independent draws among the attempts; identical answers of a deterministic
  /// engine count once.
  case draws(count: Int, attempts: Int)
  /// The few test cases in which the change is concentrated, at most ten, the largest change first.
  case concentrated(cases: [CaseShift])
  /// A few test cases changed far, but the mean change doesn't exceed the margin; the p-value is
  /// that of the far change.
  case fewCasesWithinMargin(pValue: Double, cases: [CaseShift])
  /// The probability depends on the text that the model writes before the decision; `draws` is the
  /// smallest number of draws of a test case, and `canDecide` says whether they are enough for a
  /// verdict.
  case sampledText(draws: Int, canDecide: Bool)
  /// The largest worsening that the one-sided confidence bound doesn't rule out.
  case excluded(worsening: Double)
  /// The number of additional test cases that would be needed to rule out a worsening beyond
  /// `worsening`.
  case toExclude(worsening: Double, moreCases: Int)
  /// The smallest worsening that the test would have found with a probability of 80 %.
  case visible(worsening: Double)
  /// The p-value of this test alone suggests a worsening, but more draws are needed to confirm it.
  case suspected(pValue: Double)
  /// The draws of these test cases changed by more than chance explains, with this p-value for
  /// "worse", but the change is no clearer than a harmless edit can cause.
  case movedDraws(pValue: Double)
  /// The verdict and the interval are about exactly these test cases, not about inputs like them.
  case aboutTheseCases
  /// The answers contradict the measured probabilities, so the effect can't show that nothing
  /// changed.
  case contradicted
  /// The clearest drop began this many nights ago.
  case since(nights: Int)
  /// The history that was pooled.
  case history(summary: HistorySummary)
  /// The number of the candidate's attempts that were not counted again, because the pooled history
  /// already contains them.
  case knownDraws(count: Int)

  /// The change of one test case from the baseline to the candidate.
  public struct CaseShift: Sendable, Hashable, Codable {
    /// The test case's id.
    public var id: String
    /// The rate or probability in the baseline.
    public var before: Double
    /// The rate or probability in the candidate.
    public var after: Double

    /// Creates a shift.
    public init(id: String, before: Double, after: Double) {
      self.id = id
      self.before = before
      self.after = after
    }
  }

  /// The additional data that would decide an inconclusive effect.
  public enum Need: Sendable, Hashable, Codable {
    /// At least this many more repeats of each test case.
    case repeats(more: Int)
    /// About this many times as many test cases.
    case timesCases(factor: Int)
    /// At least this many more test cases.
    case cases(more: Int)
    /// Even this many times the repeats would probably not be enough.
    case beyondRepeats(factor: Int)
    /// Even this many times the test cases would probably not be enough.
    case beyondCases(factor: Int)
    /// The mean shift is too close to the margin for any number of test cases to settle the
    /// verdict.
    case atMargin
    /// At least two draws of each test case, from requests that sample.
    case sampling
    /// More fresh repeats (see ``FreshBlock``).
    case freshRepeats
  }
}

/// The contents of a pooled history.
public struct HistorySummary: Sendable, Hashable, Codable {
  /// A reason why runs were not pooled.
  public enum Omission: Sendable, Hashable, Codable {
    /// Runs with different guides, models or options.
    case otherRequest(runs: [Int])
    /// Runs with different assertions or inputs.
    case otherJudgement(runs: [Int])
    /// Runs with only a part of the suite.
    case part(runs: [Int])
    /// Runs that were worse than the runs before and after them.
    case pastWorsening(runs: [Int])
  }

  /// The number of pooled attempts.
  public var attempts: Int
  /// The number of runs that the attempts come from.
  public var runs: Int
  /// The number of attempts left out because another attempt has the same fingerprint and seed.
  public var duplicates: Int
  /// The number of runs left out because the rate changed after these runs.
  public var runsBeforeChange: Int
  /// The runs that were left out for other reasons.
  public var omissions: [Omission]

  /// Creates a summary.
  public init(
    attempts: Int, runs: Int, duplicates: Int = 0, runsBeforeChange: Int = 0,
    omissions: [Omission] = []
  ) {
    self.attempts = attempts
    self.runs = runs
    self.duplicates = duplicates
    self.runsBeforeChange = runsBeforeChange
    self.omissions = omissions
  }
}
