/// A next step for a cause of failures.
enum NextStep: Sendable, Hashable {
  /// Answers need more tokens than they are allowed.
  case raiseTokenLimit(limit: Int, file: String)
  /// The schema lets arrays end too early: only the wording asks for more.
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
  /// Nothing is known beyond the attempts themselves.
  case inspect
}
