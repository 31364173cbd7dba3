/// A type that can be made of generated content.
public protocol ConvertibleFromGeneratedContent: SendableMetatype {
  /// Creates a value of generated content.
  ///
  /// - Parameter content: The content.
  /// - Throws: Where the content is no such value.
  init(_ content: GeneratedContent) throws
}

/// A type whose values can be written as generated content.
public protocol ConvertibleToGeneratedContent: InstructionsRepresentable, PromptRepresentable {
  /// The value as generated content.
  var generatedContent: GeneratedContent { get }
}

/// A type whose values a model can generate.
///
/// Attach `@Generable` to a struct or an enum rather than conforming by hand.
public protocol Generable: ConvertibleFromGeneratedContent, ConvertibleToGeneratedContent {
  /// The type of a value that is still being generated.
  associatedtype PartiallyGenerated: ConvertibleFromGeneratedContent = Self

  /// What a value looks like.
  static var generationSchema: GenerationSchema { get }
}

extension Generable {
  /// The value as one that is still being generated.
  ///
  /// - Returns: The partial value.
  public func asPartiallyGenerated() -> Self.PartiallyGenerated {
    do {
      return try Self.PartiallyGenerated(generatedContent)
    } catch {
      preconditionFailure("\(Self.self) cannot read the content that it writes: \(error)")
    }
  }

  /// The type of a value that is still being generated.
  public typealias PartiallyGenerated = Self
}

extension ConvertibleToGeneratedContent {
  /// The value in a prompt: its content as JSON.
  public var promptRepresentation: Prompt { return Prompt(text: generatedContent.jsonString) }

  /// The value in instructions: its content as JSON.
  public var instructionsRepresentation: Instructions {
    return Instructions(text: generatedContent.jsonString)
  }
}
