extension LocalModel {
  /// The version of the arithmetic.
  ///
  /// Runs record it as a part of the engine's name.
  ///
  /// Raise it whenever a change to the kernels changes a logit or a probability, even in the last
  /// bit. After such a change, a seed may lead to a different text, so runs with different versions
  /// are not comparable. Version 4 stores keys and values as halves if weights are quantized, sums
  /// the products of attention in a different order, and multiplies a block's minimum once.
  public static let kernelVersion = 4
}
