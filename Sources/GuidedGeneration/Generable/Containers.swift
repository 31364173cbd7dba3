extension Array: ConvertibleFromGeneratedContent where Element: ConvertibleFromGeneratedContent {
  /// Creates an array from the elements of the content.
  ///
  /// If the last element is incomplete and can't be decoded yet, the array ends before it.
  ///
  /// - Parameter content: The content.
  /// - Throws: `ParsingError` if the content is not an array, or the element type's error if a
  ///   complete element can't be decoded.
  public init(_ content: GeneratedContent) throws {
    guard case .array(let elements) = content.storage else { throw content.mismatch("an array") }
    self = []
    reserveCapacity(elements.count)
    for element in elements {
      do {
        append(try Element(element))
      } catch  where !element.isComplete {
        // The last element may not have enough content to be decoded yet.
        break
      }
    }
  }
}

extension Array: ConvertibleToGeneratedContent where Element: ConvertibleToGeneratedContent {
  /// The elements as generated content, in order.
  public var generatedContent: GeneratedContent {
    GeneratedContent(storage: .array(map(\.generatedContent)))
  }
}

extension Array: Generable where Element: Generable {
  /// The type of an array that is still being generated: an array of partial elements.
  public typealias PartiallyGenerated = [Element.PartiallyGenerated]

  /// The schema of an array of the element type, with any number of elements.
  public static var generationSchema: GenerationSchema {
    GenerationSchema(name: "Array<\(Element.self)>", source: .array(Element.self))
  }
}

extension Optional where Wrapped: Generable {
  /// The type of a wrapped value that is still being generated.
  public typealias PartiallyGenerated = Wrapped.PartiallyGenerated
}

extension Optional: ConvertibleToGeneratedContent, PromptRepresentable, InstructionsRepresentable
where Wrapped: ConvertibleToGeneratedContent {
  /// The wrapped value as generated content, or null.
  public var generatedContent: GeneratedContent {
    self?.generatedContent ?? GeneratedContent(storage: .null)
  }
}
