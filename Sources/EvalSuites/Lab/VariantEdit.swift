public import EvalRecords

/// One change of a variant, made or left alone by itself.
public enum VariantEdit: Sendable, Hashable {
  /// A change of the schema: a guide, a bound, the cases of an enum.
  case schema(SchemaEdit)
  /// Other instructions, or none.
  case instructions(before: String?, after: String?)
  /// Another prompt template.
  case prompt(before: String, after: String)
  /// Another value of one option, or the suite's.
  case option(before: SettingsEdit, after: SettingsEdit, SettingsEdit.Key)

  /// The edit in words: `guide of CardSet.cards`.
  public var title: String {
    switch self {
    case .schema(let edit): edit.title
    case .instructions: "instructions"
    case .prompt: "prompt"
    case .option(let before, let after, let key):
      after[key].words.first ?? before[key].words.first.map { "not \($0)" } ?? key.rawValue
    }
  }
}
