/// The work that a model in Assay's process did, and the work that it would have done without
/// reuse.
///
/// Without reuse, every answer takes one evaluation for each token of its prompt and its output.
/// Reuse saves evaluations if prompts begin alike, or if repeats have the same text so far. The
/// model also evaluates tokens together, which saves passes over the weights: the tokens of a
/// prompt, the next tokens of several repeats, and sequences of forced tokens.
public struct EvaluationUse: Sendable, Hashable, Codable {
  /// The number of tokens in the answers' prompts.
  public var promptTokens: Int
  /// The number of tokens in the answers.
  public var outputTokens: Int
  /// The number of output tokens that the schema forced.
  public var forcedTokens: Int
  /// The number of evaluated tokens, including the tokens of alternatives.
  public var evaluatedTokens: Int
  /// The number of tokens that were evaluated only for the probabilities of alternatives.
  public var asideTokens: Int
  /// The number of times that the weights were read.
  public var passes: Int
  /// The number of steps, summed over all batches, or `nil` in older records.
  public var steps: Int?
  /// The number of unfinished answers in each step, summed over all steps.
  public var stepAnswers: Int?
  /// The maximum number of unfinished answers in a step.
  public var widestStep: Int?
  /// The smallest number of answers at which the memory budget kept a batch from growing, or `nil`
  /// if there was always room.
  public var narrowedTo: Int?
  /// The number of drafted tokens that were evaluated, or `nil` in older records.
  ///
  /// Drafted tokens are guesses of an answer's next tokens, taken from earlier texts.
  public var draftedTokens: Int?
  /// The number of drafted tokens that an answer then sampled, or `nil` in older records.
  public var keptDraftTokens: Int?
  /// The processor time by phase, or `nil` if it was not measured.
  public var profile: TimeProfile?

  /// Creates an empty record.
  public init() {
    promptTokens = 0
    outputTokens = 0
    forcedTokens = 0
    evaluatedTokens = 0
    asideTokens = 0
    passes = 0
  }

  /// The number of evaluations that would be needed to generate every answer separately.
  public var tokensWithoutReuse: Int { promptTokens + outputTokens }

  /// The share of evaluations that were saved, from 0 to 1; 0 if there were no answers.
  public var savedShare: Double {
    tokensWithoutReuse == 0
      ? 0 : max(0, 1 - Double(evaluatedTokens) / Double(tokensWithoutReuse))
  }

  /// The average number of unfinished answers in a step, or `nil` if the steps were not counted.
  public var meanWidth: Double? {
    guard let steps, let stepAnswers, steps > 0 else { return nil }
    return Double(stepAnswers) / Double(steps)
  }

  /// Counts a step of a batch.
  ///
  /// - Parameter answers: The number of unfinished answers.
  public mutating func addStep(answers: Int) {
    guard answers > 0 else { return }
    steps = (steps ?? 0) + 1
    stepAnswers = (stepAnswers ?? 0) + answers
    widestStep = max(widestStep ?? 0, answers)
  }

  /// Records that the memory budget kept a batch from taking more answers.
  ///
  /// - Parameter answers: The number of unfinished answers.
  public mutating func narrow(to answers: Int) { narrowedTo = min(narrowedTo ?? answers, answers) }

  /// Counts the drafted tokens of a step.
  ///
  /// - Parameters:
  ///   - drafted: The number of drafted tokens that were evaluated.
  ///   - kept: The number of these tokens that an answer then sampled.
  public mutating func addDraft(of drafted: Int, kept: Int) {
    draftedTokens = (draftedTokens ?? 0) + drafted
    keptDraftTokens = (keptDraftTokens ?? 0) + kept
  }

  /// Returns the sum of two records of work that was done at the same time.
  public static func + (left: EvaluationUse, right: EvaluationUse) -> EvaluationUse {
    var sum = left.sum(with: right)
    sum.profile = both(left.profile, right.profile, +)
    return sum
  }

  /// Returns the sum of this record and a record of later work.
  ///
  /// - Parameter next: The record of the later work.
  public func followed(by next: EvaluationUse) -> EvaluationUse {
    var sum = sum(with: next)
    sum.profile = Self.both(profile, next.profile) { $0.followed(by: $1) }
    return sum
  }

  private func sum(with right: EvaluationUse) -> EvaluationUse {
    var sum = self
    sum.promptTokens += right.promptTokens
    sum.outputTokens += right.outputTokens
    sum.forcedTokens += right.forcedTokens
    sum.evaluatedTokens += right.evaluatedTokens
    sum.asideTokens += right.asideTokens
    sum.passes += right.passes
    sum.steps = Self.both(steps, right.steps, +)
    sum.stepAnswers = Self.both(stepAnswers, right.stepAnswers, +)
    sum.widestStep = Self.both(widestStep, right.widestStep, max)
    sum.narrowedTo = Self.both(narrowedTo, right.narrowedTo, min)
    sum.draftedTokens = Self.both(draftedTokens, right.draftedTokens, +)
    sum.keptDraftTokens = Self.both(keptDraftTokens, right.keptDraftTokens, +)
    return sum
  }

  private static func both<Value>(
    _ left: Value?, _ right: Value?, _ join: (Value, Value) -> Value
  ) -> Value? {
    guard let left, let right else { return left ?? right }
    return join(left, right)
  }
}
