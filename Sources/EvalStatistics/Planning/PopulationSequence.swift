import SystemBasics

/// Observes attempts one by one in random order, and decides the gate as soon as the remaining
/// attempts are very unlikely to change its result.
///
/// The population is the N planned attempts, drawn without replacement. An unknown number M of them
/// would pass. With a flat prior on M, the posterior after k passes in n attempts is
/// beta-binomial,
///
///     M − k  ~  BetaBinomial(N − n, 1 + k, 1 + n − k)
///
/// and the ratio of prior to posterior at the true M is a martingale that starts at 1. By Ville's
/// inequality, the chance that it ever reaches 1/α is at most α. So the set of all M whose ratio
/// stays below 1/α is a confidence set that holds at all looks together: the chance that it ever
/// misses the true M is at most α (Waudby-Smith and Ramdas 2020, "Confidence sequences for sampling
/// without replacement"). The gate is decided once the whole set lies on one side of the required
/// number of passes. Because the confidence set holds at all looks together, looking after each
/// attempt doesn't raise the error rate.
package struct PopulationSequence: Sendable {
  /// The state of the decision about the gate.
  package enum Decision: Sendable, Hashable {
    /// The gate's result is still open.
    case undecided
    /// All attempts together would reach the required number of passes.
    case reached
    /// All attempts together would miss the required number of passes.
    case missed
  }

  /// The number of planned attempts.
  package let population: Int
  /// The minimum number of passes that the gate requires.
  package let needed: Int
  /// The maximum probability of a wrong decision.
  package let alpha: Double
  /// The number of attempts so far.
  package private(set) var count = 0
  /// The number of passes so far.
  package private(set) var passed = 0
  /// The decision so far.
  ///
  /// `undecided` can still change; the other values are final.
  package private(set) var decision = Decision.undecided

  /// The number of attempts between two looks, chosen so that there are always fewer than 1000
  /// looks.
  private let stride: Int

  /// Creates a sequence.
  ///
  /// - Parameters:
  ///   - population: The number of planned attempts.
  ///   - needed: The minimum number of passes that the gate requires.
  ///   - alpha: The maximum probability of a wrong decision, between 0 and 1.
  package init(population: Int, needed: Int, alpha: Double) {
    self.population = max(0, population)
    self.needed = needed
    self.alpha = alpha
    stride = max(1, population / 500)
  }

  /// Adds the next attempt in the random order, unless the gate has already been decided.
  package mutating func add(_ hasPassed: Bool) {
    guard decision == .undecided, count < population else { return }
    count += 1
    if hasPassed { passed += 1 }
    // If the attempts so far already settle the gate, the decision is certain.
    if passed >= needed {
      decision = .reached
    } else if count - passed > population - needed {
      decision = .missed
    } else if count.isMultiple(of: stride) {
      look()
    }
  }

  private mutating func look() {
    let rest = population - count
    let (a, b) = (Double(passed) + 1, Double(count - passed) + 1)
    let constant = BetaDistribution.logBeta(a, b)
    /// Returns the log posterior probability of M = passed + more.
    func posterior(_ more: Int) -> Double {
      Gamma.logBinomial(rest, more)
        + BetaDistribution.logBeta(a + Double(more), b + Double(rest - more)) - constant
    }
    // The prior probability of each M is 1 / (N + 1).
    let least = log(alpha) - log(Double(population + 1))
    // The posterior is unimodal, so the set has no gaps. Two values of M are enough: the required
    // number of passes, and one pass fewer. They tell whether the set lies on one side of the gate,
    // and in which direction the posterior rises.
    let border = needed - passed
    let (above, below) = (posterior(border), posterior(border - 1))
    if above > least, below > least { return }
    decision = above > below ? .reached : .missed
  }
}
