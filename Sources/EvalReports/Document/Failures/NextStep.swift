/// A next step for a cause of failures.
enum NextStep: Sendable, Hashable {
  /// Answers need more tokens than the limit allows.
  case raiseTokenLimit(limit: Int, file: String)
  /// Answers repeat themselves until they reach the limit, so more tokens only make them longer.
  ///
  /// `repeating` is the number of these answers, `bounded` is how many of them the bound would end,
  /// and `others` is the number of other answers that were cut off.
  case stopRepetition(
    repeating: Int, bounded: Int, others: Int, bound: RepetitionBound, limit: Int, file: String)
  /// The schema lets arrays end too early, because only the guide's words ask for more elements.
  case addMinimum(minimum: Int, path: String, fixedBy: String?)
  /// The schema allows arrays that are too long.
  case addMaximum(maximum: Int, path: String)
  /// The model confuses two cases of an enum.
  case separateCases(expected: String, chosen: String)
  /// The mask forbids white space that the model wants.
  case allowWhitespace(wanted: String, share: Double, path: String)
  /// The backend failed for a stated reason.
  case checkBackend(reason: String)
  /// The model declined to answer.
  case readRefusal
  /// The cause is unknown, so readers look at an attempt.
  case inspect
}

extension ReportDocument {
  /// The label before the next step for a cause of failures.
  ///
  /// If a comparison has a next step, that step is the one to do next, and the steps for causes of
  /// failures can wait.
  var causeStepLabel: String { comparisonStep == nil ? "Do next: " : "Fix: " }
}

/// A bound in the schema that would end an answer that repeats itself.
///
/// `suite` is `nil` if the run has only one suite.
enum RepetitionBound: Sendable, Hashable {
  /// Elements repeat in an array without `maxItems`.
  case items(path: String, suite: String?)
  /// Words repeat in a text.
  case length(path: String, suite: String?)
  /// The schema already has a bound, or the place of the repetition is unknown.
  case none
}
