import EvalRecords

/// The kinds of failure of an attempt, in the order in which reports list them.
enum FailureKind: Int, Sendable, Comparable, CaseIterable {
  case emptyArray
  case wrongBranch
  case arrayLength
  case bounds
  case assertion
  case vacuous
  /// The answer reached its token limit, or the model's context was full.
  case cutOff
  case refusal
  /// The answer doesn't match the schema.
  case malformed
  /// The backend crashed, timed out or could not do what the request needs.
  case error

  static func < (left: FailureKind, right: FailureKind) -> Bool { left.rawValue < right.rawValue }

  /// The kind's name in fragments of the page.
  var name: String { "\(self)" }

  /// Whether suites are written to guard against it, so that it is never folded away.
  var isGuarded: Bool { self == .emptyArray || self == .wrongBranch }

  /// The kind of an attempt's failure if no assertion caused it.
  init(_ failure: AttemptFailure.Kind?) {
    switch failure {
    case .truncated, .contextSizeExceeded: self = .cutOff
    case .refusal: self = .refusal
    case .malformedOutput, .schemaMismatch, .noAnswer: self = .malformed
    case .timeout, .promptTooLong, .unsupportedGenerationGuide, .rateLimited, .backend, nil:
      self = .error
    }
  }

  /// The kind of a failed assertion of an attempt.
  init(_ verdict: VerdictRecord, of attempt: AttemptRecord) {
    switch verdict.type {
    case "count": self = attempt.count(of: verdict) == 0 ? .emptyArray : .arrayLength
    case "branch": self = .wrongBranch
    case "range", "words", "sentences", "characters": self = .bounds
    default: self = .assertion
    }
  }
}

extension AttemptRecord {
  /// Whether the answer was cut off before its value was complete.
  var isCutOff: Bool {
    switch failure?.kind {
    case .truncated, .contextSizeExceeded: true
    case nil: stopReason == .tokenLimit || stopReason == .contextFull
    default: false
    }
  }

  /// The first failure of an assertion that has a weight.
  var firstFailure: VerdictRecord? {
    verdicts.first { $0.verdict == .fail && details.weights?[$0.assertion] != 0 }
  }
}
