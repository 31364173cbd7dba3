import EvalRecords

extension FailureKind {
  /// The kind as a heading: `Empty array`.
  var title: String {
    switch self {
    case .emptyArray: "Empty array"
    case .wrongBranch: "Wrong branch"
    case .arrayLength: "Wrong number of elements"
    case .bounds: "Value out of bounds"
    case .assertion: "Assertion failed"
    case .vacuous: "Nothing to check"
    case .cutOff: "Cut off at the token limit"
    case .refusal: "Refused"
    case .malformed: "Invalid output"
    case .error: "Backend error"
    }
  }
}

extension NextStep {
  /// The step as an imperative sentence without a full stop.
  var words: String {
    switch self {
    case .raiseTokenLimit(let limit, let file):
      return Self.higherLimit(limit, file)
    case .stopRepetition(
      let repeating, let bounded, let others, let bound, let limit, let file):
      let who =
        others == 0
        ? repeating == 1 ? "the answer repeats itself" : "the answers repeat themselves"
        : NumberText.grouped(repeating)
          + (repeating == 1 ? " answer repeats itself" : " answers repeat themselves")
      let rest =
        others == 0
        ? "" : "; for the other \(NumberText.grouped(others)), \(Self.higherLimit(limit, file))"
      guard bounded < repeating, bound != .none else {
        return "\(bound.words), because \(who)\(rest)"
      }
      return "bound the values in which \(NumberText.grouped(repeating)) answers repeat "
        + "themselves; for \(NumberText.grouped(bounded)) of them, \(bound.words)\(rest)"
    case .addMinimum(let minimum, let path, let fixedBy):
      let proof =
        fixedBy.map { "; \(VisibleText.line($0)) has this bound and no such failures" } ?? ""
      return "add minItems: \(minimum) to the schema of \(VisibleText.line(path)), "
        + "because only the wording of the guide asks for it\(proof)"
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

  private static func higherLimit(_ limit: Int, _ file: String) -> String {
    let place = file.isEmpty ? "" : " in \(VisibleText.line(file))"
    return "raise maximumTokens (\(NumberText.grouped(limit)) now)\(place)"
  }
}

extension RepetitionBound {
  /// The advice for answers that repeat themselves, in the imperative.
  fileprivate var words: String {
    switch self {
    case .items(let path, let suite):
      "add maxItems to the schema of \(Self.place(path, suite)) or change the prompt"
    case .length(let path, let suite):
      "add maxLength to the schema of \(Self.place(path, suite)) or change the prompt"
    case .none: "change the prompt"
    }
  }

  private static func place(_ path: String, _ suite: String?) -> String {
    VisibleText.line(path) + (suite.map { " in " + VisibleText.line($0) } ?? "")
  }
}

extension FailureCause {
  /// The cause as a heading: `Empty array`, `Value out of bounds at $.confidence`.
  var title: String {
    let subject = VisibleText.line(identity.subject)
    switch kind {
    case .arrayLength, .bounds: return "\(kind.title) at \(subject)"
    case .assertion: return "“\(subject)” failed"
    case .error:
      let words = AttemptFailure.Kind(rawValue: identity.subject)?.words ?? ""
      return words.isEmpty ? kind.title : "\(kind.title): \(words)"
    default: return kind.title
    }
  }

  /// The cause with its count: `78 of 375 attempts were cut off at the token limit`.
  func clause(of attempts: Int) -> String {
    let noun = attempts == 1 ? "attempt" : "attempts"
    return "\(Share(failed, of: attempts).counts) \(noun) \(verb)"
  }

  /// The predicate after a number of attempts: `came back with an empty array`.
  private var verb: String {
    let subject = VisibleText.line(identity.subject)
    let was = failed == 1 ? "was" : "were"
    switch kind {
    case .emptyArray: return "came back with an empty array"
    case .wrongBranch: return "chose the wrong branch"
    case .arrayLength: return "had too few or too many elements at \(subject)"
    case .bounds: return "had a value out of bounds at \(subject)"
    case .assertion: return "failed “\(subject)”"
    case .vacuous: return "left nothing to check"
    case .cutOff: return "\(was) cut off at the token limit"
    case .refusal: return "\(was) refused"
    case .malformed: return "gave invalid output"
    case .error:
      switch AttemptFailure.Kind(rawValue: identity.subject) {
      case .timeout: return "timed out"
      case .promptTooLong: return "had a prompt that doesn’t fit into the model’s context"
      case .rateLimited: return "\(was) stopped by the backend’s rate limit"
      case .unsupportedGenerationGuide: return "had guides that the backend doesn’t support"
      default: return "failed in the backend"
      }
    }
  }

  /// The place with the most failures: `most in flashcards:enforced (22 of 60 attempts)`.
  func whereWords(since: String?) -> String {
    guard let place = places.first else { return "" }
    let since = since.map { ", worse since \($0)" } ?? ""
    return "\(places.count == 1 ? "all" : "most") in \(VisibleText.line(place.name)) "
      + "(\(place.share.counts) attempts\(since))"
  }

  /// Whether the titles of the cause's clusters say more than the cause's own title.
  var namesDetail: Bool {
    switch kind {
    case .emptyArray, .wrongBranch, .arrayLength, .bounds, .assertion: true
    default: false
    }
  }
}

extension [FailureCause] {
  /// The causes that a list leaves out, as counts: `12 other attempts failed in 5 other ways`.
  var otherWords: String {
    let attempts = reduce(0) { $0 + $1.failed }
    return "\(NumberText.count(attempts, "other attempt")) failed in "
      + NumberText.count(count, "other way")
  }
}

extension FailureCause.Place {
  /// The failed share of the suite's attempts: `22 of 60 attempts (36.7 %), 12 test cases`.
  var words: String {
    "\(share.counts) attempts (\(share.percent)), \(NumberText.count(cases, "test case"))"
  }
}

extension AttemptFailure.Kind {
  /// The kind in a few words, for the beginning of a line: `cut off`, `no JSON`.
  var words: String {
    switch self {
    case .truncated: "cut off"
    case .refusal: "refused"
    case .malformedOutput: "no JSON"
    case .schemaMismatch: "doesn't match the schema"
    case .noAnswer: "no answer"
    case .timeout: "timed out"
    case .contextSizeExceeded: "context full"
    case .promptTooLong: "prompt too long"
    case .unsupportedGenerationGuide: "schema not supported"
    case .rateLimited: "rate limit"
    case .backend: "backend failed"
    }
  }
}
