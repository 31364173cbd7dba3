import Foundation

/// Something that a model can ask the app to do.
public protocol Tool<Arguments, Output>: Sendable {
  /// What the model reads of the result.
  associatedtype Output: PromptRepresentable
  /// What the model gives.
  associatedtype Arguments: ConvertibleFromGeneratedContent

  /// The name under which the model calls the tool.
  var name: String { get }
  /// What the model is told of it.
  var description: String { get }
  /// What the arguments keep to.
  var parameters: GenerationSchema { get }
  /// Whether the tool is described in the instructions.
  var includesSchemaInInstructions: Bool { get }

  /// Does what the model asks for.
  ///
  /// - Parameter arguments: What the model gives.
  /// - Returns: What the model reads of the result.
  /// - Throws: Where it cannot be done.
  @concurrent func call(arguments: Arguments) async throws -> Output
}

extension Tool {
  /// The name of the type.
  public var name: String { String(describing: Self.self) }

  /// The tool is described in the instructions.
  public var includesSchemaInInstructions: Bool { true }
}

extension Tool where Arguments: Generable {
  /// The schema of the arguments.
  public var parameters: GenerationSchema { Arguments.generationSchema }
}

extension Tool {
  /// Decodes the arguments, calls the tool, and gives what the model reads.
  func output(for arguments: GeneratedContent) async throws -> Prompt {
    do {
      return try await call(arguments: Arguments(arguments)).promptRepresentation
    } catch {
      throw LanguageModelSession.ToolCallError(tool: self, underlyingError: error)
    }
  }
}

extension LanguageModelSession {
  /// What a tool threw.
  public struct ToolCallError: Swift.Error, LocalizedError {
    /// The tool.
    public var tool: any Tool
    /// What it threw.
    public var underlyingError: any Swift.Error

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - tool: The tool.
    ///   - underlyingError: What it threw.
    public init(tool: any Tool, underlyingError: any Swift.Error) {
      self.tool = tool
      self.underlyingError = underlyingError
    }

    public var errorDescription: String? {
      "The tool “\(tool.name)” failed: \(underlyingError)"
    }
  }
}
