/// A next step for a cause of failures.
///
/// The steps that change a schema, a guide or a limit count the attempts that support them.
enum NextStep: Sendable, Hashable {
  /// Answers need more tokens than the limit allows.
  case raiseTokenLimit(TokenLimit)
  /// Answers repeat themselves until they reach the limit, so more tokens only make them longer.
  ///
  /// `bounds` are the bounds in the schema that would end these answers, the most useful first.
  /// `limit` is the limit that cut off the other answers, or `nil` if there are no other answers.
  case stopRepetition(bounds: [RepetitionBound], limit: TokenLimit?)
  /// Arrays have too few or too many elements, and the schema lacks the bound that would prevent
  /// it.
  ///
  /// `fixedBy` names a variant that has the bound and no such failures.
  case addBound(ArrayBound, fixedBy: String?)
  /// The model confuses two cases of an enum, in `failed` of `all` attempts.
  case separateCases(expected: String, chosen: String, failed: Int, all: Int)
  /// The mask forbids white space that the model wants.
  case allowWhitespace(wanted: String, share: Double, path: String)
  /// The backend failed for a stated reason.
  case checkBackend(reason: String)
  /// The model declined to answer.
  case readRefusal
  /// Nothing suggests a change, or too few failures do, so readers should look at an attempt.
  case inspect

  /// The smallest number of failures for which reports advise a change: one or two may be chance.
  static let leastEvidence = 3
}

extension ReportDocument {
  /// The label of the step that a cause of failures suggests.
  ///
  /// If the run or its comparison has a next step too, readers take that step first, and every step
  /// for a cause has the label “Also”. Otherwise, the labels say in which order to take the steps.
  ///
  /// - Parameter number: The place of the cause in the list of causes, from 0.
  func causeStepLabel(_ number: Int) -> String {
    runStep != nil ? "Also: " : number == 0 ? "Do next: " : "Then: "
  }
}

/// A token limit that cut answers off, although they didn't repeat themselves.
struct TokenLimit: Sendable, Hashable {
  /// The maximum number of tokens of the suite in `file`.
  let limit: Int
  let file: String
  /// The number of answers of this suite that the limit cut off.
  let failed: Int
  /// The number of answers of all suites that a limit cut off.
  let all: Int
}

/// A bound in the schema that would end answers that repeat themselves.
struct RepetitionBound: Sendable, Hashable {
  /// The kind of bound, with the place that needs it.
  ///
  /// The suite is nil if the run has only one suite.
  enum Kind: Sendable, Hashable {
    /// Elements repeat in an array without `maxItems`.
    case items(path: String, suite: String?)
    /// Words repeat in a text.
    case length(path: String, suite: String?)
    /// The schema already has a bound, or the place of the repetition is unknown.
    case none
  }

  let kind: Kind
  /// The number of answers that the bound would end.
  let answers: Int
}

/// A bound on the length of an array that an assertion requires but the schema lacks.
struct ArrayBound: Sendable, Hashable {
  /// The place that needs the bound.
  ///
  /// The suite is nil if the run has only one suite.
  struct Place: Sendable, Hashable {
    let path: String
    let suite: String?
    /// The number that the schema lacks.
    let bound: Int
    /// Whether the schema lacks a minimum; otherwise, it lacks a maximum.
    let isMinimum: Bool
  }

  let place: Place
  /// The number of arrays that the bound would forbid.
  let failed: Int
  /// Whether all of these arrays are empty.
  let areEmpty: Bool
}
