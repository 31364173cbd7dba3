import EvalRecords
import StructuredText

extension Suite {
  /// Returns the suite's place in a plan that several machines share.
  ///
  /// The digests cover the test cases of all shards. So if somebody edits a test case between two
  /// shards, the shards can't be merged, even if the edited test case is in neither of them.
  ///
  /// - Parameter position: The suite's position among the selected suites, from zero.
  func plan(at position: Int) -> SuitePlan {
    SuitePlan(
      position: position, cases: cases.map(\.id),
      inputs: SHA256.hexDigest(
        of: cases.map { JSONValue.object($0.variables).canonicalText }.joined(separator: "\n")),
      stubAnswers: SHA256.hexDigest(
        of: (variants.map(\.stub) + cases.map(\.stub)).map { $0?.text ?? "" }
          .joined(separator: "\n")))
  }
}

extension StubScript {
  /// The script as a line of text; equal scripts have equal texts.
  fileprivate var text: String {
    let entries = entries.map {
      "\($0.weight) \($0.content?.canonicalText ?? "") \($0.fault?.rawValue ?? "")"
    }
    return "\(choice) \(latency) " + entries.joined(separator: " ")
  }
}
