import GuidedGeneration
internal import ModelServers
import StructuredText

/// A schema in the form that is sent to a model server, and the parts that the server doesn't
/// enforce.
package struct SentSchemaView: Sendable {
  /// The names of the server interfaces.
  package static let interfaces = ServerInterface.allCases.map(\.rawValue)

  /// The schema in the form that is sent.
  package let json: JSONValue
  /// Descriptions of the parts that the server doesn't enforce, and of the objects that accept more
  /// keys than Assay asks for.
  package let losses: [String]
  /// Whether the server's documentation says that the server rejects this schema.
  package let isRefused: Bool

  /// Creates a view of a schema for an interface.
  ///
  /// - Parameters:
  ///   - schema: The schema.
  ///   - interface: The name of an interface. If the name is unknown, the result is `nil`.
  package init?(_ schema: GenerationSchema, for interface: String) {
    guard let interface = ServerInterface(rawValue: interface) else { return nil }
    let sent = SentSchema(schema.json, for: interface.schemaProfile)
    json = sent.json
    losses =
      sent.losses.map(\.description)
      + schema.openPlaces.map {
        "\($0): the schema also accepts keys that it doesn't name; Assay doesn't ask for them"
      }
    isRefused = sent.losses.contains(where: \.isRefused)
  }
}
