/// One more fact about an effect: how pairs flipped, what was left out, what would decide it.
public enum EffectNote: Sendable, Hashable, Codable {
  /// Nothing was tested, because the two slices are not comparable.
  case notComparable
  /// Nothing was tested, because too many attempts of one side ended in an error.
  case errors(side: ComparedRole, errors: Int, attempts: Int)
  /// What would decide an inconclusive effect.
  case undecided(until: Need)
  /// How many pairs with equal seeds flipped, and in which direction.
  case flips(toWorse: Int, toBetter: Int, pairs: Int)
  /// All outputs are the same on both sides.
  case equalOutputs(count: Int)
  /// Pairs that have no value to judge.
  case notJudged(pairs: Int, of: Int)
  /// The two-sided p-value of the flips with the cases as a sample of inputs.
  case casesAsSample(pValue: Double)
  /// In how many cases a probability rose and fell.
  case direction(rose: Int, fell: Int, cases: Int)
  /// The case that moved most in the direction of the mean.
  case largestShift(caseID: String, before: Double, after: Double)
  /// Cases that have no such decision.
  case withoutDecision(cases: Int, of: Int)
  /// Decisions that were left out because too much of their probability is unresolved, and the cases
  /// that were lost with them.
  case unresolved(decisions: Int, lostCases: Int, cases: Int, limit: Double)
  /// How many independent draws the attempts are: identical answers of a deterministic engine are one.
  case draws(count: Int, attempts: Int)
  /// The cases that rose further than any case fell.
  case concentrated(cases: [CaseShift])
  /// The largest worsening that a one-sided 95 % bound leaves possible, beside the one that is
  /// tolerated.
  case excluded(worsening: Double, tolerated: Double)
  /// The smallest worsening that would have been found with 80 %.
  case visible(worsening: Double)
  /// The first look flags a worsening, and no further draws could confirm it.
  case suspected(pValue: Double)
  /// Since when the rate is another: the first night of the clearest drop, and how many nights ago.
  case since(nights: Int)
  /// What was pooled.
  case history(summary: HistorySummary)
  /// Attempts of the candidate that are draws of the pooled history, and were not counted again.
  case knownDraws(count: Int)

  /// One case on both sides.
  public struct CaseShift: Sendable, Hashable, Codable {
    /// The case's id.
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

  /// What would decide an inconclusive effect.
  public enum Need: Sendable, Hashable, Codable {
    /// At least this many more repeats of each case.
    case repeats(more: Int)
    /// About this many times as many cases.
    case timesCases(factor: Int)
    /// At least this many more cases.
    case cases(more: Int)
    /// Even this many times the repeats would hardly decide.
    case beyondRepeats(factor: Int)
    /// Even this many times the cases would hardly decide.
    case beyondCases(factor: Int)
    /// The mean shift is too close to the margin for any number of cases.
    case atMargin
    /// More fresh repeats.
    case freshRepeats
  }
}

/// What a pooled history consists of.
public struct HistorySummary: Sendable, Hashable, Codable {
  /// A reason why runs were not pooled.
  public enum Omission: Sendable, Hashable, Codable {
    /// Runs with other guides, models or options.
    case otherRequest(runs: [Int])
    /// Runs with other assertions or inputs.
    case otherJudgement(runs: [Int])
  }

  /// The pooled attempts.
  public var attempts: Int
  /// The runs that they come from.
  public var runs: Int
  /// Attempts that were left out because they repeat a fingerprint and seed.
  public var duplicates: Int
  /// Runs that were left out because the rate changed after them.
  public var runsBeforeChange: Int
  /// Runs that were left out for other reasons.
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
