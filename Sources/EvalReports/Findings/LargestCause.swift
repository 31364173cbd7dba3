import EvalRecords

/// The failures of one slice that have the same kind of cause, whatever their details.
///
/// An answer that is cut off breaks at another place each time; what counts is that all of them
/// were
/// cut off. So the groups of failures are grouped again, by kind:
///
/// ```
/// cut off at the token limit   5    $.steps[3] …, $.title …, …
/// “confidence from 0 to 100”   2
/// ```
struct LargestCause {
  /// The groups of attempts, the largest first; all of one kind.
  let clusters: [FailureCluster]

  /// The number of attempts.
  var count: Int { clusters.reduce(0) { $0 + $1.attempts.count } }

  /// The causes of some groups of failures, the most frequent first.
  static func causes(_ clusters: [FailureCluster]) -> [LargestCause] {
    var order: [[String]] = []
    var groups: [[String]: [FailureCluster]] = [:]
    for cluster in clusters {
      let key = Self.key(of: cluster)
      if groups[key] == nil { order.append(key) }
      groups[key, default: []].append(cluster)
    }
    let causes = order.map { key in
      LargestCause(
        clusters: (groups[key] ?? []).enumerated().sorted {
          ($1.element.attempts.count, $0.offset) < ($0.element.attempts.count, $1.offset)
        }.map(\.element))
    }
    return causes.enumerated().sorted {
      ($1.element.count, $0.offset) < ($0.element.count, $1.offset)
    }.map(\.element)
  }

  private static func key(of cluster: FailureCluster) -> [String] {
    switch cluster.kind {
    case .emptyArray, .wrongBranch, .vacuous, .cutOff, .refusal, .malformed:
      [cluster.kind.name]
    case .arrayLength, .bounds: [cluster.kind.name, cluster.path]
    case .assertion: [cluster.kind.name, cluster.assertion]
    case .error: [cluster.kind.name, cluster.type]
    }
  }

  /// The cause in words: `5 answers were cut off at the token limit`.
  var words: String {
    guard let first = clusters.first else { return "" }
    let answers = NumberText.count(count, "answer")
    let were = count == 1 ? "was" : "were"
    switch first.kind {
    case .emptyArray: return "arrays came back empty"
    case .wrongBranch: return "the wrong branch was taken"
    case .vacuous: return "there was nothing to check"
    case .arrayLength, .bounds, .assertion: return "“\(first.assertion)” failed"
    case .cutOff: return "\(answers) \(were) cut off at the token limit"
    case .malformed: return "\(answers) didn’t fit the schema"
    case .refusal: return "the model declined \(NumberText.count(count, "time"))"
    case .error: return Self.words(ofError: first.type, count)
    }
  }

  /// Whether the largest group says more than the words.
  var namesLargest: Bool {
    switch clusters.first?.kind {
    case .emptyArray, .wrongBranch, .arrayLength, .bounds, .assertion: true
    default: false
    }
  }

  private static func words(ofError type: String, _ count: Int) -> String {
    let attempts = NumberText.count(count, "attempt")
    switch AttemptFailure.Kind(rawValue: type) {
    case .timeout: return "\(attempts) took too long"
    case .rateLimited: return "the backend’s rate limit stopped \(attempts)"
    case .backend: return "the backend failed \(NumberText.count(count, "time"))"
    case .unsupportedGenerationGuide: return "the backend doesn’t support the guides of \(attempts)"
    default: return "\(attempts) ended in \(type)"
    }
  }
}
