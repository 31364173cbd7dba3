public import EvalRecords

/// One change of a variant that can be applied alone.
public enum VariantEdit: Sendable, Hashable {
  /// A change of the schema: of a guide, a bound, or the cases of an enum.
  case schema(SchemaEdit)
  /// A change of the instructions, which may be absent.
  case instructions(before: String?, after: String?)
  /// A change of the prompt template.
  case prompt(before: String, after: String)
  /// A change of one option, which may be absent before or after.
  case option(before: SettingsEdit, after: SettingsEdit, SettingsEdit.Key)

  /// A description of the edit: `guide of CardSet.cards`.
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
