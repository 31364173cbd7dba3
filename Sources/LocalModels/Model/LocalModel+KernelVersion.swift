extension LocalModel {
  /// The version of the arithmetic.
  ///
  /// Runs record it as a part of the engine's name.
  ///
  /// Raise it whenever a change to the kernels changes a logit or a probability, even in the last
  /// bit. After such a change, a seed may lead to a different text, so runs with different versions
  /// are not comparable. Version 4 stores keys and values in half precision if the weights are
  /// quantized, sums attention's products in a different order, and applies a block's minimum only
  /// once instead of once for each half of the block.
  public static let kernelVersion = 4
}

extension LocalModel {
  /// Whether the engine was compiled without optimization, so that models run 20 to 60 times as
  /// slowly as in a release build.
  public static var isDebugBuild: Bool {
    #if DEBUG
      true
    #else
      false
    #endif
  }
}
