import EvalRecords

extension EvaluationUse {
  /// What a model was asked to do, and what reuse saved: `1200 of 40000 tokens were evaluated …`.
  package var words: String {
    let share = Int((savedShare * 100).rounded(.down))
    let forced = outputTokens == 0 ? 0 : forcedTokens * 100 / outputTokens
    return "\(evaluatedTokens) of \(tokensWithoutReuse) tokens were evaluated (\(share) % saved), "
      + "in \(passes) passes over the weights; \(forced) % of the answers’ tokens were forced"
  }
}
