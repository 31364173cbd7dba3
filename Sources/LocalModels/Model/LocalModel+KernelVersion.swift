extension LocalModel {
  /// The version of the arithmetic, which is part of the engine that a run records.
  ///
  /// Raise it with every change to the kernels that changes a logit or a probability, even in the
  /// last bit. With such a change a seed may lead to different texts, so runs with different
  /// versions are not comparable. Version 3 sums the probabilities of a vocabulary in eight lanes.
  public static let kernelVersion = 3
}
