/// A limit on the work that compiling patterns may take, counted in steps.
///
/// A step is the work of creating or inspecting one range, state or edge, which takes about 50
/// nanoseconds. The patterns of one schema share a budget, so compiling a thousand patterns takes
/// no longer than compiling the largest single pattern that a budget allows.
package final class PatternBudget {
  /// The default number of steps in a budget.
  package static let defaultSteps = 10_000_000

  private let steps: Int
  private var spent = 0

  /// Creates an unspent budget.
  ///
  /// - Parameter steps: The number of steps that the budget allows.
  package init(steps: Int = PatternBudget.defaultSteps) { self.steps = steps }

  /// Subtracts steps from the budget; call this method before the work or right after it.
  ///
  /// - Throws: An error if fewer steps than `count` are left.
  package func spend(_ count: Int) throws(PatternError) {
    guard count <= steps - spent else {
      throw PatternError(
        at: nil,
        "the pattern's automaton is too large: together with the earlier patterns, it takes more "
          + "than \(steps) steps to build",
        allowed: Self.smaller)
    }
    spent += count
  }

  /// The advice in an error message on how to make an automaton smaller.
  static let smaller =
    "use smaller counts in `{m,n}`, especially if the text before the repeated part can also match "
    + "that part"
}
