import EvalRecords

extension AttemptRecord {
  /// The average size of the attempt's batch: ` in a batch of 17.4`, or `, computed alone`.
  ///
  /// The result is an empty string if the size is unknown.
  package var batchWords: String {
    guard let width = details.batchWidth else { return "" }
    return width < 1.05 ? ", computed alone" : " in a batch of \(NumberText.fixed(width, 1))"
  }
}

/// Explains the latencies of a local model that computes many attempts at the same time.
package enum BatchWords {
  /// The sentence about the latencies of attempts, or `nil` if no attempt recorded its batch.
  package static func latency(of attempts: some Sequence<AttemptRecord>) -> String? {
    let widths = attempts.compactMap(\.details.batchWidth)
    guard !widths.isEmpty else { return nil }
    let alone = widths.count { $0 < 1.05 }
    if alone == widths.count {
      return "The local model computed each attempt alone."
    }
    let mean = widths.reduce(0, +) / Double(widths.count)
    return
      "The local model computed \(widths.count - alone) of \(widths.count.counted("attempt")) in a "
      + "batch with others, \(NumberText.fixed(mean, 1)) attempts at a time on average. A latency "
      + "is the attempt's share of the batch's time, not the time until its answer was complete."
  }
}
