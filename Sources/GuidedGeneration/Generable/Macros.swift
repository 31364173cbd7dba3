/// Makes a type one whose values a model can generate.
///
/// Attached to a struct or an enum, it makes the schema, the conversions from and to generated
/// content, and the type of values that are still being generated. A struct is generated property
/// by property in the order in which they are declared; computed, static and lazy properties,
/// constants with a value, and variables whose value says their type are left out. An enum without payloads is generated as the name (or the
/// raw string) of a case, one with payloads as an object that begins with the name under `type`.
///
/// - Parameter description: The description of the type that the model reads.
@attached(
  extension, conformances: Generable, names: named(init(_:)), named(generatedContent))
@attached(member, names: arbitrary)
public macro Generable(description: String? = nil) =
  #externalMacro(module: "GuidedGenerationMacros", type: "GenerableMacro")

/// Makes a type one whose values a model can generate, with a word on absent properties.
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

/// Makes a type one whose values a model can generate, under a name of its own.
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

/// Says what a property or a case is for, and what its value is held to.
///
/// On a case of an enum the description tells the model when to choose it.
///
/// - Parameters:
///   - description: What the model is told.
///   - guides: The constraints on the value.
@attached(peer)
public macro Guide<T>(description: String? = nil, _ guides: GenerationGuide<T>...) =
  #externalMacro(module: "GuidedGenerationMacros", type: "GuideMacro") where T: Generable

/// Says what a string property is for, and what it matches.
///
/// - Parameters:
///   - description: What the model is told.
///   - guides: The regular expressions that the whole string must match.
@attached(peer)
public macro Guide<RegexOutput>(description: String? = nil, _ guides: Regex<RegexOutput>) =
  #externalMacro(module: "GuidedGenerationMacros", type: "GuideMacro")

/// Says what a property or a case is for.
///
/// - Parameter description: What the model is told.
@attached(peer)
public macro Guide(description: String) =
  #externalMacro(module: "GuidedGenerationMacros", type: "GuideMacro")
