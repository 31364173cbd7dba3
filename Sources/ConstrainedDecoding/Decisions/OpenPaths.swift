import Tokenization

/// A probability under each of the three distributions.
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

  /// What a path with this mass counts for.
  var weight: Double { max(masked, sampled) }

  /// The same with another raw probability.
  func scalingRaw(by factor: Double) -> Mass {
    Mass(raw: raw * factor, masked: masked, sampled: sampled)
  }

  mutating func subtract(_ other: Mass) {
    raw = max(0, raw - other.raw)
    masked = max(0, masked - other.masked)
    sampled = max(0, sampled - other.sampled)
  }
}

/// A token that left a decision open and was not the sampled one: another way to its place.
struct OpenPath {
  /// The number of the answer's tokens before it leaves them.
  var step: Int
  /// The tokens that it takes instead.
  var tokens: [TokenID]
  var mass: Mass
  /// The place behind them, and how far the decision has come there.
  var place: TokenAutomaton.Configuration
  var state: DecisionProgress

  /// What it counts for when paths are ranked.
  var weight: Double { mass.weight }
}

/// The heaviest of a decision's open paths.
struct OpenPaths {
  private(set) var paths: [OpenPath] = []

  /// Lighter paths are not kept.
  private static let leastWeight = 1e-4
  /// The most paths that are kept.
  private static let limit = 64

  var isEmpty: Bool { paths.isEmpty }

  /// Adds a path, which is only made if it is kept.
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

  mutating func removeHeaviest() -> OpenPath? {
    guard let heaviest = paths.indices.max(by: { paths[$0].weight < paths[$1].weight })
    else { return nil }
    return paths.remove(at: heaviest)
  }
}
