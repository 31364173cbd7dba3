import Foundation

/// Wald's sequential probability ratio test: watches attempts one by one and stops when one of two
/// rates is settled.
package struct SequentialRatio: Sendable {
  /// Where the test stands.
  package enum Decision: Sendable, Hashable {
    case undecided
    /// The expected rate.
    case expected
    /// The suspected rate.
    case suspected
  }

  /// The log likelihood ratio, suspected over expected.
  package private(set) var evidence = 0.0
  /// The number of attempts until the decision, or so far.
  package private(set) var count = 0
  /// Where the test stands; final once it is decided.
  package private(set) var decision = Decision.undecided

  private let hit: Double
  private let miss: Double
  private let upper: Double
  private let lower: Double

  /// Makes a test.
  ///
  /// - Parameters:
  ///   - expected: The expected pass rate, between 0 and 1.
  ///   - suspected: The suspected pass rate, between 0 and 1.
  ///   - alpha: The chance of a false alarm.
  ///   - beta: The chance to miss the suspected rate.
  package init(expected: Double, suspected: Double, alpha: Double = 0.05, beta: Double = 0.05) {
    hit = log(suspected / expected)
    miss = log((1 - suspected) / (1 - expected))
    upper = log((1 - beta) / alpha)
    lower = log(beta / (1 - alpha))
  }

  /// Takes one more attempt; without effect once decided.
  package mutating func add(_ passed: Bool) {
    guard decision == .undecided else { return }
    count += 1
    evidence += passed ? hit : miss
    if evidence >= upper {
      decision = .suspected
    } else if evidence <= lower {
      decision = .expected
    }
  }
}
