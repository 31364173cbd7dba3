import EvalRecords

/// The failed attempts as a tree: by cause, then by slice, then by cluster.
package struct FailureTree: Sendable {
  /// The causes, most failures first.
  package let causes: [FailureCause]
  /// The number of attempts that failed, over all causes.
  package let failed: Int

  init(
    clusters: [FailureCluster], slices: [SliceSummary], casesOf cases: ([Int]) -> Int
  ) {
    let ranks = Dictionary(first: slices.enumerated().map { ($1.key, $0) })
    var order: [FailureCause.Identity] = []
    var numbers: [FailureCause.Identity: [SliceKey: [Int]]] = [:]
    for (number, cluster) in clusters.enumerated() {
      if numbers[cluster.cause] == nil { order.append(cluster.cause) }
      numbers[cluster.cause, default: [:]][cluster.slice, default: []].append(number)
    }
    var ofKind: [FailureKind: Int] = [:]
    causes = order.map { identity in
      let ofSlice = numbers[identity] ?? [:]
      let places = ofSlice.map { key, numbers in
        let attempts = numbers.flatMap { clusters[$0].attempts }
        return FailureCause.Place(
          slice: key, name: clusters[numbers[0]].sliceName, clusters: numbers,
          failed: attempts.count,
          attempts: ranks[key].map { slices[$0].tally.attempts } ?? attempts.count,
          cases: cases(attempts))
      }.sorted { left, right in
        if left.failed != right.failed { return left.failed > right.failed }
        return ranks[left.slice] ?? 0 < ranks[right.slice] ?? 0
      }
      let guardrails = Set(
        slices.filter { ofSlice[$0.key] != nil }.flatMap { $0.suite?.gate.guardrails ?? [] })
      let hasGuardrail = ofSlice.values.joined().contains {
        guardrails.contains(clusters[$0].assertion)
      }
      let number = ofKind[identity.kind, default: 0] + 1
      ofKind[identity.kind] = number
      return FailureCause(
        identity: identity,
        id: "k-\(identity.kind.name)" + (identity.subject.isEmpty ? "" : "-\(number)"),
        places: places, failed: places.reduce(0) { $0 + $1.failed },
        isGuarded: identity.kind.isGuarded || hasGuardrail)
    }.sorted { left, right in
      left.failed == right.failed ? left.kind < right.kind : left.failed > right.failed
    }
    failed = causes.reduce(0) { $0 + $1.failed }
  }

  /// The causes of the failures of one slice, most failures in that slice first.
  package func causes(in slice: SliceKey) -> [FailureCause] {
    causes.compactMap { $0.within(slice) }.sorted { $0.failed > $1.failed }
  }

  /// The causes that a list shows, and the causes that it only counts.
  ///
  /// A list shows the largest causes up to the limit, plus every guarded cause (see
  /// ``FailureCause/isGuarded``).
  package func shown(_ limit: Int) -> (causes: [FailureCause], rest: [FailureCause]) {
    let first = causes.prefix(limit)
    let later = causes.dropFirst(limit)
    return (first + later.filter(\.isGuarded), later.filter { !$0.isGuarded })
  }
}
