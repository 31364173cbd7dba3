/// A next step for a cause of failures.
///
/// Each step that changes a schema, a guide or a limit says how many attempts support the change.
package enum NextStep: Sendable, Hashable {
  /// Answers need more tokens than the limit allows.
  case raiseTokenLimit(TokenLimit)
  /// Answers repeat themselves until they reach the limit; more tokens would only make them longer.
  ///
  /// `bounds` are the bounds that would end these answers if the schema had them, the most useful
  /// first. `limit` is the token limit that cut off answers without repetition, or `nil` if there
  /// are no such answers.
  case stopRepetition(bounds: [RepetitionBound], limit: TokenLimit?)
  /// Prompts and answers don't fit into the model's context together.
  case shortenRequest
  /// Arrays have too few or too many elements, and the schema lacks the bound that would prevent
  /// this.
  ///
  /// `fixedBy` names a variant that has the bound and no such failures.
  case addBound(ArrayBound, fixedBy: String?)
  /// The model confuses two enum cases, in `failed` of the `all` attempts with a wrong branch.
  case separateCases(expected: String, chosen: String, failed: Int, all: Int)
  /// The mask forbids white space that the model wants.
  case allowWhitespace(wanted: String, share: Double, path: String)
  /// The backend failed for a stated reason.
  case checkBackend(reason: String)
  /// Assay itself failed.
  case reportDefect(message: String)
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
  /// If the run or its comparison has a next step too, that step comes first, and every step for a
  /// cause has the label “Also”. Otherwise, the labels say in which order to take the steps.
  ///
  /// `number` is the place of the cause in the list of causes, from 0.
  package func causeStepLabel(_ number: Int) -> String {
    runStep != nil ? "Also: " : number == 0 ? "Do next: " : "Then: "
  }
}

/// A token limit that cut off answers that didn't repeat themselves.
package struct TokenLimit: Sendable, Hashable {
  /// The suite's token limit, or the length of its longest cut-off answer if that is greater.
  package let limit: Int
  package let file: String
  /// The number of the suite's answers that the limit cut off.
  package let failed: Int
  /// The number of answers that a token limit cut off, over all suites.
  package let all: Int
}

/// A bound in the schema that would end answers that repeat themselves.
package struct RepetitionBound: Sendable, Hashable {
  /// The kind of bound, with the place that needs it.
  ///
  /// The suite is `nil` if the run has only one suite.
  package enum Kind: Sendable, Hashable {
    /// Elements repeat in an array without `maxItems`.
    case items(path: String, suite: String?)
    /// Words repeat in a text.
    case length(path: String, suite: String?)
    /// The schema already has a bound, or the place of the repetition is unknown.
    case none
  }

  package let kind: Kind
  /// The number of answers that the bound would end.
  package let answers: Int
}

/// A bound on the length of an array that an assertion requires but the schema lacks.
package struct ArrayBound: Sendable, Hashable {
  /// The place that needs the bound.
  ///
  /// The suite is `nil` if the run has only one suite.
  package struct Place: Sendable, Hashable {
    package let path: String
    package let suite: String?
    /// The minimum or maximum number of elements that the schema lacks.
    package let bound: Int
    /// Whether the schema lacks a minimum; otherwise, it lacks a maximum.
    let isMinimum: Bool
  }

  package let place: Place
  /// The number of arrays that the bound would forbid.
  package let failed: Int
  /// Whether all of these arrays are empty.
  let areEmpty: Bool
}
