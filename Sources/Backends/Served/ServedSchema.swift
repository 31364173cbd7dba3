import EvalRecords
import GuidedGeneration
import ModelServers
import StructuredText

/// A schema in the form for a server, together with the whole schema, against which every answer is
/// checked.
struct ServedSchema {
  /// The whole schema.
  let schema: GenerationSchema
  /// The schema in the form for the server.
  let sent: SentSchema

  /// Prepares the schema of a request.
  ///
  /// - Parameters:
  ///   - text: The schema as JSON in Apple's dialect.
  ///   - profile: The features that the server supports.
  /// - Throws: `AttemptFailure` if the schema can't be read, or if the server's documentation says
  ///   that it rejects such schemas.
  init(_ text: String, for profile: SchemaProfile) throws(AttemptFailure) {
    do {
      schema = try GenerationSchema(json: JSONValue(parsing: text))
    } catch {
      throw AttemptFailure(kind: .unsupportedGenerationGuide, message: String(describing: error))
    }
    sent = SentSchema(schema.json, for: profile)
    if let loss = sent.losses.first(where: \.isRefused) {
      throw AttemptFailure(
        kind: .unsupportedGenerationGuide, message: "the server doesn't support the schema: \(loss)"
      )
    }
  }
}
