/// The words for a number of an attempt that nobody measured, so that there is nothing to judge.
enum UnknownMeasure {
  /// The words for an unknown duration.
  static let duration = "an unknown duration"
  /// The words for an unknown number of tokens.
  static let tokens = "an unknown number of tokens"
  /// The words for a pressure that was not measured.
  static let pressure = "an unknown pressure"
}
