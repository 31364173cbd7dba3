/// A type that can be created from generated content.
public protocol ConvertibleFromGeneratedContent: SendableMetatype {
  /// Creates a value from generated content.
  ///
  /// - Parameter content: The content.
  /// - Throws: An error if the content doesn't fit the type.
  init(_ content: GeneratedContent) throws
}

/// A type whose values can be converted to generated content.
public protocol ConvertibleToGeneratedContent: InstructionsRepresentable, PromptRepresentable {
  /// The value as generated content.
  var generatedContent: GeneratedContent { get }
}

/// A type whose values a model can generate.
///
/// Attach `@Generable` to a struct, an actor or an enum instead of conforming manually.
public protocol Generable: ConvertibleFromGeneratedContent, ConvertibleToGeneratedContent {
  /// The type of a value that is still being generated; by default the type itself.
  associatedtype PartiallyGenerated: ConvertibleFromGeneratedContent = Self

  /// The schema that generated values follow.
  static var generationSchema: GenerationSchema { get }
}

extension Generable {
  /// Converts the value to its partially generated form.
  ///
  /// If the partial type can't read the content of the complete value, the program stops.
  ///
  /// - Returns: The partial value, with every property present.
  public func asPartiallyGenerated() -> Self.PartiallyGenerated {
    do {
      return try Self.PartiallyGenerated(generatedContent)
    } catch {
      preconditionFailure("\(Self.self) can't read the content that it writes: \(error)")
    }
  }

  /// The type of a value that is still being generated; by default the type itself.
  public typealias PartiallyGenerated = Self
}

extension ConvertibleToGeneratedContent {
  /// The value's content as JSON, for a prompt.
  public var promptRepresentation: Prompt { return Prompt(text: generatedContent.jsonString) }

  /// The value's content as JSON, for instructions.
  public var instructionsRepresentation: Instructions {
    return Instructions(text: generatedContent.jsonString)
  }
}
