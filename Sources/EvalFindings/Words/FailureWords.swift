import EvalRecords
import EvalStatistics

extension FailureKind {
  /// The kind as a heading: `Empty array`.
  package var title: String {
    switch self {
    case .emptyArray: "Empty array"
    case .wrongBranch: "Wrong branch"
    case .arrayLength: "Wrong number of elements"
    case .bounds: "Value out of bounds"
    case .assertion: "Assertion failed"
    case .vacuous: "Nothing to check"
    case .cutOff: "Cut off at the token limit"
    case .contextFull: "Context full"
    case .refusal: "Refused"
    case .malformed: "Invalid output"
    case .error: "Backend error"
    }
  }
}

extension NextStep {
  /// The step as an imperative sentence without a full stop.
  package var words: String {
    switch self {
    case .raiseTokenLimit(let limit):
      let count = limit.failed < limit.all ? " (for \(limit.failed) of these \(limit.all))" : ""
      return limit.words + count
    case .stopRepetition(let bounds, let limit): return Self.repetition(bounds, limit)
    case .shortenRequest: return "shorten the instructions, the input or the answer"
    case .addBound(let bound, let fixedBy):
      let proof =
        fixedBy.map { "; \(VisibleText.line($0)) has this bound and no such failures" } ?? ""
      return bound.words + proof
    case .separateCases(let expected, let chosen, let failed, let all):
      let count = failed < all ? " in \(NumberText.grouped(failed)) of these \(all)" : ""
      return "reword the guides of “\(VisibleText.line(expected))” and “"
        + "\(VisibleText.line(chosen))”, which the model confuses\(count)"
    case .allowWhitespace(let wanted, let share, let path):
      let sign = wanted.contains { $0.isNewline } ? "a line break" : "a space"
      return "try whitespace: any; the model wants \(sign) at \(VisibleText.line(path)) "
        + "(\(NumberText.percent(share, decimals: 0))) and the mask forbids it"
    case .checkBackend(let reason):
      return reason.isEmpty
        ? "check the backend" : "check the backend: \(ClippedText.line(reason, limit: 120))"
    case .reportDefect(let message):
      return "report this defect of Assay: \(ClippedText.line(message, limit: 120))"
    case .readRefusal: return "read the prompt as it was sent"
    case .inspect: return "inspect an attempt"
    }
  }

  /// Returns the advice about answers that repeat themselves, in the imperative.
  ///
  /// The advice names the bound that would stop the largest number of these answers. If token
  /// limits also cut off answers that don't repeat themselves, the advice names the suite with the
  /// most answers of this kind. The tree of failures has the rest.
  private static func repetition(_ bounds: [RepetitionBound], _ limit: TokenLimit?) -> String {
    func repeating(_ count: Int) -> String {
      count == 1
        ? "1 answer repeats itself" : "\(NumberText.grouped(count)) answers repeat themselves"
    }
    let first = bounds.first { $0.kind != .none }
    let step =
      first.map { "\($0.words), where \(repeating($0.answers))" }
      ?? "change the prompt, because \(repeating(bounds.reduce(0) { $0 + $1.answers }))"
    return step
      + (limit.map { "; for \(NumberText.count($0.failed, "other answer")), \($0.words)" } ?? "")
  }
}

extension TokenLimit {
  /// The advice to raise the limit, in the imperative.
  fileprivate var words: String {
    let place = file.isEmpty ? "" : " in \(VisibleText.line(file))"
    return "raise maximumTokens (\(NumberText.grouped(limit)) now)\(place)"
  }
}

extension RepetitionBound {
  /// The advice to add the bound, in the imperative.
  package var words: String {
    switch kind {
    case .items(let path, let suite):
      "add maxItems to the schema of \(VisibleText.line(path))\(Self.place(suite))"
    case .length(let path, let suite):
      "add maxLength to the schema of \(VisibleText.line(path))\(Self.place(suite))"
    case .none: ""
    }
  }

  private static func place(_ suite: String?) -> String {
    suite.map { " in " + VisibleText.line($0) } ?? ""
  }
}

extension ArrayBound {
  /// The advice to add the bound, in the imperative, with the reason.
  fileprivate var words: String {
    let schema =
      "the schema of \(VisibleText.line(place.path))"
      + (place.suite.map { " in " + VisibleText.line($0) } ?? "")
    let arrays = failed == 1 ? "1 array was" : "\(NumberText.grouped(failed)) arrays were"
    return "add \(place.isMinimum ? "minItems" : "maxItems"): \(place.bound) to \(schema), because "
      + "\(arrays) \(areEmpty ? "empty" : place.isMinimum ? "too short" : "too long")"
  }
}

extension FailureCause {
  /// The cause as a heading: `Empty array`, `Value out of bounds at $.confidence`.
  package var title: String {
    let subject = VisibleText.line(identity.subject)
    switch kind {
    case .bounds where !identity.counted.isEmpty:
      return "Wrong number of \(identity.counted) at \(subject)"
    case .arrayLength, .bounds: return "\(kind.title) at \(subject)"
    case .assertion: return "“\(subject)” failed"
    case .error:
      let words = AttemptFailure.Kind(rawValue: identity.subject)?.words ?? ""
      return words.isEmpty ? kind.title : "\(kind.title): \(words)"
    default: return kind.title
    }
  }

