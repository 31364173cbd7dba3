import StructuredText

/// Replaces texts by their SHA-256, for suites that ask that no input and no output is stored.
///
/// A value keeps its form: keys, array lengths, null, true and false, and the names that the schema
/// lists (enum cases, constants), so that lengths, branches and verdicts can still be counted.
/// Strings and numbers become `sha256:` with the first 16 digits; what is no JSON, and prompts,
/// become `sha256:` with all digits. The digest of a short text can be guessed by trying.
///
/// ```
/// {"mood":"calm","cards":[{"q":"Why?"}]}  →  {"mood":"calm","cards":[{"q":"sha256:05cb…"}]}
/// ```
package struct Withholding: Sendable {
  /// The strings that stay: those that the schema lists.
  private let names: Set<String>

  /// Creates the rule for a schema.
  ///
  /// - Parameter schema: The schema as JSON; nil keeps no string.
  package init(schema: String?) {
    names = schema.map { SchemaDocument(schema: $0).listedNames } ?? []
  }

  /// A text's digest.
  package static func digest(_ text: String, digits: Int = 64) -> String {
    "sha256:" + SHA256.hexDigest(of: text).prefix(digits)
  }

  /// A value without what it says.
  package func value(_ value: JSONValue) -> JSONValue {
    switch value {
    case .null, .bool: return value
    case .string(let text):
      return names.contains(text) ? value : .string(Self.digest(text, digits: 16))
    case .number: return .string(Self.digest(value.compactText, digits: 16))
    case .array(let elements): return .array(elements.map(self.value))
    case .object(let members):
      return .object(JSONObject(members.members.map { (key: $0.key, value: self.value($0.value)) }))
    }
  }

  /// An output without what it says.
  package func output(_ text: String) -> String {
    if text.isEmpty { return text }
    guard let value = try? JSONValue(parsing: text) else { return Self.digest(text) }
    return self.value(value).compactText
  }

  /// Words of a verdict or failure: as they are where they only count, for example `0 elements`.
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
  /// The attempt without its texts and trace.
  ///
  /// - Parameter withholding: The rule of the attempt's schema.
  package func withholdingTexts(_ withholding: Withholding) -> AttemptRecord {
    var attempt = self
    attempt.renderedPrompt = Withholding.digest(renderedPrompt)
    attempt.output = withholding.output(output)
    attempt.failure?.message = withholding.words(failure?.message ?? "")
    attempt.verdicts = verdicts.map { verdict in
      var verdict = verdict
      verdict.expected = withholding.words(verdict.expected)
      verdict.actual = withholding.words(verdict.actual)
      return verdict
    }
    attempt.trace = []
    attempt.details.earlierTries = details.earlierTries?.map { earlier in
      var earlier = earlier
      earlier.failure.message = withholding.words(earlier.failure.message)
      return earlier
    }
    return attempt
  }
}

extension SuiteRecord {
  /// The suite as it is stored: without the inputs of its cases where it asks for that.
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
