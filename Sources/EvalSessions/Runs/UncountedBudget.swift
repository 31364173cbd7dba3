import EvalRecords
import EvalRunner
import Synchronization

/// Budgets that a run can't keep if a server doesn't report the tokens of its answers.
package struct UncountedBudget: Sendable {
  /// A budget that depends on the number of tokens.
  package enum Kind: Sendable, Hashable {
    /// The maximum number of tokens.
    case tokens
    /// The maximum cost.
    case cost
  }

  private let kinds: [Kind]

  /// Creates the budgets, or returns `nil` if none of a run's budgets depends on tokens.
  init?(_ budget: RunBudget) {
    kinds = (budget.tokens == nil ? [] : [.tokens]) + (budget.cost == nil ? [] : [.cost])
    if kinds.isEmpty { return nil }
  }

  /// Returns a receiver of events that also reports, once for each backend and at its first answer,
  /// that its tokens can't be counted.
  func watching(
    _ onEvent: @escaping Evaluation.EventHandler
  ) -> Evaluation.EventHandler {
    let reported = Mutex<Set<String>>([])
    return { [kinds] event in
      onEvent(event)
      guard case .finished(let attempt) = event, attempt.details.isCached != true,
        attempt.details.served != nil, attempt.lacksTokenCounts,
        reported.withLock({ $0.insert(attempt.key.backend).inserted })
      else { return }
      onEvent(.cannotCount(backend: attempt.key.backend, budgets: kinds))
    }
  }
}
