import EvalRecords

extension FailureKind {
  /// The kind as the heading of a group: `Empty array`.
  var title: String {
    switch self {
    case .emptyArray: "Empty array"
    case .wrongBranch: "Wrong case"
    case .arrayLength: "Wrong number of elements"
    case .bounds: "Value out of bounds"
    case .assertion: "Another assertion failed"
    case .vacuous: "Nothing to check"
    case .cutOff: "Cut off at the token limit"
    case .refusal: "Refused"
    case .malformed: "Invalid output"
    case .error: "Backend error"
    }
  }

  /// The kind as a clause behind a number of attempts: `came back with an empty array`.
  func clause(_ count: Int) -> String {
    switch self {
    case .emptyArray: "came back with an empty array"
    case .wrongBranch: "chose the wrong case"
    case .arrayLength: "had too few or too many elements"
    case .bounds: "had a value out of bounds"
    case .assertion: "broke another assertion"
    case .vacuous: "left nothing to check"
    case .cutOff: "\(count == 1 ? "was" : "were") cut off at the token limit"
    case .refusal: "\(count == 1 ? "was" : "were") refused"
    case .malformed: "gave invalid output"
    case .error: "failed in the backend"
    }
  }
}

extension NextStep {
  /// The step as an imperative sentence without a full stop.
  var words: String {
    switch self {
    case .raiseTokenLimit(let limit, let file):
      let place = file.isEmpty ? "" : " in \(VisibleText.line(file))"
      return "raise maximumTokens (\(NumberText.grouped(limit)) now)\(place)"
    case .addMinimum(let minimum, let path, let fixedBy):
      let proof = fixedBy.map { "; \(VisibleText.line($0)) has it and no such failure" } ?? ""
      return "add minItems: \(minimum) to the schema of \(VisibleText.line(path)), "
        + "because only words ask for it\(proof)"
    case .addMaximum(let maximum, let path):
      return "add maxItems: \(maximum) to the schema of \(VisibleText.line(path))"
    case .separateCases(let expected, let chosen):
      return
        "tell \(VisibleText.line(expected)) and \(VisibleText.line(chosen)) apart in their guides"
    case .allowWhitespace(let wanted, let share, let path):
      let sign = wanted.contains { $0.isNewline } ? "a line break" : "a space"
      return "try whitespace: any; the model wants \(sign) at \(VisibleText.line(path)) "
        + "(\(NumberText.percent(share, decimals: 0))) and the mask forbids it"
    case .checkBackend(let reason):
      return reason.isEmpty
        ? "check the backend" : "check the backend: \(ClippedText.line(reason, limit: 120))"
    case .readRefusal: return "read the prompt as it was sent"
    case .inspect: return "inspect an attempt"
    }
  }
}

extension FailureCause {
  /// The cause without what to do: `78 of 375 attempts were cut off at the token limit`.
  var clause: String {
    "\(share.counts) attempts \(kind.clause(share.hits))"
  }

  /// Where most of them are: `most in flashcards:enforced (22 of 60 attempts)`.
  var whereWords: String {
    let name = VisibleText.line(place.name)
    let since = since.map { ", worse since \($0)" } ?? ""
    let share = "\(place.share.counts) attempts"
    return places == 1
      ? "all in \(name) (\(share)\(since))"
      : "most in \(name) (\(share)\(since))"
  }
}

extension FailureTree.Place {
  /// The share of the suite's attempts: `22 of 60 attempts (36.7 %), 12 cases`.
  var words: String {
    "\(share.counts) attempts (\(share.percent)), \(NumberText.count(cases, "case"))"
  }
}

extension AttemptFailure.Kind {
  /// The kind in words, as what begins a line: `cut off`, `no JSON`.
  var words: String {
    switch self {
    case .truncated: "cut off"
    case .refusal: "refused"
    case .malformedOutput: "no JSON"
    case .schemaMismatch: "not in the schema"
    case .noAnswer: "no answer"
    case .timeout: "timed out"
    case .contextSizeExceeded: "prompt too long"
    case .unsupportedGenerationGuide: "schema not supported"
    case .rateLimited: "rate limit"
    case .backend: "backend failed"
    }
  }
}
