public import Foundation

extension SystemLanguageModel {
  /// A change of the system's model that an app brings along.
  ///
  /// Adapters belong to Apple's model: here there is none that they fit, and making one fails.
  public struct Adapter: Sendable {
    /// What the adapter's maker says of it.
    public var creatorDefinedMetadata: [String: Any] { [:] }

    /// Fails: there is no model that an adapter fits.
    ///
    /// - Parameter fileURL: Where the adapter is.
    /// - Throws: `AssetError.invalidAsset`.
    public init(fileURL: URL) throws {
      throw AssetError.invalidAsset(
        .init(debugDescription: "\(fileURL.lastPathComponent) fits no model of this system."))
    }

    /// Fails: there is no model that an adapter fits.
    ///
    /// - Parameter name: The name of the adapter.
    /// - Throws: `AssetError.compatibleAdapterNotFound`.
    public init(name: String) throws {
      throw AssetError.compatibleAdapterNotFound(
        .init(debugDescription: "“\(name)” fits no model of this system."))
    }

    /// Gets the adapter ready.
    @concurrent public func compile() async throws {}

    /// None: there is no model that an adapter fits.
    ///
    /// - Parameter name: The name of the adapter.
    /// - Returns: Nothing.
    public static func compatibleAdapterIdentifiers(name: String) -> [String] { [] }

    /// Does nothing: there are no adapters.
    public static func removeObsoleteAdapters() throws {}

    /// Why an adapter cannot be used.
    public enum AssetError: Swift.Error, LocalizedError {
      /// The context of the error.
      public struct Context: Sendable {
        public let debugDescription: String

        /// Creates a context.
        public init(debugDescription: String) { self.debugDescription = debugDescription }
      }

      case invalidAsset(Context)
      case invalidAdapterName(Context)
      case compatibleAdapterNotFound(Context)

      public var errorDescription: String? {
        switch self {
        case .invalidAsset(let context), .invalidAdapterName(let context),
          .compatibleAdapterNotFound(let context):
          context.debugDescription
        }
      }

      public var recoverySuggestion: String? { "Use the model without an adapter." }
    }
  }

  /// Creates the model with an adapter.
  ///
  /// - Parameters:
  ///   - adapter: The adapter.
  ///   - guardrails: What the model may read and write.
  public convenience init(adapter: Adapter, guardrails: Guardrails = .default) { self.init() }
}
