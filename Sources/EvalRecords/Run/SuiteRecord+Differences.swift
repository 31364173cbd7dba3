extension SuiteRecord {
  /// Returns descriptions of the differences from another record of the suite; empty if the records
  /// are equal.
  ///
  /// - Parameter other: The other, newer record.
  package func differences(to other: SuiteRecord) -> [String] {
    var parts: [String] = []
    func changed<Value: Equatable>(_ name: String, _ left: Value, _ right: Value) {
      if left != right { parts.append("\(name) \(left) → \(right)") }
    }
    func differs(_ name: String, _ isEqual: Bool) {
      if !isEqual { parts.append("different \(name)") }
    }
    changed("id", id, other.id)
    changed("repeats", repeats, other.repeats)
    changed("seed", seed, other.seed)
    differs("sampling (options)", options == other.options)
    let rules = judgingDifferences(to: other).map(\.words)
    parts += rules.count > 4 ? rules.prefix(3) + ["\(rules.count - 3) more rules"] : rules
    parts += Self.differences("variant", variants, other.variants, id: \.id) { left, right in
      [
        ("schema or guides", left.schema == right.schema),
        ("instructions", left.instructions == right.instructions),
        ("prompt", left.promptTemplate == right.promptTemplate),
      ]
    }
    parts += Self.differences("test case", cases, other.cases, id: \.id) { left, right in
      [
        ("input", left.variables == right.variables),
        ("expected enum cases", left.expectedBranches == right.expectedBranches),
      ]
    }
    parts += assertionDifferences(to: other)
    if parts.isEmpty, !isSame(as: other) {
      parts.append("different title, tags, file or other details")
    }
    return parts
  }

  /// Returns a description of each assertion that differs between two records, with the first test
  /// cases that have it.
  private func assertionDifferences(to other: SuiteRecord) -> [String] {
    let after = Dictionary(other.cases.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    var names: [String] = []
    var ids: [String: [String]] = [:]
    for left in cases {
      guard let right = after[left.id] else { continue }
      for name in editedAssertions(left, right, other) {
        if ids[name] == nil { names.append(name) }
        ids[name, default: []].append(left.id)
      }
    }
    let words = names.map { name in
      let places = ids[name] ?? []
      let more = places.count > 3 ? " and \(places.count - 3) more" : ""
      return "different assertion `\(name)` in test case"
        + "\(places.count == 1 ? "" : "s") \(places.prefix(3).joined(separator: ", "))\(more)"
    }
    return words.count > 4 ? words.prefix(3) + ["\(words.count - 3) more assertions"] : words
  }

  /// Returns the names of the assertions of a test case that differ between two records; for
  /// records of version 0.1, which have no digests, the texts.
  private func editedAssertions(
    _ left: CaseRecord, _ right: CaseRecord, _ other: SuiteRecord
  ) -> [String] {
    if let before = details.assertions, let after = other.details.assertions {
      return before.differences(to: after, of: left.id)
    }
    return AssertionIdentity.differences(left.assertions, right.assertions)
  }

  /// Returns whether two records are equal, except that records of version 0.1 contain neither the
  /// effective settings nor the digests of assertions nor the places of fixed decisions.
  private func isSame(as other: SuiteRecord) -> Bool {
    var (left, right) = (self, other)
    if left.details.effectiveSettings == nil || right.details.effectiveSettings == nil {
      left.details.effectiveSettings = nil
      right.details.effectiveSettings = nil
    }
    if left.details.fixedDecisions == nil || right.details.fixedDecisions == nil {
      left.details.fixedDecisions = nil
      right.details.fixedDecisions = nil
    }
    // These follow from the assertions, and older records lack them.
    left.details.expectedLengths = nil
    right.details.expectedLengths = nil
    if left.details.assertions == nil || right.details.assertions == nil {
      left.details.assertions = nil
      right.details.assertions = nil
    }
    return left == right
  }

  private static func differences<Part: Equatable>(
    _ kind: String, _ left: [Part], _ right: [Part], id: (Part) -> String,
    by parts: (Part, Part) -> [(name: String, isEqual: Bool)]
  ) -> [String] {
    let before = Dictionary(left.map { (id($0), $0) }, uniquingKeysWith: { first, _ in first })
    let after = Dictionary(right.map { (id($0), $0) }, uniquingKeysWith: { first, _ in first })
    var words: [String] = []
    for part in left {
      guard let other = after[id(part)] else {
        words.append("\(kind) \(id(part)) is gone")
        continue
      }
      for (name, isEqual) in parts(part, other) where !isEqual {
        words.append("\(kind) \(id(part)): different \(name)")
      }
    }
    words += right.filter { before[id($0)] == nil }.map { "\(kind) \(id($0)) is new" }
    return words.count > 4 ? words.prefix(3) + ["\(words.count - 3) more differences"] : words
  }
}
