import SystemBasics

extension GenerationSchema {
  /// An error in a set of dynamic schemas.
  public enum SchemaError: Error, LocalizedError {
    /// The context of the error.
    public struct Context: Sendable {
      /// A description for developers.
      public let debugDescription: String

      /// Creates a context.
      ///
      /// - Parameter debugDescription: A description for developers.
      public init(debugDescription: String) { self.debugDescription = debugDescription }
    }

    /// Two schemas have the same name.
    case duplicateType(schema: String?, type: String, context: Context)
    /// An object has two properties with the same name.
    case duplicateProperty(schema: String, property: String, context: Context)
    /// A choice has no alternatives.
    case emptyTypeChoices(schema: String, context: Context)
    /// References name schemas that are neither the root nor among the dependencies.
    case undefinedReferences(schema: String?, references: [String], context: Context)

    /// The problem in one sentence.
    public var errorDescription: String? {
      switch self {
      case .duplicateType(_, let type, _): "Two schemas are named “\(type)”."
      case .duplicateProperty(let schema, let property, _):
        "“\(schema)” has two properties named “\(property)”."
      case .emptyTypeChoices(let schema, _): "“\(schema)” has nothing to choose from."
      case .undefinedReferences(_, let references, _):
        "No schema is named " + references.map { "“\($0)”" }.joined(separator: ", ") + "."
      }
    }

    /// Advice for solving the problem.
    public var recoverySuggestion: String? {
      switch self {
      case .duplicateType: "Give one of them another name, or use one schema for both."
      case .duplicateProperty: "Give every property of a schema a different name."
      case .emptyTypeChoices: "Give at least one choice."
      case .undefinedReferences: "Add the missing schemas to the dependencies."
      }
    }
  }
}
