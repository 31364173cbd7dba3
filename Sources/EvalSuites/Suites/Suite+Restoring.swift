import EvalRecords
import GuidedGeneration
import StructuredText

extension Suite {
  /// Returns a stored variant in a form that can run again.
  ///
  /// The schema, instructions and prompt are those of the record, but the stub answers as in the
  /// current variant with the same id.
  ///
  /// - Parameters:
  ///   - record: The stored variant.
  ///   - options: The options that the variant set itself.
  /// - Returns: The variant; nil if the record's schema or prompt can't be read.
  package func restoring(
    _ record: VariantRecord, options: SettingsEdit = SettingsEdit()
  ) -> SuiteVariant? {
    guard let document = try? JSONValue(parsing: record.schema),
      let schema = try? GenerationSchema(json: document),
      let prompt = try? PromptTemplate(parsing: record.promptTemplate)
    else { return nil }
    return SuiteVariant(
      id: record.id, title: record.title, schema: record.schema,
      instructions: record.instructions, prompt: prompt, edits: record.edits,
      stub: variants.first { $0.id == record.id }?.stub, options: options,
      generationSchema: schema)
  }
}
