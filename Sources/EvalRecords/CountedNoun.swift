extension Int {
  /// Returns the number with its noun: `1 case`, `3 cases`.
  ///
  /// - Parameters:
  ///   - noun: The singular noun.
  ///   - plural: The plural, unless it is the noun with an s.
  package func counted(_ noun: String, plural: String? = nil) -> String {
    "\(self) \(self == 1 ? noun : plural ?? noun + "s")"
  }
}
