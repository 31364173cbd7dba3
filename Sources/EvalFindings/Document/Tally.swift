import EvalRecords
import EvalStatistics

/// Counts of outcomes.
///
/// The number of attempts includes backend errors, but not skipped attempts.
public struct Tally: Sendable, Hashable {
  /// The number of attempts that passed.
  public var passed = 0
  /// The number of attempts that failed because of the model: an assertion failed, all assertions
  /// were vacuous, or there was no complete value.
  public var failed = 0
  /// The number of failed attempts without a complete value that matches the schema.
  public var incomplete = 0
  /// The number of attempts that ended in a backend error.
  public var errors = 0
  /// The number of attempts that were planned but not made.
  public var skipped = 0
  /// The passes and the attempts at each test case.
  private var cases: [Share.CaseKey: CaseCount] = [:]
  /// The number of attempts at each test case without a complete value that matches the schema.
  private var undecoded: [Share.CaseKey: Int] = [:]

  /// Creates an empty tally.
  public init() {}

  /// The number of attempts that were made.
  public var attempts: Int { passed + failed + errors }

  /// The number of attempts that did not pass.
  public var notPassed: Int { failed + errors }

  /// The share of attempts that passed, or `nil` if none was made.
  public var rate: Double? { attempts == 0 ? nil : Double(passed) / Double(attempts) }

  /// The share of attempts that passed.
  package var share: Share { Share(cases) }

  /// The share of attempts with a complete value that matches the schema.
  var decodedShare: Share {
    share(
      of: Dictionary(
        uniqueKeysWithValues: cases.map { ($0, $1.count - (undecoded[$0] ?? 0)) }))
  }

  /// Returns the share of attempts that have a property.
  package func share(of hits: [Share.CaseKey: Int]) -> Share {
    Share(
      Dictionary(
        uniqueKeysWithValues: cases.map { key, count in
          (key, CaseCount(hits: hits[key] ?? 0, count: count.count))
        }))
  }

  /// Counts an attempt.
  package mutating func add(_ attempt: AttemptRecord) {
    switch attempt.outcome {
    case .pass: passed += 1
    case .fail: failed += 1
    case .error: errors += 1
    case .skipped: skipped += 1
    }
    if attempt.outcome == .fail, attempt.failure != nil { incomplete += 1 }
    if attempt.outcome == .error || attempt.outcome == .fail && attempt.failure != nil {
      undecoded[attempt.caseKey, default: 0] += 1
    }
    guard attempt.outcome != .skipped else { return }
    cases[attempt.caseKey, default: CaseCount()].add(attempt.outcome == .pass)
  }

  package static func + (left: Tally, right: Tally) -> Tally {
    var sum = left
    sum.passed += right.passed
    sum.failed += right.failed
    sum.incomplete += right.incomplete
    sum.errors += right.errors
    sum.skipped += right.skipped
    sum.cases.merge(right.cases, uniquingKeysWith: +)
    sum.undecoded.merge(right.undecoded, uniquingKeysWith: +)
    return sum
  }
}

extension AttemptRecord {
  /// The attempt's test case, as a part of the sample of a rate.
  var caseKey: Share.CaseKey { Share.CaseKey(suite: key.suite, caseID: key.caseID) }
}

extension Share {
  /// The share in percent: `95.3 %`.
  package var percent: String { NumberText.rate(hits, of: count) }

  /// The share and its interval: `92.3 %, 95 % interval 89.2–94.5`.
  var certainty: String { certainty(percent) }

  /// The share, in the given words, and its interval.
  func certainty(_ percent: String) -> String { "\(percent), 95\u{A0}% interval \(interval)" }

  /// The counts in words: `369 of 400`.
  package var counts: String { "\(NumberText.grouped(hits)) of \(NumberText.grouped(count))" }

  /// The counts as a clause: `369 of 400 attempts pass`.
  package func passing(_ noun: String) -> String {
    "\(NumberText.grouped(hits)) of \(NumberText.count(count, noun)) "
      + (count == 1 ? "passes" : "pass")
  }

  /// The counts as a fraction: `369/400`.
  package var ratio: String { "\(NumberText.grouped(hits))/\(NumberText.grouped(count))" }

  /// The interval in percent: `89.2–94.5`.
  package var interval: String { count == 0 ? "–" : NumberText.interval(low, high) }
}
