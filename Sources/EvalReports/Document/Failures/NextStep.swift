/// A next step for a cause of failures.
enum NextStep: Sendable, Hashable {
  /// Answers need more tokens than they may have.
  case raiseTokenLimit(limit: Int, file: String)
  /// The schema lets arrays end too early: only words ask for more.
  case addMinimum(minimum: Int, path: String, fixedBy: String?)
  /// The schema lets arrays go on too long.
  case addMaximum(maximum: Int, path: String)
  /// Two cases of an enum are taken for each other.
  case separateCases(expected: String, chosen: String)
  /// The mask forbids white space that the model wants.
  case allowWhitespace(wanted: String, share: Double, path: String)
  /// The backend failed for a stated reason.
  case checkBackend(reason: String)
  /// The model declined to answer.
  case readRefusal
  /// Nothing more is known than the attempts themselves.
  case inspect
}
