extension GenerationSettings {
  /// The white space that the mask allows.
  public enum Whitespace: String, Sendable, Hashable, Codable, CaseIterable {
    /// None outside strings.
    case compact
    /// One space after `:` and `,`.
    case singleSpace
    /// Two-space indentation, one member a line.
    case pretty
    /// As the model chooses, within a bound for each place.
    case any
  }

  /// Which segmentations of the text into tokens are allowed.
  public enum Tokenization: String, Sendable, Hashable, Codable, CaseIterable {
    /// Every token whose bytes fit.
    case all
    /// Where the schema leaves one text only, the tokens that the model's tokenizer gives it.
    case canonical
    /// Everywhere, only tokens that the model's tokenizer would write behind the one before.
    case canonicalPairs

    /// The value as suites write it.
    public var suiteWord: String {
      switch self {
      case .all: "allSegmentations"
      case .canonical: "canonical"
      case .canonicalPairs: "canonicalPairs"
      }
    }
  }

  /// How the prompt shows the schema.
  public enum Outline: String, Sendable, Hashable, Codable, CaseIterable {
    /// As types in the manner of TypeScript, guides as comments.
    case typescript
    /// As the JSON Schema itself.
    case jsonSchema
    /// As one value with the schema's form, guides in place of texts.
    case example
    /// Not at all.
    case none
  }

  /// Whether a mask holds the answer to its schema.
  public enum Mask: String, Sendable, Hashable, Codable, CaseIterable {
    /// Only tokens are allowed after which the answer can still keep to the schema.
    case on
    /// The model writes what it likes; the answer is parsed and checked afterwards.
    case off
  }
}
