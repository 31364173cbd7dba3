import SystemBasics

/// The confidence interval for the mean of a bounded quantity over inputs like those of a suite,
/// for example a measured probability, or its change.
///
/// The sample is one value for each test case. Two things can make the mean over all inputs differ
/// from the mean m of the sample:
///
/// - *Chance in the values.* Student's t interval covers this: m ± t s / √n.
/// - *Inputs unlike every test case.* Suppose that one input in twelve has the probability 0.9, and
///   the others 0.01. With 12 test cases, the sample has no such input in a third of all suites.
///   The values then are all alike, and s says nothing. But if a share u of all inputs were of a
///   kind that the sample doesn't have, the chance of such a sample would be (1 − u)ⁿ. So u is at
///   most 1 − eⁿ√, the n-th root of the error e, and these inputs can move the mean as far as the
///   range of the quantity allows: by (b − m) u to the upper end b.
///
/// For a change, the range is what the test cases suggest: an input unlike all of them may change
/// twice as far as the test case that changed furthest. (If it might change as far as a probability
/// can, every interval of a change would reach 14 points or more with 20 test cases.)
///
/// The interval adds the squares of the two distances, on each side separately:
///
/// ```
///   a            low         m                high                 b
///   ├─────────────├──────────●─────────────────┤───────────────────┤
///                            └─ √((t s / √n)² + ((b − m) u)²) ─┘
/// ```
package struct MeanInterval: Sendable {
  /// The mean of the values.
  package let mean: Double
  /// The possible values.
  private let range: ClosedRange<Double>
  /// The values that an input unlike every test case may have.
  private let reach: ClosedRange<Double>
  private let count: Int
  /// The standard error of the mean.
  private let error: Double

  /// Creates the interval of a mean.
  ///
  /// - Parameters:
  ///   - values: The values, one for each test case, all in the range.
  ///   - range: The possible values.
  ///   - reach: The values that an input unlike every test case may have, or `nil` for all possible
  ///     values.
  package init(
    _ values: [Double], within range: ClosedRange<Double>,
    reaching reach: ClosedRange<Double>? = nil
  ) {
    let count = Double(values.count)
    let mean = values.reduce(0, +) / max(1, count)
    let squares = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    (self.mean, self.range, self.count) = (mean, range, values.count)
    self.reach = reach ?? range
    error = count > 1 ? (squares / (count - 1) / count).squareRoot() : 0
  }

  /// Creates the interval of the mean change of a probability.
  ///
  /// - Parameters:
  ///   - changes: The changes, one for each test case.
  ///   - least: The smallest change that an input unlike every test case may have.
  package init(ofChanges changes: [Double], least: Double) {
    let furthest = changes.reduce(least) { max($0, abs($1)) }
    let reach = min(1, 2 * furthest)
    self.init(changes, within: -1...1, reaching: -reach...reach)
  }

  /// Returns the confidence interval.
  ///
  /// The allowance for inputs unlike every test case has the error 1 − `confidence` at each end,
  /// because such inputs can move the mean in only one direction.
  package func interval(confidence: Double = 0.95) -> ConfidenceInterval {
    ends(tail: (1 - confidence) / 2, unseen: unseen(error: 1 - confidence))
  }

  /// Returns the one-sided upper confidence bound.
  package func upperBound(error: Double) -> Double {
    ends(tail: error, unseen: unseen(error: error)).high
  }

  /// Returns the largest share of inputs that a sample could lack, unless it is rarer than `error`.
  private func unseen(error: Double) -> Double {
    count > 0 ? 1 - pow(error, 1 / Double(count)) : 1
  }

  private func ends(tail: Double, unseen: Double) -> ConfidenceInterval {
    guard count > 1 else {
      return ConfidenceInterval(low: range.lowerBound, high: range.upperBound)
    }
    let half = error * StudentT.quantile(1 - tail, degrees: count - 1)
    return ConfidenceInterval(
      low: max(range.lowerBound, mean - hypot(half, (mean - reach.lowerBound) * unseen)),
      high: min(range.upperBound, mean + hypot(half, (reach.upperBound - mean) * unseen)))
  }
}
