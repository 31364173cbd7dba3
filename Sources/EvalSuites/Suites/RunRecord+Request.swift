public import EvalRecords
import StructuredText

extension RunRecord {
  /// Returns the request that a backend received for an attempt, rebuilt from the record alone.
  ///
  /// The suite may have been edited or deleted since the run. The record doesn't contain a stub's
  /// script, so a stub can't answer the rebuilt request.
  ///
  /// - Parameter key: The key of the attempt.
  /// - Returns: The request, or `nil` if the record doesn't contain the suite, variant or test
  ///   case, or if the prompt template can't be parsed.
  public func request(for key: AttemptKey) -> BackendRequest? {
    guard let suite = suites.first(where: { $0.id == key.suite }),
      let variant = suite.variants.first(where: { $0.id == key.variant }),
      let record = suite.cases.first(where: { $0.id == key.caseID }),
      let template = try? PromptTemplate(parsing: variant.promptTemplate)
    else { return nil }
    return BackendRequest(
      suite: key.suite, variant: key.variant, caseID: key.caseID, schema: variant.schema,
      instructions: variant.instructions, prompt: template.render(record.variables.object ?? [:]),
      settings: suite.effectiveSettings.settings(of: key.caseID, in: key.variant),
      variables: record.variables.object ?? [:])
  }
}
