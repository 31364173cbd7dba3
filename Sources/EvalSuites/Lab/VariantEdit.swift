public import EvalRecords

/// A single change to a variant, which can be tried on its own.
public enum VariantEdit: Sendable, Hashable {
  /// A change to the schema: to a guide, a bound, or the cases of an enum.
  case schema(SchemaEdit)
  /// A change to the instructions, which may be absent before or after the change.
  case instructions(before: String?, after: String?)
  /// A change to the prompt template.
  case prompt(before: String, after: String)
  /// A change to one option, which may be absent before or after the change.
  case option(before: SettingsEdit, after: SettingsEdit, GenerationSetting)

  /// A description of the edit, for example `guide of CardSet.cards`.
  public var title: String {
    switch self {
    case .schema(let edit): edit.title
    case .instructions: "instructions"
    case .prompt: "prompt"
    case .option(let before, let after, let key):
      after.words(of: key) ?? before.words(of: key).map { "not \($0)" } ?? key.rawValue
    }
  }
}
