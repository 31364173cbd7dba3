extension Int {
  /// The number with its noun: `1 case`, `3 cases`.
  ///
  /// - Parameters:
  ///   - noun: The noun of one.
  ///   - plural: The noun of several, where that is not the noun with an s.
  package func counted(_ noun: String, plural: String? = nil) -> String {
    "\(self) \(self == 1 ? noun : plural ?? noun + "s")"
  }
}
