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
  fileprivate var rows: [(phase: Phase, seconds: Double, share: Double)] {
    let total = total
    guard total > 0 else { return [] }
    return Phase.allCases.map { ($0, self[$0], self[$0] / total) }.filter { $0.1 > 0 }
      .sorted { ($0.1, $1.0.rawValue) > ($1.1, $0.0.rawValue) }
  }

  /// The profile as lines for the terminal.
  package var lines: [String] {
    let table = ReportTable.time(self)
    return table.rows.isEmpty
      ? []
      : ["processor time: \(NumberText.fixed(total, 2)) s"]
        + table.lines(TextStyle(isOn: false)).map { "  " + $0 }
  }
}

extension ReportTable {
  /// The processor time of each phase.
  static func time(_ profile: TimeProfile) -> ReportTable {
    var table = ReportTable(
      caption: "Processor time by phase",
      columns: [
        Column("phase", .name), Column("seconds", .number), Column("share", .number),
        Column("work", on: [.page]),
      ])
    table.rows = profile.rows.map { phase, seconds, share in
      Row(cells: [
        Cell(.text(phase.words)), Cell(.number(seconds, NumberText.fixed(seconds, 2))),
        Cell(.number(share, NumberText.percent(share))), Cell(.text(phase.explanation), .quiet),
      ])
    }
    return table
  }
}
