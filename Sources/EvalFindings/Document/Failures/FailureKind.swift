import EvalRecords

/// The ways an attempt can fail, most important first.
///
/// Reports put the most frequent failures first, and use this order only for failures that are
/// equally frequent.
package enum FailureKind: Int, Sendable, Comparable, CaseIterable {
  case emptyArray
  case wrongBranch
  case arrayLength
  case bounds
  case assertion
  case vacuous
  /// The answer reached its token limit.
  case cutOff
  /// The prompt and the answer don't fit into the model's context together.
  case contextFull
  case refusal
  /// The answer is missing, is not JSON, or doesn't match the schema.
  case malformed
  /// The backend crashed, timed out, or doesn't support the request, or Assay itself failed.
  case error

  package static func < (left: FailureKind, right: FailureKind) -> Bool {
    left.rawValue < right.rawValue
  }

  /// The kind's name in URL fragments of the page.
  package var name: String { "\(self)" }

  /// Whether reports always list this kind of failure and show it expanded, because suites exist
  /// mainly to find it.
  package var isGuarded: Bool { self == .emptyArray || self == .wrongBranch }

  /// Creates a kind for a failure that no assertion caused.
  init(_ failure: AttemptFailure.Kind?) {
    switch failure {
    case .truncated: self = .cutOff
    case .contextSizeExceeded: self = .contextFull
    case .refusal: self = .refusal
    case .malformedOutput, .schemaMismatch, .noAnswer: self = .malformed
    case .timeout, .promptTooLong, .unsupportedGenerationGuide, .rateLimited, .backend,
      .defect, nil:
      self = .error
    }
  }

  /// Creates a kind for a failed assertion.
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
  /// The first failed verdict of an assertion whose weight isn't zero.
  var firstFailure: VerdictRecord? {
    verdicts.first { $0.verdict == .fail && details.weights?[$0.assertion] != 0 }
  }
}
