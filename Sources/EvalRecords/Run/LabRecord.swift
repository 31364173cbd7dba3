/// The edits or mutations that a lab's run tries, with the variants that try them.
///
/// A lab is a run whose trials answer the ``question``. Assay uses this record to write the lab's
/// report again.
public struct LabRecord: Sendable, Hashable, Codable {
  /// The question that the trials answer.
  public enum Question: String, Sendable, Hashable, Codable {
    /// Which of the edits between two variants changed the numbers.
    case culprit
    /// Which mutations no test case notices.
    case survivors
  }

  /// One edit or mutation, with the ids of the variants that try it.
  public struct Trial: Sendable, Hashable, Codable {
    /// A description of the edit: `guide of CardSet.cards`.
    public var title: String
    /// The variant with only this edit, or `nil` if the edit can't be made alone.
    public var alone: String?
    /// The variant with all edits except this one, or `nil` if the lab doesn't try that variant.
    public var without: String?
    /// The reason why the lab can't try the edit alone, or `nil` if the lab can try it alone.
    public var obstacle: String?

    /// Creates a trial.
    public init(
      title: String, alone: String? = nil, without: String? = nil, obstacle: String? = nil
    ) {
      self.title = title
      self.alone = alone
      self.without = without
      self.obstacle = obstacle
    }
  }

  /// The question.
  public var question: Question
  /// The suite's id.
  public var suite: String
  /// The variant with all edits, or `nil` for mutations, which are never combined.
  public var together: String?
  /// The chance of a false alarm in the comparison of all edits, or `nil` if it is the same as in
  /// the other comparisons.
  public var togetherAlpha: Double?
  /// The trials, in the order of the edits.
  public var trials: [Trial]
  /// Whether the command fails if a mutation survives, that is, if no test case notices it.
  public var failsSurvivors: Bool

  /// Creates a record.
  public init(
    question: Question, suite: String, together: String? = nil, togetherAlpha: Double? = nil,
    trials: [Trial] = [], failsSurvivors: Bool = false
  ) {
    self.question = question
    self.suite = suite
    self.together = together
    self.togetherAlpha = togetherAlpha
    self.trials = trials
    self.failsSurvivors = failsSurvivors
  }
}
