import EvalRecords

extension HistoryEntry {
  /// The share of the judged slices' attempts that passed.
  package var share: Share { Share(pooling: judged.map(\.share)) }
}

extension HistoryEntry.Slice {
  /// The share of the attempts that passed.
  package var share: Share { Share(caseCounts) }

  /// The counts at each test case.
  package var caseCounts: [Share.CaseKey: CaseCount] {
    Dictionary(
      cases.map {
        (Share.CaseKey(suite: key.suite, caseID: $0.id), .init(hits: $0.passed, count: $0.made))
      }, uniquingKeysWith: +)
  }

  /// Returns the rate of a quantity, or `nil` if the slice doesn't have it.
  package func share(of quantity: Quantity) -> Share? {
    measures.first { $0.quantity == quantity }.map { measure in
      guard let interval = measure.interval else {
        return Share(measure.hits, of: measure.count, atUnknown: cases.count)
      }
      return Share(
        measure.hits, of: measure.count,
        in: ConfidenceInterval(low: interval.lowerBound, high: interval.upperBound))
    }
  }
}
