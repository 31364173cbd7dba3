import EvalRecords

extension EvaluationUse {
  /// The work that a model did and the share that reuse saved: `1200 of 40000 tokens were evaluated
  /// …`.
  package var words: String {
    let share = Int((savedShare * 100).rounded(.down))
    let forced = outputTokens == 0 ? 0 : forcedTokens * 100 / outputTokens
    return "\(evaluatedTokens) of \(tokensWithoutReuse) tokens were evaluated (\(share) % saved), "
      + "in \(passes) passes over the weights; \(forced) % of the answers’ tokens were forced"
      + draftWords + batchWords
  }

  /// The use of drafts: `; 1200 of 1500 drafted tokens were kept, …`, or an empty string if nothing
  /// was drafted.
  private var draftWords: String {
    guard let draftedTokens, let keptDraftTokens, draftedTokens > 0 else { return "" }
    let share = outputTokens == 0 ? 0 : keptDraftTokens * 100 / outputTokens
    return "; drafts from earlier answers and the prompt: \(keptDraftTokens) of "
      + "\(draftedTokens) drafted tokens were kept, and make up \(share) % of the answers’ tokens"
  }

  /// The size of batches: `; up to 32 answers in one batch, 21.4 on average`, or an empty string if
  /// it is unknown.
  private var batchWords: String {
    guard let meanWidth, let widestStep else { return "" }
    let memory = narrowedTo.map {
      "; at times the memory budget allowed only \($0)"
    }
    return
      "; up to \(widestStep.counted("answer")) in one batch, \(NumberText.fixed(meanWidth, 1)) "
      + "on average"
      + (memory ?? "")
  }
}
