/// Adds a conformance to `Generable`, so that a model can generate values of the type.
///
/// Attached to a struct or an enum, the macro adds the schema, the conversions from and to
/// generated content, and a partially generated type. A struct is generated property by property in
/// declaration order. The macro leaves out computed, static and lazy properties, constants with a
/// value, and variables with a value but no written type. An enum without payloads is generated as
/// the name (or the raw string) of a case. An enum with payloads is generated as an object that
/// begins with the case name under `type`.
///
/// Unlike Apple's macro, this one also accepts actors.
///
/// - Parameter description: The description of the type that the model reads.
@attached(
  extension, conformances: Generable, names: named(init(_:)), named(generatedContent))
@attached(member, names: arbitrary)
public macro Generable(description: String? = nil) =
  #externalMacro(module: "GuidedGenerationMacros", type: "GenerableMacro")

/// Adds a conformance to `Generable` and sets how absent properties are generated.
///
/// - Parameters:
///   - description: The description of the type that the model reads.
///   - representNilExplicitlyInGeneratedContent: Whether an absent property is generated as null.
@attached(
  extension, conformances: Generable, names: named(init(_:)), named(generatedContent))
@attached(member, names: arbitrary)
public macro Generable(
  description: String? = nil, representNilExplicitlyInGeneratedContent: Bool
) = #externalMacro(module: "GuidedGenerationMacros", type: "GenerableMacro")

/// Adds a conformance to `Generable` under a different name in the schema.
///
/// - Parameters:
///   - name: The name of the type in the schema.
///   - description: The description of the type that the model reads.
///   - representNilExplicitlyInGeneratedContent: Whether an absent property is generated as null.
@attached(
  extension, conformances: Generable, names: named(init(_:)), named(generatedContent))
@attached(member, names: arbitrary)
public macro Generable(
  name: String, description: String? = nil,
  representNilExplicitlyInGeneratedContent: Bool = false
) = #externalMacro(module: "GuidedGenerationMacros", type: "GenerableMacro")

/// Describes a property or a case to the model and constrains its value.
///
/// On an enum case, the description tells the model when to choose the case. The grammar enforces
/// every constraint, unlike Apple's framework.
///
/// - Parameters:
///   - description: The description that the model reads.
///   - guides: The constraints on the value.
@attached(peer)
public macro Guide<T>(description: String? = nil, _ guides: GenerationGuide<T>...) =
  #externalMacro(module: "GuidedGenerationMacros", type: "GuideMacro") where T: Generable

/// Describes a string property to the model and constrains it with regular expressions.
///
/// - Parameters:
///   - description: The description that the model reads.
///   - guides: The regular expressions that the whole string must match.
@attached(peer)
public macro Guide<RegexOutput>(description: String? = nil, _ guides: Regex<RegexOutput>) =
  #externalMacro(module: "GuidedGenerationMacros", type: "GuideMacro")

/// Describes a property or a case to the model.
///
/// - Parameter description: The description that the model reads.
@attached(peer)
public macro Guide(description: String) =
  #externalMacro(module: "GuidedGenerationMacros", type: "GuideMacro")
