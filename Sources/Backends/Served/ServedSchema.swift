import EvalRecords
import GuidedGeneration
import ModelServers
import StructuredText

/// A schema as a server gets it, with the whole one, which every answer is checked against.
struct ServedSchema {
  /// The whole schema.
  let schema: GenerationSchema
  /// The schema as it is sent.
  let sent: SentSchema

  /// Prepares the schema of a request.
  ///
  /// - Parameters:
  ///   - text: The schema as JSON in Apple's dialect.
  ///   - profile: What the server takes.
  /// - Throws: `AttemptFailure` if the schema can't be read, or if the server documents that it
  ///   refuses such schemas.
  init(_ text: String, for profile: SchemaProfile) throws(AttemptFailure) {
    do {
      schema = try GenerationSchema(json: JSONValue(parsing: text))
    } catch {
      throw AttemptFailure(kind: .unsupportedGenerationGuide, message: String(describing: error))
    }
    sent = SentSchema(schema.json, for: profile)
    if let loss = sent.losses.first(where: \.isRefused) {
      throw AttemptFailure(
        kind: .unsupportedGenerationGuide, message: "the server does not take the schema: \(loss)")
    }
  }
}
