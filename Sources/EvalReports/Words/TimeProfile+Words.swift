import EvalRecords

extension TimeProfile.Phase {
  /// The name of the phase in a table: `evaluating answers`.
  var words: String {
    switch self {
    case .preparation: "preparing prompts and schemas"
    case .prompts: "evaluating prompts"
    case .answers: "evaluating answers"
    case .alternatives: "evaluating alternatives"
    case .masks: "masks"
    case .sampling: "sampling"
    case .decisions: "decisions and format pressure"
    case .batching: "batching"
    case .judging: "judging"
    case .storing: "storing"
    }
  }

  /// The work in the phase, in the imperative.
  var explanation: String {
    switch self {
    case .preparation: "render prompts, split them into tokens, compile schemas"
    case .prompts: "run the model on the tokens of prompts"
    case .answers: "run the model on the tokens of answers, including drafts"
    case .alternatives: "run the model on paths that were not sampled, to measure decisions"
    case .masks: "find the allowed tokens, follow the schema"
    case .sampling: "turn logits into probabilities, choose tokens"
    case .decisions: "add up the probabilities of options, record steps"
    case .batching: "collect the next tokens, share common prefixes, build answers"
    case .judging: "read answers and evaluate assertions"
    case .storing: "write attempts to the database"
    }
  }
}

extension TimeProfile {
  /// The phases that took time, with their seconds and shares, longest first.
  var rows: [(phase: Phase, seconds: Double, share: Double)] {
    let total = total
    guard total > 0 else { return [] }
    return Phase.allCases.map { ($0, self[$0], self[$0] / total) }.filter { $0.1 > 0 }
      .sorted { ($0.1, $1.0.rawValue) > ($1.1, $0.0.rawValue) }
  }

  /// The profile as lines for the terminal.
  package var lines: [String] {
    func spaces(_ count: Int) -> String { String(repeating: " ", count: max(0, count)) }
    let rows = rows
    guard !rows.isEmpty else { return [] }
    return ["processor time: \(NumberText.fixed(total, 2)) s"]
      + rows.map { row in
        let seconds = NumberText.fixed(row.seconds, 2)
        let share = NumberText.percent(row.share, decimals: 1)
        let name = row.phase.words
        return "  \(name)" + spaces(30 - name.count) + spaces(9 - seconds.count) + "\(seconds) s"
          + spaces(9 - share.count) + share
      }
  }
}
