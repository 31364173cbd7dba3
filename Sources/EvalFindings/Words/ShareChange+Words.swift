import EvalStatistics

extension ShareChange {
  /// The interval in percentage points: `[−10.5, −5.0]`.
  package var interval: String { "[\(NumberText.points(low)), \(NumberText.points(high))]" }
}
