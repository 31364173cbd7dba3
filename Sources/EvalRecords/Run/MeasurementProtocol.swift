/// The version of how models are asked and measured, as far as Assay decides it.
///
/// | version | what it says |
/// |---|---|
/// | 1 | the mask writes compact JSON; the outline stands alone in the instructions |
/// | 2 | the model chooses white space within a bound; decisions are summed over all layouts; the prompt ends with a cue |
///
/// A version changes if answers would come out differently under the same suite, so runs under
/// different versions are not comparable; `assay baseline renew` runs an old baseline again.
package enum MeasurementProtocol {
  /// The version that runs are made under now.
  package static let current = 2
  /// The version of runs that name none.
  package static let unnamed = 1
}

extension RunRecord {
  /// The version of the measurement protocol that the run was made under.
  package var measurementProtocol: Int {
    details.measurementProtocol ?? MeasurementProtocol.unnamed
  }
}
