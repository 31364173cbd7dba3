extension LocalModel {
  /// The version of the arithmetic, part of the engine that a run records.
  ///
  /// Raised with every change of the kernels that changes a logit or a probability, if only in its
  /// last bits: a seed may then lead to other texts, and runs of different versions are not
  /// comparable. Version 3 sums the probabilities of a vocabulary in eight lanes.
  public static let kernelVersion = 3
}
