/// The version of the rules by which Assay prompts and measures models.
///
/// - Version 1: The mask writes compact JSON. Only the instructions contain the schema's outline.
/// - Version 2: The model chooses white space within limits. The probabilities of decisions are
///   summed over all ways to place white space. The prompt ends with a cue such as `JSON:`.
/// - Version 3: Text that the schema forces is written with the tokenizer's own tokens.
/// - Version 4: Requests that sample nothing count as one draw, assertions are recognized by what
///   they do, and the shapes of answers are stored.
///
/// The version changes whenever the same suite would get different answers or probabilities, so
/// runs under different versions are not comparable. `assay baseline renew` repeats an old baseline
/// under the current version.
package enum MeasurementProtocol {
  /// The version for new runs.
  package static let current = 4
  /// The version of runs that don't state a version.
  package static let unnamed = 1
}

extension RunRecord {
  /// The version of the measurement protocol under which the run was made.
  package var measurementProtocol: Int {
    details.measurementProtocol ?? MeasurementProtocol.unnamed
  }
}
