public import EvalRecords

/// The result of a lab, which tries edits alone and together, or tries mutations one by one.
///
/// Each variant that the lab tries is compared with the *base*, the variant without any of the
/// edits.
public struct LabResult: Sendable, Hashable, Codable {
  /// One edit, or one mutation, with its effect on the suite's numbers.
  public struct Trial: Sendable, Hashable, Codable {
    /// A description of the edit, for example `guide of CardSet.cards`.
    public var title: String
    /// The finding for the base with only this edit, or `nil` if the edit can't be made alone.
    public var alone: Finding?
    /// The finding for all edits except this one, or `nil` if the lab didn't try it.
    public var without: Finding?
    /// The reason why the lab couldn't try the edit alone, or `nil` if it could.
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

  /// A short form of the comparison between a variant and the base.
  public struct Finding: Sendable, Hashable, Codable {
    /// The variant that was tried.
    public var variant: String
    /// The overall verdict.
    public var verdict: ComparisonVerdict
    /// The effect on the pass rate, or `nil` if nothing could be compared.
    public var passRate: EffectRecord?
    /// The most informative gating effect other than `passRate` that has the overall verdict.
    ///
    /// If there is none, this is `nil` if the pass rate decides the verdict. Otherwise, it is the
    /// most informative effect other than `passRate` that neither regressed nor improved.
    public var mostTelling: EffectRecord?
    /// The effect to show next to the verdict: `mostTelling`, or `passRate` if it alone decides.
    public var shown: EffectRecord? { mostTelling ?? (passRateDecides ? passRate : nil) }
    /// The gating quantities that have the overall verdict.
    public var decided: Set<Quantity>
    /// The confidence interval for the change of each gating quantity against the baseline.
    public var changes: [Change]

    /// The confidence interval for the change of a quantity.
    public struct Change: Sendable, Hashable, Codable {
      /// The quantity.
      public var quantity: Quantity
      /// Whether the quantity was measured, not counted.
      public var evidence: Evidence
      /// The lower end.
      public var low: Double
      /// The upper end.
      public var high: Double
    }

    /// Creates the finding from a comparison.
    public init(variant: String, _ comparison: ComparisonRecord) {
      self.variant = variant
      verdict = comparison.verdict
      passRate = comparison.effects.first {
        $0.quantity == .passRate && $0.reference == .baseline
      }
      decided = Set(
        comparison.effects.filter { $0.isGating && $0.verdict == comparison.verdict }
          .map(\.quantity))
      changes = comparison.effects.filter { $0.isGating && $0.reference == .baseline }.map {
        Change(
          quantity: $0.quantity, evidence: $0.evidence, low: $0.changeLow, high: $0.changeHigh)
      }
      let others = comparison.effects.filter {
        $0.quantity != .passRate || $0.reference != .baseline
      }
      // The effect that a report shows next to the verdict must not contradict it.
      let agreeing = others.first { $0.isGating && $0.verdict == comparison.verdict }
      mostTelling = agreeing
      if agreeing == nil, !passRateDecides {
        mostTelling = others.first { $0.verdict != .regressed && $0.verdict != .improved }
      }
    }

    /// Whether the pass rate has the overall verdict, and the verdict says that something changed.
    private var passRateDecides: Bool {
      (verdict == .regressed || verdict == .improved) && decided.contains(.passRate)
        && passRate?.verdict == verdict
    }

    /// Whether only more test cases could settle the verdict, because more repeats would give no
    /// new draws.
    public var needsCases: Bool {
      passRate?.notes.contains { note in
        switch note {
        case .undecided(until: .timesCases), .undecided(until: .cases),
          .undecided(until: .beyondCases):
          true
        default: false
        }
      } ?? false
    }
  }

  /// The kind of question that the trials can answer.
  public typealias Question = LabRecord.Question

  /// The question that the trials answer.
  public var question: Question
  /// A description of the base: `suite:variant`.
  public var base: String
  /// The finding for all edits together, or `nil` for mutations, which are never combined.
  public var together: Finding?
  /// The trials in the order of the edits.
  public var trials: [Trial]
  /// The tolerated change.
  public var margin: Double
  /// The one-sided significance level of each comparison.
  public var alpha: Double
  /// The one-sided significance level of the comparison of all edits together, or `nil` if it is
  /// `alpha`.
  public var togetherAlpha: Double?

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

  /// Creates the result of a lab run from its comparisons.
  ///
  /// - Parameters:
  ///   - record: The trials of the lab.
  ///   - comparison: The variants that the run compared.
  ///   - comparisons: One comparison for each candidate, in the same order.
  public init(
    _ record: LabRecord, _ comparison: VariantComparison, _ comparisons: [ComparisonRecord]
  ) {
    let records = Dictionary(
      zip(comparison.candidates, comparisons), uniquingKeysWith: { first, _ in first })
    func finding(_ id: String?) -> Finding? {
      id.flatMap { id in records[id].map { Finding(variant: id, $0) } }
    }
    self.init(
      question: record.question, base: "\(record.suite):\(comparison.baseline)",
      together: finding(record.together),
      trials: record.trials.map {
        Trial(
          title: $0.title, alone: finding($0.alone), without: finding($0.without),
          obstacle: $0.obstacle)
      }, margin: comparison.margin, alpha: comparison.alpha)
    togetherAlpha = record.togetherAlpha
  }

  /// The trials that answer the question: the culprits or the survivors.
  ///
  /// An edit is a culprit if, on its own, it changes a quantity in the same direction as all edits
  /// together. If no edit does, an edit is a culprit if its removal undoes the change
  /// (``isNecessary(_:)``).
  ///
  /// A survivor is a mutation whose comparison is `ok` or `improved`, or is inconclusive with a
  /// pass rate that fell by no more than the margin.
  public var answers: [Trial] {
    switch question {
    case .survivors:
      return trials.filter { $0.alone.map { isUnnoticed($0) } ?? false }
    case .culprit:
      guard let together, together.verdict == .regressed || together.verdict == .improved else {
        return []
      }
      let alone = trials.filter { $0.alone.map(causesChange) ?? false }
      if !alone.isEmpty { return alone }
      return trials.filter { $0.without.map(isNecessary) ?? false }
    }
  }

  /// Returns whether an edit is necessary for the change of all edits together, given the finding
  /// for all edits except this one.
  ///
  /// It isn't enough that the remaining edits cause no significant change, because the sample may
  /// be too small to show it. So the change must clearly differ: in a quantity that decided the
  /// verdict on all edits together, the two confidence intervals don't overlap.
  public func isNecessary(_ without: Finding) -> Bool {
    guard let together, !causesChange(without),
      [.ok, .inconclusive, .improved, .regressed].contains(without.verdict)
    else { return false }
    return together.changes.contains { change in
      together.decided.contains(change.quantity)
        && without.changes.contains { other in
          other.quantity == change.quantity && other.evidence == change.evidence
            && (other.high < change.low || other.low > change.high)
        }
    }
  }

  /// Returns whether a finding has the same verdict as all edits together, and at least one gating
  /// quantity decided both verdicts.
  public func causesChange(_ finding: Finding) -> Bool {
    guard let together else { return false }
    return finding.verdict == together.verdict
      && !finding.decided.isDisjoint(with: together.decided)
  }

  /// The mutations that the suite may or may not have noticed.
  ///
  /// Either the pass rate fell by more than the margin but chance may explain the fall, or the
  /// comparison is broken or not comparable.
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
