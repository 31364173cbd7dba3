import StructuredText

extension SuiteRecord {
  /// Returns a digest of what the outcomes of a test case rest on besides the texts that a suite is
  /// meant to try out: its input, options, assertions, threshold, and the measurement protocol.
  ///
  /// If two runs have different digests, counts of passed attempts can't be compared. Prompts,
  /// instructions and schemas don't count, because a comparison shows the effect of editing them.
  ///
  /// - Parameters:
  ///   - testCase: The test case.
  ///   - variant: The variant's id.
  ///   - version: The version of the measurement protocol.
  /// - Returns: The first 12 digits of a SHA-256, or `nil` if the record has no digests of the
  ///   assertions because version 0.1 wrote it.
  package func basis(
    of testCase: CaseRecord, in variant: String, measured version: Int
  ) -> String? {
    guard let assertions = details.assertions?.assertions(of: testCase.id) else { return nil }
    let settings = effectiveSettings.settings(of: testCase.id, in: variant)
    let parts = [
      "protocol \(version)", testCase.variables.compactText,
      details.cases?[testCase.id]?.threshold.map { "threshold \($0)" } ?? "no threshold",
    ]
    // A greedy choice ignores the temperature. The order of assertions decides nothing.
    let lines =
      parts + settings.digestLines(without: settings.isGreedy ? [.temperature] : [])
      + assertions.map(\.digest).sorted()
    let text = lines.joined(separator: "\n")
    return String(SHA256.hexDigest(of: text).prefix(12))
  }
}
