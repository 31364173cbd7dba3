/// Adds a conformance to `Generable`, so that a model can generate values of the type.
///
/// Attached to a struct, an actor or an enum, the macro adds the schema, the conversions from and
/// to generated content, and a partially generated type.
///
/// - A struct or an actor is generated property by property in declaration order. The macro leaves
///   out computed, static and lazy properties, constants with an initial value, and variables with
///   an initial value but no type annotation. In an actor, the generated properties must be
///   constants.
/// - An enum without payloads is generated as the name (or the raw string) of a case. Unlike
///   Apple's macro, this macro drops the backticks around a name that is a reserved word.
/// - An enum with payloads is generated as an object that begins with the case name under `type`. A
///   labeled value has its label as the key, and a single unlabeled value has the key `value`, as
///   in Apple's framework. Several unlabeled values have the keys `value1`, `value2` and so on,
///   numbered by position in the payload; this is Assay's choice, because Apple's behavior is
///   unknown.
///
/// - Parameter description: The description of the type that the model reads.
@attached(
  extension, conformances: Generable, names: named(init(_:)), named(generatedContent))
@attached(member, names: arbitrary)
public macro Generable(description: String? = nil) =
  #externalMacro(module: "GuidedGenerationMacros", type: "GenerableMacro")

/// Adds a conformance to `Generable`, and sets whether absent properties are generated as null.
///
/// If absent properties are generated as null, the schema makes every property required and
/// optional properties nullable. This is Assay's choice, because Apple's behavior is unknown.
///
/// - Parameters:
///   - description: The description of the type that the model reads.
///   - representNilExplicitlyInGeneratedContent: Whether an absent property is generated as null
///     instead of being left out; this has no effect on an enum.
@attached(
  extension, conformances: Generable, names: named(init(_:)), named(generatedContent))
@attached(member, names: arbitrary)
public macro Generable(
  description: String? = nil, representNilExplicitlyInGeneratedContent: Bool
) = #externalMacro(module: "GuidedGenerationMacros", type: "GenerableMacro")

/// Adds a conformance to `Generable`, and gives the schema a name that differs from the type's
/// name.
///
/// If absent properties are generated as null, the schema makes every property required and
/// optional properties nullable. This is Assay's choice, because Apple's behavior is unknown.
///
/// - Parameters:
///   - name: The name of the type in the schema.
///   - description: The description of the type that the model reads.
///   - representNilExplicitlyInGeneratedContent: Whether an absent property is generated as null
///     instead of being left out; this has no effect on an enum.
@attached(
  extension, conformances: Generable, names: named(init(_:)), named(generatedContent))
@attached(member, names: arbitrary)
public macro Generable(
  name: String, description: String? = nil,
  representNilExplicitlyInGeneratedContent: Bool = false
) = #externalMacro(module: "GuidedGenerationMacros", type: "GenerableMacro")

/// Describes a property or an enum case to the model, and constrains the value of a property.
///
/// On an enum case, the description tells the model when to choose the case; a case can't have
/// other guides. If a property or a case has several `@Guide` attributes, the macro joins their
/// descriptions with spaces. These rules are Assay's choice, because Apple's behavior is unknown.
///
/// Unlike in Apple's framework, the grammar enforces every constraint. The form of the macro with
/// `key:`, which Apple added in OS 27.3, doesn't exist here.
///
/// - Parameters:
///   - description: The description that the model reads.
///   - guides: The constraints on the value.
@attached(peer)
public macro Guide<T>(description: String? = nil, _ guides: GenerationGuide<T>...) =
  #externalMacro(module: "GuidedGenerationMacros", type: "GuideMacro") where T: Generable

/// Describes a string property to the model and constrains it with a regular expression.
///
/// `GenerationGuide.pattern(_:)` describes the supported expressions.
///
/// - Parameters:
///   - description: The description that the model reads.
///   - guides: The regular expression that the whole string must match.
@attached(peer)
public macro Guide<RegexOutput>(description: String? = nil, _ guides: Regex<RegexOutput>) =
  #externalMacro(module: "GuidedGenerationMacros", type: "GuideMacro")

/// Describes a property or an enum case to the model.
///
/// On an enum case, the description tells the model when to choose the case. If a property or a
/// case has several `@Guide` attributes, the macro joins their descriptions with spaces. These
/// rules are Assay's choice, because Apple's behavior is unknown.
///
/// - Parameter description: The description that the model reads.
@attached(peer)
public macro Guide(description: String) =
  #externalMacro(module: "GuidedGenerationMacros", type: "GuideMacro")
