/// A counted share, k of n, with the 95 % confidence interval of the rate.
///
/// All intervals of counted rates that reports show come from here. The interval of a rate over
/// several test cases is ``ClusteredInterval``: it applies to all inputs like those of the test
/// cases, and the repeats of a test case form a cluster. The interval of a rate at one test case is
/// Wilson's, and applies to new answers to that test case.
package struct Share: Sendable, Hashable {
  /// A test case of a suite, in any variant and on any backend.
  package struct CaseKey: Sendable, Hashable {
    /// The suite's id.
    package let suite: String
    /// The test case's id.
    package let caseID: String

    /// Creates a key from the ids of a suite and a test case.
    package init(suite: String, caseID: String) { (self.suite, self.caseID) = (suite, caseID) }
  }

  /// The number that has the property.
  package let hits: Int
  /// The number of all.
  package let count: Int
  /// The lower end of the interval, or 0 if the share has no sample.
  package let low: Double
  /// The upper end of the interval, or 1 if the share has no sample.
  package let high: Double
  /// The counts at each test case, or an empty dictionary if they aren't known.
  private let cases: [CaseKey: CaseCount]

  /// Creates a share that is shown without an interval: the interval is 0…1.
  package init(_ hits: Int, of count: Int) {
    self.init(hits, of: count, in: ConfidenceInterval(low: 0, high: 1))
  }

  /// Creates the share of attempts at several test cases.
  package init(_ cases: [CaseKey: CaseCount]) {
    let interval = ClusteredInterval.rate(
      cases.sorted { ($0.key.suite, $0.key.caseID) < ($1.key.suite, $1.key.caseID) }.map(\.value))
    self.init(
      cases.values.reduce(0) { $0 + $1.hits }, of: cases.values.reduce(0) { $0 + $1.count },
      in: interval, cases)
  }

  /// Creates the share of attempts at one test case.
  ///
  /// - Parameters:
  ///   - hits: The number of attempts that have the property.
  ///   - count: The number of attempts.
  ///   - draws: The number of separate draws among the attempts; copies of a draw count once.
  package init(_ hits: Int, of count: Int, draws: Int) {
    self.init(
      hits, of: count,
      in: count > 0 && draws > 0
        ? ProportionInterval.wilson(
          rate: Double(hits) / Double(count), count: Double(min(draws, count)),
          deviations: Normal.quantile(0.975))
        : ConfidenceInterval(low: 0, high: 1))
  }

  /// Creates the share of attempts at a number of test cases whose counts aren't known one by one.
  ///
  /// The interval treats the repeats of a test case as copies of each other.
  ///
  /// - Parameters:
  ///   - hits: The number of attempts that have the property.
  ///   - count: The number of attempts.
  ///   - cases: The number of test cases.
  package init(_ hits: Int, of count: Int, atUnknown cases: Int) {
    self.init(hits, of: count, draws: cases)
  }

  /// Creates a share from a stored interval.
  package init(_ hits: Int, of count: Int, in interval: ConfidenceInterval) {
    self.init(hits, of: count, in: interval, [:])
  }

  /// Creates the share of the attempts of several runs.
  package init(pooling shares: some Sequence<Share>) {
    var cases: [CaseKey: CaseCount] = [:]
    for share in shares { cases.merge(share.cases, uniquingKeysWith: +) }
    let (hits, count) = shares.reduce(into: (0, 0)) {
      $0.0 += $1.hits
      $0.1 += $1.count
    }
    let all = Share(cases)
    // If the test cases of some shares aren't known, there is no sample.
    self = (all.hits, all.count) == (hits, count) ? all : Share(hits, of: count)
  }

  /// Creates the share of the attempts of several suites, each with an interval of its own.
  ///
  /// The distances from the rate to the ends of the intervals add up like independent errors, each
  /// weighted by its suite's part of the attempts (Zou and Donner, “Construction of confidence
  /// limits about effect measures”, 2008).
  package init(adding shares: [Share]) {
    let (hits, count) = (shares.reduce(0) { $0 + $1.hits }, shares.reduce(0) { $0 + $1.count })
    let rate = count == 0 ? 0 : Double(hits) / Double(count)
    func distance(_ end: (Share) -> Double) -> Double {
      shares.reduce(0) { sum, share in
        let error = (end(share) - share.value) * Double(share.count) / Double(max(1, count))
        return sum + error * error
      }.squareRoot()
    }
    self.init(
      hits, of: count,
      in: count == 0
        ? ConfidenceInterval(low: 0, high: 1)
        : ConfidenceInterval(
          low: max(0, rate - distance(\.low)), high: min(1, rate + distance(\.high))))
  }

  private init(
    _ hits: Int, of count: Int, in interval: ConfidenceInterval, _ cases: [CaseKey: CaseCount]
  ) {
    (self.hits, self.count, self.cases) = (hits, count, cases)
    (low, high) = (interval.low, interval.high)
  }

  /// The share as a number, or 0 if nothing was counted.
  package var value: Double { count == 0 ? 0 : Double(hits) / Double(count) }

  /// The draws without the property at each test case, for the search of a worsening, or the sum if
  /// the test cases aren't known.
  var badDraws: DriftScan.Night {
    guard !cases.isEmpty else { return ["": CaseCount(hits: count - hits, count: count)] }
    return Dictionary(
      cases.map { key, own in
        (
          "\(key.suite)/\(key.caseID)", CaseCount(hits: own.count - own.hits, count: own.count)
        )
      }, uniquingKeysWith: +)
  }

  /// Returns the change of the rate at each test case that both shares have.
  func changes(from before: Share) -> [Double] {
    cases.compactMap { key, count in
      guard count.count > 0, let earlier = before.cases[key], earlier.count > 0 else { return nil }
      return count.rate - earlier.rate
    }.sorted()
  }
}
