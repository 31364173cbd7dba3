public import SystemBasics

extension SystemLanguageModel {
  /// An adapter that an app provides for the system's model.
  ///
  /// Adapters work only with Apple's model. No model here supports them, so creating an adapter
  /// always throws an error.
  public struct Adapter: Sendable {
    /// The metadata from the adapter's creator; always empty.
    public var creatorDefinedMetadata: [String: Any] { [:] }

    /// Creates an adapter from a file.
    ///
    /// Always throws, because no model here supports adapters.
    ///
    /// - Parameter fileURL: The location of the adapter.
    /// - Throws: `AssetError.invalidAsset`.
    public init(fileURL: URL) throws {
      throw AssetError.invalidAsset(
        .init(
          debugDescription: "\(fileURL.lastPathComponent) doesn't fit any model on this system."))
    }

    /// Creates an adapter by name.
    ///
    /// Always throws, because no model here supports adapters.
    ///
    /// - Parameter name: The name of the adapter.
    /// - Throws: `AssetError.compatibleAdapterNotFound`.
    public init(name: String) throws {
      throw AssetError.compatibleAdapterNotFound(
        .init(debugDescription: "“\(name)” doesn't fit any model on this system."))
    }

    /// Does nothing and never throws; on Apple's systems, it prepares the adapter.
    @concurrent public func compile() async throws {}

    /// Returns no identifiers, because no model here supports adapters.
    ///
    /// - Parameter name: The name of the adapter.
    /// - Returns: An empty list.
    public static func compatibleAdapterIdentifiers(name: String) -> [String] { [] }

    /// Does nothing and never throws, because there are no adapters.
    public static func removeObsoleteAdapters() throws {}

    /// The reason why an adapter can't be used.
    public enum AssetError: Swift.Error, LocalizedError {
      /// The context of the error.
      public struct Context: Sendable {
        /// A description for developers.
        public let debugDescription: String

        /// Creates a context.
        ///
        /// - Parameter debugDescription: A description for developers.
        public init(debugDescription: String) { self.debugDescription = debugDescription }
      }

      /// The file is not an adapter that can be used.
      case invalidAsset(Context)
      /// The adapter's name is not valid.
      case invalidAdapterName(Context)
      /// No adapter fits the model.
      case compatibleAdapterNotFound(Context)

      /// The text for users, which is the same as the debug description.
      public var errorDescription: String? {
        switch self {
        case .invalidAsset(let context), .invalidAdapterName(let context),
          .compatibleAdapterNotFound(let context):
          context.debugDescription
        }
      }

      /// Advice for solving the problem.
      public var recoverySuggestion: String? { "Use the model without an adapter." }
    }
  }

  /// Creates a model with an adapter, which has no effect here.
  ///
  /// - Parameters:
  ///   - adapter: The adapter.
  ///   - guardrails: The restrictions on the content that the model may read and write; they have
  ///     no effect here.
  public convenience init(adapter: Adapter, guardrails: Guardrails = .default) { self.init() }
}
