/// The work that patterns may cost, counted in steps.
///
/// A step is a range, a state or an edge that is made or looked at; it takes about a twentieth of a
/// microsecond. The patterns of one schema spend from one budget, so that a thousand of them take
/// no longer than the largest one may.
package final class PatternBudget {
  /// The number of steps a budget has unless another number is asked for.
  package static let defaultSteps = 10_000_000

  private let steps: Int
  private var spent = 0

  /// Makes a budget of which nothing is spent.
  ///
  /// - Parameter steps: The number of steps it has.
  package init(steps: Int = PatternBudget.defaultSteps) { self.steps = steps }

  /// Takes steps from the budget, before or right after they are taken.
  ///
  /// - Throws: That the budget does not have so many left.
  package func spend(_ count: Int) throws(PatternError) {
    guard count <= steps - spent else {
      throw PatternError(
        at: nil,
        "the pattern needs too large an automaton: it takes, with the patterns before it, more than "
          + "\(steps) steps to make",
        allowed: Self.smaller)
    }
    spent += count
  }

  /// What makes an automaton smaller.
  static let smaller =
    "smaller counts in `{m,n}`, or none behind a part that also matches what they count"
}
