import StructuredText

/// Replaces texts with their SHA-256 digests for suites whose inputs and outputs must not be
/// stored.
///
/// A value keeps its structure: keys, array lengths, null, true and false, and the names that the
/// schema lists (enum cases, constants). So lengths, branches and verdicts can still be counted.
/// Strings and numbers become `sha256:` with the first 16 digits of the digest; text that is not
/// JSON, and prompts, become `sha256:` with all digits. A digest doesn't protect a short text,
/// because anyone can find the text by trying candidates.
///
/// ```
/// {"mood":"calm","cards":[{"q":"Why?"}]}  →  {"mood":"calm","cards":[{"q":"sha256:05cb…"}]}
/// ```
package struct Withholding: Sendable {
  /// The strings to keep, which are the strings that the schema lists.
  private let names: Set<String>

  /// Creates a rule for a schema.
  ///
  /// - Parameter schema: The schema as JSON, or `nil` to keep no strings.
  package init(schema: String?) {
    names = schema.map { SchemaDocument(schema: $0).listedNames } ?? []
  }

  /// Returns a text's digest.
  package static func digest(_ text: String, digits: Int = 64) -> String {
    "sha256:" + SHA256.hexDigest(of: text).prefix(digits)
  }

  /// Returns a value with its contents replaced by digests.
  package func value(_ value: JSONValue) -> JSONValue {
    switch value {
    case .null, .bool: return value
    case .string(let text): return .string(string(text))
    case .number: return .string(Self.digest(value.compactText, digits: 16))
    case .array(let elements): return .array(elements.map(self.value))
    case .object(let members):
      return .object(JSONObject(members.members.map { (key: $0.key, value: self.value($0.value)) }))
    }
  }

  /// Returns a string that the schema lists, or the digest of any other string.
  package func string(_ text: String) -> String {
    names.contains(text) ? text : Self.digest(text, digits: 16)
  }

  /// Returns an output with its contents replaced by digests.
  package func output(_ text: String) -> String {
    if text.isEmpty { return text }
    guard let value = try? JSONValue(parsing: text) else { return Self.digest(text) }
    return self.value(value).compactText
  }

  /// Returns the text of a verdict or failure, or its digest if the text might reveal something.
  ///
  /// A text reveals nothing if it consists only of counts and of names that the schema lists, for
  /// example `0 elements`.
  package func words(_ text: String) -> String {
    let isHarmless = text.split { !$0.isLetter && $0 != "_" }.allSatisfy { word in
      Self.countingWords.contains(String(word)) || names.contains(String(word))
    }
    return isHarmless ? text : Self.digest(text, digits: 16)
  }

  private static let countingWords: Set<String> = [
    "element", "elements", "word", "words", "character", "characters", "sentence", "sentences",
    "token", "tokens", "s", "ms", "nats", "nothing", "empty", "null", "true", "false", "absent",
    "present", "at", "least", "most", "exactly", "or", "more", "fewer", "no", "not", "of", "to",
    "from", "between", "and", "one", "value", "values", "the", "a", "an", "is", "in",
  ]
}

extension AttemptRecord {
  /// Returns the attempt with digests in place of its texts, and without its trace.
  ///
  /// - Parameter withholding: The rule for the attempt's schema.
  package func withholdingTexts(_ withholding: Withholding) -> AttemptRecord {
    var attempt = self
    attempt.renderedPrompt = Withholding.digest(renderedPrompt)
    attempt.details.lookalikes = nil
    attempt.details.removals = nil
    attempt.output = withholding.output(output)
    attempt.failure?.message = withholding.words(failure?.message ?? "")
    attempt.verdicts = verdicts.map { verdict in
      var verdict = verdict
      verdict.expected = withholding.words(verdict.expected)
      verdict.actual = withholding.words(verdict.actual)
      return verdict
    }
    attempt.trace = []
    attempt.details.shape?.branches =
      details.shape?.branches.mapValues(withholding.string) ?? [:]
    attempt.details.cut?.loop = details.cut?.loop.map { Withholding.digest($0, digits: 16) }
    attempt.details.served?.originalText = details.served?.originalText.map(withholding.output)
    attempt.details.served?.brokenPromise = details.served?.brokenPromise.map(withholding.words)
    attempt.details.earlierTries = details.earlierTries?.map { earlier in
      var earlier = earlier
      earlier.failure.message = withholding.words(earlier.failure.message)
      return earlier
    }
    return attempt
  }
}

extension SuiteRecord {
  /// The suite in its stored form.
  ///
  /// If the suite stores only digests, digests replace its inputs.
  package var stored: SuiteRecord {
    guard details.store == .digests else { return self }
    let withholding = Withholding(schema: nil)
    var suite = self
    suite.cases = cases.map { record in
      var record = record
      record.variables = withholding.value(record.variables)
      return record
    }
    return suite
  }
}
