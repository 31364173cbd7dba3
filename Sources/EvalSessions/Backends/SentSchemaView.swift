import GuidedGeneration
internal import ModelServers
import StructuredText

/// A schema as the interface of a model server gets it, and the parts that the server doesn't
/// enforce.
package struct SentSchemaView: Sendable {
  /// The names of the interfaces.
  package static let interfaces = ServerInterface.allCases.map(\.rawValue)

  /// The schema as it is sent.
  package let json: JSONValue
  /// The parts that the server does not enforce, in words.
  package let losses: [String]
  /// Whether the server documents that it refuses the schema.
  package let isRefused: Bool

  /// Prepares a schema.
  ///
  /// - Parameters:
  ///   - schema: The schema.
  ///   - interface: The name of an interface; nil is returned for an unknown one.
  package init?(_ schema: GenerationSchema, for interface: String) {
    guard let interface = ServerInterface(rawValue: interface) else { return nil }
    let sent = SentSchema(schema.json, for: interface.schemaProfile)
    json = sent.json
    losses = sent.losses.map(\.description)
    isRefused = sent.losses.contains(where: \.isRefused)
  }
}
