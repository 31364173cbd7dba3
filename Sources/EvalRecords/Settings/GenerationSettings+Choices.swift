extension GenerationSettings {
  /// The white space that the mask allows.
  public enum Whitespace: String, Sendable, Hashable, Codable, CaseIterable, SettingConvertible {
    /// No white space outside strings.
    case compact
    /// One space after `:` and `,`.
    case singleSpace
    /// Two-space indentation, one member per line.
    case pretty
    /// The model chooses the white space, with a limit on its length at each place.
    case any
  }

  /// The rules for which segmentations (ways to split the output into tokens) the mask allows.
  public enum Tokenization: String, Sendable, Hashable, Codable, CaseIterable, SettingConvertible {
    /// All tokens whose bytes the schema allows.
    case all
    /// For text that the schema forces, only the tokens that the model's tokenizer produces for
    /// this text; for all other text, all tokens whose bytes the schema allows.
    case canonical
    /// For all text, only tokens that the model's tokenizer could produce after the previous token.
    case canonicalPairs

    /// The name of the option in suite files.
    public var suiteWord: String {
      switch self {
      case .all: "allSegmentations"
      case .canonical: "canonical"
      case .canonicalPairs: "canonicalPairs"
      }
    }
  }

  /// The ways to show the schema in the prompt.
  public enum Outline: String, Sendable, Hashable, Codable, CaseIterable, SettingConvertible {
    /// As TypeScript types, with guides as comments.
    case typescript
    /// As the JSON Schema itself.
    case jsonSchema
    /// As an example value, with guides in place of strings.
    case example
    /// The prompt doesn't show the schema.
    case none
  }

  /// The ways to enforce the schema.
  public enum Mask: String, Sendable, Hashable, Codable, CaseIterable, SettingConvertible {
    /// The model may only write tokens that can still lead to an answer that matches the schema.
    case on
    /// The model may write anything; the answer is parsed and checked afterwards.
    case off
  }
}
