extension Int {
  /// Returns the number with its noun: `1 test case`, `3 test cases`.
  ///
  /// - Parameters:
  ///   - noun: The singular noun.
  ///   - plural: The plural noun, or `nil` if the plural is the singular with an s.
  package func counted(_ noun: String, plural: String? = nil) -> String {
    "\(self) \(self == 1 ? noun : plural ?? noun + "s")"
  }
}
