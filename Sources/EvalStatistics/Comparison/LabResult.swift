public import EvalRecords

/// What came of edits that were tried one at a time.
public struct LabResult: Sendable, Hashable, Codable {
  /// One edit, or one damage, with what it did to the suite's numbers.
  public struct Trial: Sendable, Hashable, Codable {
    /// The edit in words: `guide of CardSet.cards`.
    public var title: String
    /// What the base with only this edit gives; nil if it can't be made alone.
    public var alone: Finding?
    /// What all edits but this one give; nil if that was not tried.
    public var without: Finding?
    /// Why the edit could not be tried by itself; nil if it was.
    public var obstacle: String?

    /// Creates a trial.
    public init(
      title: String, alone: Finding? = nil, without: Finding? = nil, obstacle: String? = nil
    ) {
      self.title = title
      self.alone = alone
      self.without = without
      self.obstacle = obstacle
    }
  }

  /// What a comparison with the base says, in short.
  public struct Finding: Sendable, Hashable, Codable {
    /// The variant that was tried.
    public var variant: String
    /// The verdict over all effects.
    public var verdict: ComparisonVerdict
    /// The pass rate's effect; nil if nothing could be compared.
    public var passRate: EffectRecord?
    /// The most telling effect besides.
    public var mostTelling: EffectRecord?

    /// Takes the finding of a comparison.
    public init(variant: String, _ comparison: ComparisonRecord) {
      self.variant = variant
      verdict = comparison.verdict
      passRate = comparison.effects.first {
        $0.quantity == .passRate && $0.reference == .baseline
      }
      mostTelling = comparison.effects.first {
        $0.quantity != .passRate || $0.reference != .baseline
      }
    }
  }

  /// What the trials are there to find.
  public enum Question: String, Sendable, Hashable, Codable {
    /// Which of the edits between two variants moved the numbers.
    case culprit
    /// Which damages no case notices.
    case survivors
  }

  /// What the trials are there to find.
  public var question: Question
  /// The base, in words.
  public var base: String
  /// What all edits together do; nil for damages, which are never done together.
  public var together: Finding?
  /// The trials in the order of the edits.
  public var trials: [Trial]
  /// The change that is tolerated.
  public var margin: Double
  /// The chance of a false alarm in each comparison.
  public var alpha: Double

  /// Creates a result.
  public init(
    question: Question, base: String, together: Finding? = nil, trials: [Trial], margin: Double,
    alpha: Double
  ) {
    self.question = question
    self.base = base
    self.together = together
    self.trials = trials
    self.margin = margin
    self.alpha = alpha
  }

  /// The trials that answer the question.
  ///
  /// A culprit does alone what all edits do together. Where no edit does, the culprits are those
  /// without which the others don't do it: they do it only together.
  ///
  /// A survivor is a damage after which no more attempts fail than before, and nothing regressed.
  public var answers: [Trial] {
    switch question {
    case .survivors:
      return trials.filter { $0.alone.map { isUnnoticed($0) } ?? false }
    case .culprit:
      guard let together, together.verdict == .regressed || together.verdict == .improved else {
        return []
      }
      let alone = trials.filter { $0.alone?.verdict == together.verdict }
      if !alone.isEmpty { return alone }
      return trials.filter { $0.without.map { $0.verdict != together.verdict } ?? false }
    }
  }

  /// The damages that made things worse, but not by more than chance may.
  public var undecided: [Trial] {
    trials.filter { $0.alone.map { $0.verdict != .regressed && !isUnnoticed($0) } ?? false }
  }

  private func isUnnoticed(_ finding: Finding) -> Bool {
    switch finding.verdict {
    case .ok, .improved: true
    case .inconclusive: (finding.passRate?.change ?? 0) >= -margin
    case .regressed, .notComparable, .broken: false
    }
  }
}
