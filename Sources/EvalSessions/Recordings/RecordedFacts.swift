import EvalRecords
import StructuredText
import SystemBasics

/// The facts about a recorded answer, beside its prompt and its text.
///
/// ```
/// {"suite": "cards", "variant": "default", "case": "tides", "prompt": "…", "output": null,
///  "failure": {"kind": "guardrailViolation", "message": "…"}, "options": {"seed": 71},
///  "model": "AFM 3 Core", "system": "Version 27.0.1 (Build 26A434)", "assets": ["…"],
///  "usage": {"input": 100, "output": 50}, "seconds": 1.2, "repeat": 0,
///  "time": "2026-11-29T03:00:00Z"}
/// ```
/// Every fact is optional, and other spellings of the same facts count too. A value of another type
/// is no fact, because an app's log may use the same key for something else.
package struct RecordedFacts: Sendable, Hashable {
  /// The failure that the model or the system reported.
  package var failure: AttemptFailure?
  /// The seed of the answer.
  package var seed: UInt64?
  /// The name of the model, for example `AFM 3 Core`.
  package var model: String?
  /// The version of the system that ran the model, for example `Version 27.0.1 (Build 26A434)`.
  package var system: String?
  /// The names of the model's files, with their versions.
  package var assets: [String] = []
  /// The number of tokens in the prompt.
  package var promptTokens: Int?
  /// The number of tokens in the answer.
  package var outputTokens: Int?
  /// The duration in seconds.
  package var seconds: Double?
  /// The names that the line gives of its suite, variant and test case, by their keys in the line;
  /// a recorder gives all of them.
  package var names: [String: String] = [:]
  /// The attempt as the recorder counts it, or `nil` if the line doesn't come from a recorder.
  package var attempt: Attempt?
  /// The schema of the request as JSON, or `nil` if the line has none.
  package var schema: JSONValue?

  /// The test case in one variant of its suite.
  package struct Place: Sendable, Hashable {
    /// The suite's id.
    package var suite: String
    /// The variant's id.
    package var variant: String
    /// The test case's id.
    package var caseID: String

    /// The keys of the names in a line.
    package static let keys = ["suite", "variant", "case"]
  }

  /// An attempt of a recorder.
  package struct Attempt: Sendable, Hashable {
    /// The number of the repeat.
    package var number: Int
    /// The time at which it was made.
    package var time: String
  }

  /// Whether the line has all names of its test case.
  var namesCase: Bool { names.count == Place.keys.count }

  /// Creates facts that are all unknown.
  package init() {}

  /// Creates facts by reading a line of a log.
  ///
  /// - Parameters:
  ///   - line: The line.
  ///   - hasOutput: Whether the line has an answer. An error that isn't known doesn't count if
  ///     there is an answer.
  init(line: JSONValue, hasOutput: Bool) {
    let options = line["options"]
    failure =
      Self.failure(line["failure"], otherwise: .backend, hasOutput: hasOutput)
      ?? Self.failure(line["error"], otherwise: .noAnswer, hasOutput: hasOutput)
    seed = Self.seed(line["seed"]) ?? Self.seed(options?["seed"])
    model = Self.name(line["model"])
    system = Self.name(line["system"]) ?? Self.name(line["os"])
    assets = (line["assets"]?.array ?? []).compactMap(Self.name)
    let usage = line["usage"]
    promptTokens = Self.count(usage?["input"] ?? usage?["prompt_tokens"])
    outputTokens = Self.count(usage?["output"] ?? usage?["completion_tokens"])
    seconds = line["seconds"]?.double.flatMap { $0.isFinite && $0 >= 0 ? $0 : nil }
    schema = line["schema"].flatMap { $0["type"]?.string == nil ? nil : $0 }
    for key in Place.keys { names[key] = Self.name(line[key]) }
    if let number = line["repeat"]?.int, let time = line["time"]?.string {
      attempt = Attempt(number: number, time: time)
    }
  }

  /// Creates facts by reading the entries of a prompt and its response in a transcript.
  ///
  /// - Parameters:
  ///   - prompt: The entry of the prompt.
  ///   - response: The entry of the response, or `nil` if there was none.
  init(prompt: JSONValue, response: JSONValue?) {
    seed = Self.seed(prompt["options"]?["randomSeed"])
    guard let response else { return }
    let metadata = response["metadata"]
    system = Self.name(metadata?["systemVersion"])
    let listed = response["assets"]?.array ?? metadata?["assetIDs"]?.array ?? []
    assets = listed.compactMap(Self.name)
  }

  /// The largest count that isn't a mistake.
  private static let mostTokens = 1_000_000_000

  private static func count(_ value: JSONValue?) -> Int? {
    guard let count = value?.int, (0...mostTokens).contains(count) else { return nil }
    return count
  }

  private static func name(_ value: JSONValue?) -> String? {
    value?.string.flatMap { $0.isEmpty ? nil : $0 }
  }

  private static func seed(_ value: JSONValue?) -> UInt64? {
    value?.number.flatMap { UInt64($0.text) }
  }

  // MARK: Failures

  /// Returns the failure that a member of a line describes, as an object or by its name alone, or
  /// `nil` if it describes none.
  ///
  /// - Parameters:
  ///   - written: The member's value.
  ///   - kind: The kind of a failure whose name isn't known. It counts only if there is no answer.
  ///   - hasOutput: Whether the line has an answer.
  private static func failure(
    _ written: JSONValue?, otherwise kind: AttemptFailure.Kind, hasOutput: Bool
  ) -> AttemptFailure? {
    let name = written?["kind"]?.string ?? written?.string ?? ""
    let message = written?["message"]?.string ?? ""
    guard !name.isEmpty || !message.isEmpty else { return nil }
    let words =
      message.isEmpty || message == name ? name : name.isEmpty ? message : "\(name): \(message)"
    // An app's own words may begin with the name: `guardrailViolation(Context(…))`.
    let start = name.prefix { $0.isASCII && ($0.isLetter || $0.isNumber) }
    if let known = kinds[String(start)] { return AttemptFailure(kind: known, message: words) }
    return hasOutput ? nil : AttemptFailure(kind: kind, message: words)
  }

  /// The kinds of failure, by the names that Apple's framework has for them.
  private static let kinds: [String: AttemptFailure.Kind] = [
    "assetsUnavailable": .backend, "concurrentRequests": .backend,
    "contextSizeExceeded": .contextSizeExceeded, "decodingFailure": .malformedOutput,
    "exceededContextWindowSize": .contextSizeExceeded, "guardrailViolation": .refusal,
    "invalidOutput": .malformedOutput, "rateLimited": .rateLimited, "refusal": .refusal,
    "timeout": .timeout, "tokenLimit": .truncated, "unsupportedCapability": .backend,
    "unsupportedGenerationGuide": .unsupportedGenerationGuide,
    "unsupportedGuide": .unsupportedGenerationGuide, "unsupportedLanguageOrLocale": .backend,
    "unsupportedTranscriptContent": .backend,
  ]
}

extension StopReason {
  /// Creates the stop reason of a recorded answer with a failure.
  init(recorded failure: AttemptFailure?) {
    switch failure?.kind {
    case nil: self = .complete
    case .refusal: self = .refusal
    case .truncated: self = .tokenLimit
    case .contextSizeExceeded, .promptTooLong: self = .contextFull
    default: self = .failed
    }
  }
}
