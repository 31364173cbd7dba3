import EvalFindings
import EvalRecords
import EvalReports
import EvalSessions
import SystemBasics

/// A replay as text for a terminal: every decoding step, compared with the stored step, and whether
/// the whole answer is the same.
struct ReplayText {
  let replay: Replay
  let outcome: Replay.Outcome
  let style: TextStyle

  var text: String {
    let attempt = replay.attempt
    var lines = [
      style.bold("replay of \(VisibleText.line(attempt.key.address))")
        + "  seed \(attempt.seed), run \(replay.run.id)"
    ]
    if let engines = outcome.engines {
      let words = "the engine was \(engines.stored) and is now \(engines.now)"
      lines.append(style.dim(VisibleText.line(words)))
    }
    lines += steps
    if let difference = outcome.difference {
      lines.append(style.worse("✗ not the same: ") + VisibleText.line(difference))
    } else {
      lines.append(
        style.good("✓ the same")
          + ": \(outcome.answer.outputTokens.counted("token"))"
          + (attempt.trace.isEmpty
            ? ", byte for byte (no trace was kept to compare with)" : ", token by token"))
    }
    return lines.map { $0 + "\n" }.joined()
  }

  private var steps: [String] {
    let stored = replay.attempt.trace
    let trace = outcome.answer.trace
    var table = TextTable(columns: [
      ("", .left), ("step", .right), ("token", .left), ("path", .left), ("legal", .right),
      ("kept", .right), ("sampled", .right),
    ])
    for (number, step) in trace.enumerated() {
      let old = stored.indices.contains(number) ? stored[number] : nil
      let chosen = step.candidates.first { $0.text == step.text }
      let isDifferent = old.map { $0.text != step.text } ?? false
      let mark = old == nil ? "·" : isDifferent ? "≠" : "="
      let kept = step.keptMass.text(decimals: 3)
      var sampled = "forced"
      if !step.isForced {
        sampled = chosen.map { $0.sampled.text(decimals: 4) } ?? "–"
      }
      let paint: (String) -> String = { isDifferent ? style.worse($0) : style.dim($0) }
      let token: String = ClippedText.line(step.text, limit: 40)
      let path: String = ClippedText.line(step.path, limit: 60)
      var row = [TextTable.Cell(mark, paint: paint), TextTable.Cell("\(number)")]
      row.append(TextTable.Cell(token, paint: style.bold))
      for text in [path, "\(step.legalCount)", kept, sampled] { row.append(TextTable.Cell(text)) }
      table.rows.append(row)
    }
    return trace.isEmpty ? [] : table.lines(style: style).map { "  " + $0 }
  }
}
