/// The version of the rules by which Assay prompts and measures models.
///
/// | version | rules |
/// |---|---|
/// | 1 | the mask writes compact JSON; only the instructions have the outline |
/// | 2 | the model chooses white space within limits; decisions are summed over all layouts; the
/// prompt ends with a cue |
///
/// The version changes when the same suite would get different answers, so runs under different
/// versions are not comparable. `assay baseline renew` repeats an old baseline under the current
/// version.
package enum MeasurementProtocol {
  /// The version for new runs.
  package static let current = 2
  /// The version of runs that don't state one.
  package static let unnamed = 1
}

extension RunRecord {
  /// The version of the measurement protocol under which the run was made.
  package var measurementProtocol: Int {
    details.measurementProtocol ?? MeasurementProtocol.unnamed
  }
}