  /// The cause with its count: `78 of 375 attempts were cut off at the token limit`.
  package func clause(of attempts: Int) -> String {
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
    case .arrayLength: return "had the wrong number of elements at \(subject)"
    case .bounds:
      return identity.counted.isEmpty
        ? "had a value out of bounds at \(subject)"
        : "had the wrong number of \(identity.counted) at \(subject)"
    case .assertion: return "failed the assertion “\(subject)”"
    case .vacuous: return "left nothing to check"
    case .cutOff: return "\(was) cut off at the token limit"
    case .contextFull: return "filled the model’s context"
    case .refusal: return "\(was) refused"
    case .malformed: return "gave invalid output"
    case .error:
      switch AttemptFailure.Kind(rawValue: identity.subject) {
      case .timeout: return "timed out"
      case .promptTooLong: return "had a prompt that doesn’t fit into the model’s context"
      case .rateLimited: return "\(was) stopped by the backend’s rate limit"
      case .unsupportedGenerationGuide: return "had guides that the backend doesn’t support"
      case .defect: return "ended in a defect of Assay"
      case nil: return "ended in an error without a reason"
      default: return "failed in the backend"
      }
    }
  }

  /// The place with the most failures: `most in flashcards:enforced (22 of 60 attempts)`.
  ///
  /// `since` is the run since which the place has been worse, or `nil` if it didn't get worse.
  package func whereWords(of all: Int, since: String?) -> String {
    guard let place = places.first else { return "" }
    let since = since.map { ", worse since \($0)" } ?? ""
    // If two places tie, neither has the most failures.
    let how =
      places.count == 1 ? "all" : places[1].failed == place.failed ? "for example" : "most"
    let name = ClippedText.line(place.name, limit: HeadlinePart.maximumName)
    // If this place has all attempts of the run, the sentence has already stated the share.
    if places.count == 1, place.attempts == all { return "all in \(name)\(since)" }
    return "\(how) in \(name) (\(place.share.counts) attempts\(since))"
  }

  /// Whether the titles of the cause's clusters say more than the cause's own title.
  var namesDetail: Bool {
    switch kind {
    case .emptyArray, .wrongBranch, .arrayLength, .bounds, .assertion: true
    default: false
    }
  }
}

extension CauseNews {
  /// The place with the most failures, and the number of failures before: `most in
  /// flashcards:enforced (22 of 60 attempts), was 11`.
  ///
  /// `since` is the run since which the place has been worse, or `nil` if it didn't get worse.
  package func whereWords(of all: Int, since: String?) -> String {
    cause.whereWords(of: all, since: since) + (before.map { ", \($0.words)" } ?? "")
  }
}

extension CauseList {
  /// The causes that are no news, as counts: `22 attempts failed in 2 ways, no more often than
  /// before`.
  package var knownWords: String {
    "\(NumberText.count(known.reduce(0) { $0 + $1.cause.failed }, "attempt")) failed in "
      + "\(NumberText.count(known.count, "way")), no more often than in the baseline"
  }
}

extension [FailureCause] {
  /// The causes that a list leaves out, as counts: `12 other attempts failed in 5 other ways`.
  package var otherWords: String {
    let attempts = reduce(0) { $0 + $1.failed }
    if attempts == 1 { return "One attempt failed otherwise" }
    return "\(NumberText.count(attempts, "other attempt")) failed in "
      + NumberText.count(count, "other way")
  }
}

extension FailureCause.Place {
  /// The failed share of the suite's attempts: `22 of 60 attempts (36.7 %), 12 test cases`.
  package var words: String {
    "\(share.counts) attempts (\(share.percent)), \(NumberText.count(cases, "test case"))"
  }
}

extension AttemptRecord {
  /// The reason why the attempt failed, in one line.
  package var failureWords: String {
    if let failure { return failure.words }
    if let verdict = decidingFailure {
      return "\(verdict.assertion): \(verdict.actual), expected \(verdict.expected)"
    }
    return outcome == .fail ? "every assertion was vacuous" : "no value"
  }

  /// The failed assertion because of which the attempt failed, or `nil` if there is none.
  package var decidingFailure: VerdictRecord? { outcome == .fail ? firstFailure : nil }
}

extension AttemptFailure {
  /// The kind and the message, without the kind if the message says it.
  package var words: String {
    let saysKind = [kind.words, "not JSON"].contains { message.hasPrefix($0) }
    return saysKind ? message : "\(kind.words): \(message)"
  }
}

extension AttemptFailure.Kind {
  /// The kind in a few words, for the beginning of a line: `cut off`, `no JSON`.
  package var words: String {
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
    case .defect: "defect of Assay"
    }
  }
}
