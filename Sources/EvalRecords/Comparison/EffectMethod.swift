/// The method by which an effect was tested.
public struct EffectMethod: Sendable, Hashable, Codable {
  /// The tests of "no change".
  public enum Test: Sendable, Hashable, Codable {
    /// McNemar's exact test on the flips of pairs with equal seeds.
    case mcNemar
    /// The exact permutation test within test cases, for sides with different seeds.
    case withinCases
    /// The exact permutation test within test cases, against the pooled history.
    case againstHistory
    /// The sign-flip permutation test over test cases for a mean shift beyond a margin; `draws` is
    /// nil if all sign vectors were counted.
    case signFlip(cases: Int, draws: Int?, margin: Double)
    /// An exact test of the draws, together with the sign-flip test over test cases.
    ///
    /// The exact test is McNemar's if `isPaired`, and otherwise the permutation test within test
    /// cases. If a few test cases got worse by much more than any other test case got better, or if
    /// the rate over exactly these test cases changed far, only the exact test counts.
    case drawsAndCases(isPaired: Bool, cases: Int, margin: Double)
    /// Like ``drawsAndCases(isPaired:cases:margin:)``, but with an additional test of the flips
    /// that stays valid even if earlier results decided when the run stopped.
    case sequential(flips: Int)
    /// The test of a measured probability: the mean change over test cases beyond a margin, by sign
    /// flips, or the change in a few test cases, compared with harmless changes of log odds.
    ///
    /// `fewCasesScale` is the standard deviation of harmless changes if the few test cases gave the
    /// p-value, and `nil` if the mean did. If the draws depend on sampled text, they are also
    /// permuted within test cases (`permutesDraws`).
    case measured(cases: Int, margin: Double, permutesDraws: Bool, fewCasesScale: Double?)
    /// The sum of the two largest rises among the test cases, minus the sum of the two largest
    /// falls, compared with a threshold; only comparisons of version 0.1 used it.
    case concentratedRise(threshold: Double)
    /// A search for the night on which attempts began to fail more often.
    ///
    /// The exact permutation test within test cases tests only tonight and the earlier night with
    /// the clearest worsening, but the p-value is adjusted for all nights.
    case driftScan(nights: Int)
  }

  /// The methods for computing the interval for the change.
  public enum Interval: String, Sendable, Hashable, Codable, CaseIterable {
    /// Newcombe's interval for the difference of two paired rates.
    case newcombePaired
    /// Newcombe's interval for the difference of two independent rates.
    case newcombe
    /// Newcombe's interval combined with Student's t interval of the test cases' changes: each end
    /// comes from whichever interval reaches further.
    case clusteredChange
    /// The interval of all shifts that the permutation test doesn't reject; only in runs of
    /// older versions.
    case invertedPermutation
    /// The interval for the change over exactly these test cases, from the p-value of the exact
    /// test.
    case theseCases
    /// Student's t interval of the test cases' shifts, with an allowance for inputs unlike every
    /// test case.
    case boundedMean
  }

  /// The direction of a one-sided test.
  public enum Direction: String, Sendable, Hashable, Codable, CaseIterable {
    case worse, better
  }

  /// The adjustment of p-values for multiple tests.
  public enum Adjustment: Sendable, Hashable, Codable {
    /// Holm's method, over this many tests.
    case holm(tests: Int)
    /// Benjamini and Hochberg's method, over this many tests.
    case benjaminiHochberg(tests: Int)

    /// The adjustment of every family of tests that decides a verdict; `Multiplicity.family`
    /// computes it.
    public static func family(of tests: Int) -> Adjustment { .holm(tests: tests) }

    /// The name of the method by which families are adjusted, for headings and notes.
    public static let familyName = family(of: 1).name

    /// The method's name.
    public var name: String {
      switch self {
      case .holm: "Holm"
      case .benjaminiHochberg: "Benjamini–Hochberg"
      }
    }

    /// The number of tests.
    public var tests: Int {
      switch self {
      case .holm(let tests), .benjaminiHochberg(let tests): tests
      }
    }
  }

  /// The test, or `nil` if there was none.
  public var test: Test?
  /// The direction of the recorded p-value, or `nil` if there was no test.
  public var direction: Direction?
  /// The method for computing the interval for the change.
  public var interval: Interval
  /// The adjustment, or `nil` for a single test.
  public var adjustment: Adjustment?

  /// Creates a method.
  public init(
    test: Test? = nil, direction: Direction? = nil, interval: Interval,
    adjustment: Adjustment? = nil
  ) {
    self.test = test
    self.direction = direction
    self.interval = interval
    self.adjustment = adjustment
  }
}
