/// A new judgement of a reference's stored answers, by the suite of the run that is compared with
/// the reference.
///
/// Only the test cases whose assertions differ are judged anew. The copy of the reference that the
/// run keeps has the new verdicts, so a later report makes the same comparison.
public struct Rejudgement: Sendable, Hashable, Codable {
  /// The names of the edited assertions, for example `a`, or `a → b` if the name changed too.
  public var edited: [String]
  /// The names of the assertions that only the reference had.
  public var removed: [String]
  /// The names of the assertions that only the run has.
  public var added: [String]
  /// The test cases that were judged anew, in the order of the reference.
  public var cases: [String]
  /// Those of ``cases`` in which an assertion was edited or removed, so that an answer that passes
  /// now might have failed before.
  public var loosened: [String]
  /// Those of ``cases`` whose own assertions differ, not only those of the suite.
  public var otherExpectations: [String]
  /// The reference's assertions before the new judgement, by which the run's answers are judged
  /// too, or `nil` if the reference has no digests of them.
  ///
  /// A judged test case without any had other variables, so nobody can judge other answers as
  /// before.
  public var former: AssertionIdentities?
  /// The number of verdicts of edited assertions that changed.
  public var changedVerdicts: Int
  /// The number of attempts whose outcome changed.
  public var changedOutcomes: Int

  /// Creates a record; by default, of a reference that was not judged anew.
  public init(
    edited: [String] = [], removed: [String] = [], added: [String] = [], cases: [String] = [],
    loosened: [String] = [], otherExpectations: [String] = [], changedVerdicts: Int = 0,
    changedOutcomes: Int = 0
  ) {
    self.edited = edited
    self.removed = removed
    self.added = added
    self.cases = cases
    self.loosened = loosened
    self.otherExpectations = otherExpectations
    self.changedVerdicts = changedVerdicts
    self.changedOutcomes = changedOutcomes
  }
}

extension Rejudgement {
  /// Renames test cases.
  ///
  /// - Parameter names: The new ids, keyed by the old ones.
  package mutating func renameCases(_ names: [String: String]) {
    func renamed(_ ids: [String]) -> [String] { ids.map { names[$0] ?? $0 } }
    cases = renamed(cases)
    loosened = renamed(loosened)
    otherExpectations = renamed(otherExpectations)
    former?.renameCases(names)
  }
}
