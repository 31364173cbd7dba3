import ConstrainedDecoding
import EvalRecords
import GuidedGeneration
import ModelServers
import StructuredText

/// A request's schema in three forms: for checking answers, for the prompt and the grammar, and in
/// the form that is sent to the server.
struct ServedSchema {
  /// The schema by which answers are judged.
  let schema: GenerationSchema
  /// The schema of the values that the model may generate.
  let generated: GenerationSchema
  /// The schema as it is sent to the server.
  let sent: SentSchema
  /// The layout of answers: the white space that they may contain.
  ///
  /// If the server gets Assay's grammar, the layout comes from the settings. Otherwise, the server
  /// chooses the layout, so any layout is allowed.
  let layout: WhitespaceMode
  /// Assay's grammar of the schema, or `nil` if the server gets the schema and builds a grammar
  /// from it.
  let grammar: String?
  /// The reason why the schema can't be sent as a grammar, or `nil` if there is none.
  ///
  /// The reason is also `nil` if the options don't ask for a grammar.
  let obstacle: String?

  /// Creates the schema of a request for a server.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - profile: The schema features that the server supports.
  ///   - layout: The layout for Assay's grammar, or `nil` to let the server build a grammar from
  ///     the schema.
  /// - Throws: `AttemptFailure` if the schema can't be read, or if the server rejects such schemas
  ///   according to the profile.
  init(
    _ request: BackendRequest, for profile: SchemaProfile,
    grammarLayout layout: WhitespaceMode? = nil
  ) throws(AttemptFailure) {
    do {
      generated = try GenerationSchema(json: JSONValue(parsing: request.schema))
      schema =
        try request.judgedSchema.map { try GenerationSchema(json: JSONValue(parsing: $0)) }
        ?? generated
    } catch {
      throw AttemptFailure(kind: .unsupportedGenerationGuide, message: String(describing: error))
    }
    sent = SentSchema(generated.json, for: profile)
    if let loss = sent.losses.first(where: \.isRefused) {
      throw AttemptFailure(
        kind: .unsupportedGenerationGuide, message: "the server doesn't support the schema: \(loss)"
      )
    }
    guard let layout else {
      (self.layout, grammar, obstacle) = (.any, nil, nil)
      return
    }
    do {
      let compiled = try Grammar(
        schema: generated,
        options: GrammarOptions(whitespace: layout, whitespaceBound: .withoutDepth))
      (self.layout, grammar, obstacle) = (layout, try GrammarNotation.text(of: compiled), nil)
    } catch {
      (self.layout, grammar, obstacle) = (.any, nil, String(describing: error))
    }
  }
}
