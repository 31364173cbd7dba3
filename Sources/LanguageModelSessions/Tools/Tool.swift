import GuidedGeneration
import SystemBasics

/// A function of the app that a model can call.
public protocol Tool<Arguments, Output>: Sendable {
  /// The type of the result that the model reads.
  associatedtype Output: PromptRepresentable
  /// The type of the arguments that the model generates.
  associatedtype Arguments: ConvertibleFromGeneratedContent

  /// The name under which the model calls the tool; by default the name of the type.
  var name: String { get }
  /// The description of the tool that the model reads.
  var description: String { get }
  /// The schema of the arguments; by default the schema of the argument type.
  ///
  /// As in Apple's framework, a session with fixed tools reads the schema once, when the session is
  /// created. A session with a profile reads the schema at every evaluation of the profile.
  var parameters: GenerationSchema { get }
  /// Whether the instructions describe the tool; by default they do.
  ///
  /// The model can call the tool either way.
  var includesSchemaInInstructions: Bool { get }

  /// Runs the tool.
  ///
  /// - Parameter arguments: The arguments that the model generated.
  /// - Returns: The result for the model to read.
  /// - Throws: An error if the tool fails; the request then throws `ToolCallError`.
  @concurrent func call(arguments: Arguments) async throws -> Output
}

extension Tool {
  /// The name of the tool, by default the name of its type.
  public var name: String { String(describing: Self.self) }

  /// Whether the instructions describe the tool; true by default.
  public var includesSchemaInInstructions: Bool { true }
}

extension Tool where Arguments: Generable {
  /// The schema of the arguments, by default the schema of their type.
  public var parameters: GenerationSchema { Arguments.generationSchema }
}

extension Tool {
  /// Decodes the arguments, calls the tool, and returns its output for the model.
  func output(for arguments: GeneratedContent) async throws -> Prompt {
    do {
      return try await call(arguments: Arguments(arguments)).promptRepresentation
    } catch {
      throw LanguageModelSession.ToolCallError(tool: self, underlyingError: error)
    }
  }
}

extension LanguageModelSession {
  /// The error that a request throws because a tool failed.
  public struct ToolCallError: Swift.Error, LocalizedError {
    /// The tool that failed.
    public var tool: any Tool
    /// The error that the tool threw, or the error from decoding its arguments.
    public var underlyingError: any Swift.Error

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - tool: The tool that failed.
    ///   - underlyingError: The error that the tool threw, or the error from decoding its
    ///     arguments.
    public init(tool: any Tool, underlyingError: any Swift.Error) {
      self.tool = tool
      self.underlyingError = underlyingError
    }

    /// A sentence that names the tool and the underlying error.
    public var errorDescription: String? {
      "The tool “\(tool.name)” failed: \(underlyingError)"
    }
  }
}
