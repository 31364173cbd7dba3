import EvalRecords
import StructuredText

/// The question whether a bound on an array would forbid what another test case asks for.
///
/// A bound in the schema applies to all test cases. The expected lengths may come from `count`
/// assertions with variables, from data files, from formulas or from whole expected values. So
/// reports advise a bound only if nothing in the run speaks against it.
struct ArrayBoundConflict {
  private let place: ArrayBound.Place
  private let suite: String
  private let summary: RunSummary

  init(_ place: ArrayBound.Place, of suite: String, in summary: RunSummary) {
    (self.place, self.suite, self.summary) = (place, suite, summary)
  }

  /// Whether a test case asks for a length that the bound forbids, or may ask for one.
  var isFound: Bool {
    let record = summary.run.suites.first { $0.id == suite }
    var expected = record?.details.expectedLengths?[place.path] ?? ExpectedLengths()
    for attempt in summary.attempts where attempt.key.suite == suite {
      for verdict in attempt.verdicts where JSONPlace.pattern(verdict.path) == place.path {
        guard let fact = attempt.details.counts?[verdict.assertion] else { continue }
        expected.add(minimum: fact.minimum, maximum: fact.maximum)
      }
      if attempt.outcome == .pass, !permitsLengths(of: attempt) { return true }
    }
    let isPermitted =
      place.isMinimum
      ? expected.permits(minimum: place.bound) : expected.permits(maximum: place.bound)
    return !isPermitted || hasUnclearExpectation
  }

  /// Whether an assertion other than `count` decides the array's length in a test case, and never
  /// held for an answer within the bound.
  private var hasUnclearExpectation: Bool {
    struct Expectation: Hashable {
      let caseID: String
      let assertion: String
    }
    var holds: [Expectation: Bool] = [:]
    for attempt in summary.attempts where attempt.key.suite == suite {
      for verdict in attempt.verdicts
      where (verdict.verdict == .pass || verdict.verdict == .fail) && decidesLength(verdict) {
        let expectation = Expectation(caseID: attempt.key.caseID, assertion: verdict.assertion)
        let isGood = verdict.verdict == .pass && permitsLengths(of: attempt)
        holds[expectation] = holds[expectation] ?? false || isGood
      }
    }
    return holds.values.contains(false)
  }

  /// Whether an assertion is a formula that counts the array, or expects a whole value that
  /// contains the array.
  private func decidesLength(_ verdict: VerdictRecord) -> Bool {
    switch verdict.type {
    case "count": return false
    case "equals", "deepEquals":
      let path = JSONPlace.pattern(verdict.path)
      return place.path == path || place.path.hasPrefix(path + ".")
        || place.path.hasPrefix(path + "[")
    default:
      let formula = verdict.assertion + " " + verdict.expected
      return formula.contains("count(\(place.path)")
        || verdict.expected.contains("…") && verdict.actual.contains(place.path + ":")
    }
  }

  /// Whether the bound permits the lengths of the array in an answer; unknown lengths count as
  /// forbidden.
  private func permitsLengths(of attempt: AttemptRecord) -> Bool {
    guard let shape = attempt.details.shape else { return attempt.outcome == .pass }
    return (shape.lengths[place.path] ?? []).allSatisfy {
      place.isMinimum ? $0 >= place.bound : $0 <= place.bound
    }
  }
}
