import EvalRecords
import GuidedGeneration
import StructuredText

extension Suite {
  /// Restores a stored variant so that it can run again.
  ///
  /// The schema, instructions and prompt come from the record. The stub's answers come from the
  /// current variant with the same id.
  ///
  /// - Parameters:
  ///   - record: The stored variant.
  ///   - suite: The stored suite.
  /// - Returns: The variant, or `nil` if the record's schema or prompt can't be read.
  package func restoring(
    _ record: VariantRecord, of suite: SuiteRecord
  ) -> SuiteVariant? {
    guard let document = try? JSONValue(parsing: record.schema),
      let schema = try? GenerationSchema(json: document),
      let prompt = try? PromptTemplate(parsing: record.promptTemplate)
    else { return nil }
    return SuiteVariant(
      id: record.id, title: record.title, schema: record.schema,
      instructions: record.instructions, prompt: prompt, edits: record.edits,
      stub: variants.first { $0.id == record.id }?.stub,
      options: suite.details.variantOptions?[record.id] ?? SettingsEdit(),
      generationSchema: schema,
      judgedSchema: suite.details.judgedSchemas?[record.id]
        ?? variants.first { $0.schema == record.schema }?.judgedSchema)
  }
}
