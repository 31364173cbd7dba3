import Tokenization

/// A *mass*: the probability of a token, of several tokens together, or of a path, under each of
/// the three distributions (`TokenDistribution`).
struct Mass {
  var raw = 0.0
  var masked = 0.0
  var sampled = 0.0

  static let one = Mass(raw: 1, masked: 1, sampled: 1)

  mutating func add(_ other: Mass, times factor: Mass) {
    raw += other.raw * factor.raw
    masked += other.masked * factor.masked
    sampled += other.sampled * factor.sampled
  }

  mutating func multiply(by other: Mass) {
    raw *= other.raw
    masked *= other.masked
    sampled *= other.sampled
  }

  /// The weight by which paths with this mass are ranked.
  var weight: Double { max(masked, sampled) }

  /// Returns the share of the masked or of the sampled mass, whichever is larger.
  func share(of whole: Mass) -> Double {
    max(
      whole.masked > 0 ? masked / whole.masked : 0, whole.sampled > 0 ? sampled / whole.sampled : 0)
  }

  mutating func subtract(_ other: Mass) {
    raw = max(0, raw - other.raw)
    masked = max(0, masked - other.masked)
    sampled = max(0, sampled - other.sampled)
  }
}

/// An *open path*: tokens that the answer could have taken instead of its own, and after which a
/// decision is still open.
///
/// If a limit cut the answer off, the answer itself is an open path, too.
struct OpenPath {
  /// The number of the answer's tokens before the path's own tokens.
  var step: Int
  /// The path's own tokens, which follow the answer's first `step` tokens.
  var tokens: [TokenID]
  var mass: Mass
  /// The number of bytes since the lane began, not counting optional white space.
  var length = 0
  /// The configuration after the path's tokens, and the decision's progress there.
  var place: TokenAutomaton.Configuration
  var state: DecisionProgress

  /// The weight by which `OpenPaths` ranks the path.
  var weight: Double { mass.weight }

  /// Returns the tokens from the beginning of an answer to the end of the path.
  func whole(after answer: [TokenID]) -> [TokenID] { answer.prefix(step) + tokens }
}

/// A request for the logits after an open path.
struct OpenPathRequest {
  var path: OpenPath
  /// The path as each decision that it leaves open knows it, with the index of the decision.
  var sharers: [(number: Int, path: OpenPath)] = []
  /// The possible continuations of the path at each of these decisions, or `nil` until they are
  /// known.
  var spreads: [Spread?]?
  /// The mass of the tokens with unknown logits after the path.
  var unlisted = Mass()
}

/// The heaviest open paths of a decision.
struct OpenPaths {
  private(set) var paths: [OpenPath] = []

  /// The minimum weight of the paths to keep.
  static let leastWeight = 1e-4
  /// The maximum number of paths.
  private static let limit = 64

  var isEmpty: Bool { paths.isEmpty }

  /// Adds a path if it is heavy enough to keep; otherwise, the method doesn't call the closure that
  /// creates the path.
  mutating func add(_ mass: Mass, _ path: () -> OpenPath) {
    guard mass.weight >= Self.leastWeight else { return }
    if paths.count < Self.limit {
      paths.append(path())
    } else if let lightest = paths.indices.min(by: { paths[$0].weight < paths[$1].weight }),
      paths[lightest].weight < mass.weight
    {
      paths[lightest] = path()
    }
  }

  /// Removes and returns the path with the same tokens as a path of another decision, or returns
  /// nil if there is none.
  mutating func remove(like other: OpenPath) -> OpenPath? {
    paths.firstIndex { $0.step == other.step && $0.tokens == other.tokens }
      .map { paths.remove(at: $0) }
  }
}

/// The limits on following the open paths of an answer.
package struct OpenPathBudget: Sendable, Hashable {
  /// The unresolved share below which a decision needs no more evaluations.
  package var tolerance: Double
  /// The number of evaluations that an answer may take.
  package var evaluations: Double
  /// The unresolved share above which a decision can't be used.
  package var mostUnresolved: Double
  /// The number of evaluations that an answer may take for decisions that can't be used.
  package var mostEvaluations: Double
  /// The number of further evaluations for each token of the answer.
  package var perToken: Double
  /// The maximum number of paths that are chosen, and followed, together.
  package var together: Int

  /// Creates limits.
  package init(
    tolerance: Double = 0, evaluations: Double = .infinity, mostUnresolved: Double = 1,
    mostEvaluations: Double = 0, perToken: Double = 0, together: Int = 1
  ) {
    self.tolerance = tolerance
    self.evaluations = evaluations
    self.mostUnresolved = mostUnresolved
    self.mostEvaluations = mostEvaluations
    self.perToken = perToken
    self.together = max(1, together)
  }

  /// Returns the number of evaluations that an answer may take for a decision.
  ///
  /// - Parameters:
  ///   - unresolved: The decision's unresolved share.
  ///   - length: The number of the answer's tokens.
  func limit(unresolved: Double, length: Int) -> Double {
    if unresolved < tolerance { return 0 }
    let base = unresolved > mostUnresolved ? max(evaluations, mostEvaluations) : evaluations
    return base + perToken * Double(length)
  }
}
