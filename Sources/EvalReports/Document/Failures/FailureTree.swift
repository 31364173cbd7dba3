import EvalRecords

/// The attempts that failed as a tree: the kind of failure, the suite and variant, the detail.
///
/// ```
/// 78  cut off at the token limit
///     22 of 60  flashcards:enforced
///               14  in $.cards[*].question
/// ```
struct FailureTree: Sendable {
  /// A suite in one variant on one backend, with its failures of one kind.
  struct Place: Sendable {
    let slice: SliceKey
    let name: String
    /// The details, the largest first, by their number among the run's clusters.
    let clusters: [Int]
    /// How many of its attempts failed in this way.
    let failed: Int
    /// How many attempts it made.
    let attempts: Int
    /// The number of cases among those that failed.
    let cases: Int

    /// The failures as a share of the suite's attempts.
    var share: Share { Share(failed, of: attempts) }
  }

  /// A kind of failure.
  struct Branch: Sendable {
    let kind: FailureKind
    /// Where it happened, the most failures first.
    let places: [Place]
    let failed: Int
    /// Whether a suite is there to guard against it.
    let isGuarded: Bool

    /// The fragment of the branch.
    var id: String { "k-\(kind.name)" }
    /// The fragment of a place in it, by its number.
    func id(ofPlace number: Int) -> String { "\(id)-\(number + 1)" }
  }

  /// The kinds, the most failures first.
  let branches: [Branch]
  /// How many attempts failed, in all kinds.
  let failed: Int

  /// Builds the tree of a run's clusters.
  init(
    clusters: [FailureCluster], slices: [SliceSummary], casesOf cases: ([Int]) -> Int
  ) {
    let tallies = Dictionary(
      slices.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
    var numbers: [FailureKind: [SliceKey: [Int]]] = [:]
    for (number, cluster) in clusters.enumerated() {
      numbers[cluster.kind, default: [:]][cluster.slice, default: []].append(number)
    }
    let ranks = Dictionary(
      slices.enumerated().map { ($1.key, $0) }, uniquingKeysWith: { first, _ in first })
    branches = numbers.map { kind, ofSlice in
      let places = ofSlice.map { key, numbers in
        let attempts = numbers.flatMap { clusters[$0].attempts }
        return Place(
          slice: key, name: clusters[numbers[0]].sliceName, clusters: numbers,
          failed: attempts.count, attempts: tallies[key]?.tally.attempts ?? attempts.count,
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
      return Branch(
        kind: kind, places: places, failed: places.reduce(0) { $0 + $1.failed },
        isGuarded: kind.isGuarded || hasGuardrail)
    }.sorted { left, right in
      if left.failed != right.failed { return left.failed > right.failed }
      return left.kind < right.kind
    }
    failed = branches.reduce(0) { $0 + $1.failed }
  }
}
