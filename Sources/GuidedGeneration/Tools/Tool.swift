import Foundation

/// A function of the app that a model can call.
public protocol Tool<Arguments, Output>: Sendable {
  /// The type of the result that the model reads.
  associatedtype Output: PromptRepresentable
  /// The type of the arguments that the model generates.
  associatedtype Arguments: ConvertibleFromGeneratedContent

  /// The name under which the model calls the tool.
  var name: String { get }
  /// The description of the tool that the model reads.
  var description: String { get }
  /// The schema of the arguments.
  var parameters: GenerationSchema { get }
  /// Whether the instructions describe the tool.
  var includesSchemaInInstructions: Bool { get }

  /// Runs the tool.
  ///
  /// - Parameter arguments: The arguments that the model generated.
  /// - Returns: The result for the model to read.
  /// - Throws: An error if the tool fails.
  @concurrent func call(arguments: Arguments) async throws -> Output
}

extension Tool {
  /// The name of the type, by default.
  public var name: String { String(describing: Self.self) }

  /// Whether the instructions describe the tool; true by default.
  public var includesSchemaInInstructions: Bool { true }
}

extension Tool where Arguments: Generable {
  /// The schema of the argument type, by default.
  public var parameters: GenerationSchema { Arguments.generationSchema }
}

extension Tool {
  /// Decodes the arguments, calls the tool, and returns the text for the model.
  func output(for arguments: GeneratedContent) async throws -> Prompt {
    do {
      return try await call(arguments: Arguments(arguments)).promptRepresentation
    } catch {
      throw LanguageModelSession.ToolCallError(tool: self, underlyingError: error)
    }
  }
}

extension LanguageModelSession {
  /// An error that a tool threw.
  public struct ToolCallError: Swift.Error, LocalizedError {
    /// The tool.
    public var tool: any Tool
    /// The error that the tool threw.
    public var underlyingError: any Swift.Error

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - tool: The tool.
    ///   - underlyingError: The error that the tool threw.
    public init(tool: any Tool, underlyingError: any Swift.Error) {
      self.tool = tool
      self.underlyingError = underlyingError
    }

    /// A description that names the tool.
    public var errorDescription: String? {
      "The tool “\(tool.name)” failed: \(underlyingError)"
    }
  }
}
