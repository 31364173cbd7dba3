import EvalRecords
import EvalReports
import EvalSessions
import EvalSuites
import Foundation

/// Makes an attempt again on the same model and says, token by token, whether it comes out alike.
struct Replay {
  let run: RunRecord
  let attempt: AttemptRecord
  let context: ProgramContext

  /// Replays.
  ///
  /// - Parameter options: Which model, where it isn't the bundled one.
  /// - Returns: `passed` where every token is the same, `failed` where one is not.
  /// - Throws: `SessionFailure` where the attempt can't be made again.
  func carryOut(_ options: RunOptions) async throws -> ExitStatus {
    let key = attempt.key
    guard let record = run.backends.first(where: { $0.id == key.backend }),
      record.isDeterministic, key.backend != "stub"
    else {
      throw SessionFailure(
        .usage, "\(key.backend) can't be replayed: only the local backend gives the same twice")
    }
    guard let request = run.request(for: key) else {
      throw SessionFailure(
        .cannotRun, "run \(run.id) doesn't hold what was asked for \(key.address)")
    }
    var options = options
    options.choice.ids = [key.backend]
    options.choice.models = options.choice.models.values.first.map { [key.backend: $0] } ?? [:]
    let backends = try BackendFactory.backends(options.choice, in: context.evaluation)
    guard let backend = backends.first(where: { $0.record.id == key.backend }) else {
      throw SessionFailure(.cannotRun, "\(key.backend): there is no such backend now")
    }
    guard backend.record.modelDigest == record.modelDigest else {
      throw SessionFailure(
        .usage,
        "the attempt was made by \(VisibleText.line(record.model)), SHA-256 "
          + "\(record.modelDigest?.prefix(12) ?? "unknown")…, and this is "
          + "\(VisibleText.line(backend.record.model)), \(backend.record.modelDigest?.prefix(12) ?? "unknown")…"
          + "; --model FILE names the right one")
    }
    let repeats = [RepeatSeed(repeatIndex: key.repeatIndex, seed: attempt.seed)]
    for await answer in backend.answers(to: request, repeats: repeats) {
      return tell(answer, differences: engineDifference(record, backend.record))
    }
    throw SessionFailure(.cannotRun, "\(key.backend) gave no answer")
  }

  private func engineDifference(_ old: BackendRecord, _ new: BackendRecord) -> String? {
    old.engine == new.engine ? nil : "the engine was \(old.engine), now \(new.engine)"
  }

  private func tell(_ answer: BackendAnswer, differences: String?) -> ExitStatus {
    let style = context.console.outputStyle
    var lines = [
      style.bold("replay of \(VisibleText.line(attempt.key.address))")
        + "  seed \(attempt.seed), run \(run.id)"
    ]
    if let differences { lines.append(style.dim(VisibleText.line(differences))) }
    lines += steps(answer.trace, style)
    let difference = Self.firstDifference(attempt, answer)
    if let difference {
      lines.append(style.worse("✗ not the same: ") + VisibleText.line(difference))
    } else {
      lines.append(
        style.good("✓ the same")
          + ": \(answer.outputTokens.counted("token"))"
          + (attempt.trace.isEmpty
            ? ", byte for byte (no trace was kept to compare with)" : ", token by token"))
    }
    context.console.output(lines.map { $0 + "\n" }.joined())
    return difference == nil ? .passed : .failed
  }

  private func steps(_ trace: [TokenStep], _ style: TextStyle) -> [String] {
    var table = TextTable(columns: [
      ("", .left), ("step", .right), ("token", .left), ("path", .left), ("legal", .right),
      ("kept", .right), ("sampled", .right),
    ])
    for (number, step) in trace.enumerated() {
      let stored = attempt.trace.indices.contains(number) ? attempt.trace[number] : nil
      let chosen = step.candidates.first { $0.text == step.text }
      var mark = "·"
      var isSame = true
      if let stored {
        isSame = stored.text == step.text
        mark = isSame ? "=" : "≠"
      }
      let kept = String(format: "%.3f", step.keptMass)
      var sampled = "forced"
      if !step.isForced {
        sampled = chosen.map { String(format: "%.4f", $0.sampled) } ?? "–"
      }
      let isDifferent = !isSame
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

  /// Where the answer first differs from what is stored; nil where it does not.
  static func firstDifference(_ stored: AttemptRecord, _ answer: BackendAnswer) -> String? {
    func quoted(_ step: TokenStep?) -> String { step.map { "`\($0.text)`" } ?? "the end" }
    if !stored.trace.isEmpty {
      for index in 0..<max(stored.trace.count, answer.trace.count) {
        let old = stored.trace.indices.contains(index) ? stored.trace[index] : nil
        let new = answer.trace.indices.contains(index) ? answer.trace[index] : nil
        if old?.text != new?.text {
          return "step \(index) was \(quoted(old)) and is \(quoted(new))"
        }
        if old?.keptMass != new?.keptMass {
          return "step \(index), \(quoted(old)): the mask kept \(old?.keptMass ?? 0) and keeps "
            + "\(new?.keptMass ?? 0)"
        }
      }
    }
    if stored.output != answer.output {
      let shared = zip(stored.output.utf8, answer.output.utf8).prefix { $0 == $1 }.count
      return "the outputs differ from byte \(shared) on"
    }
    if stored.stopReason != answer.stopReason {
      return
        "it ended with \(stored.stopReason.rawValue) and ends with \(answer.stopReason.rawValue)"
    }
    return stored.outputTokens == answer.outputTokens
      ? nil : "it had \(stored.outputTokens.counted("token")) and has \(answer.outputTokens)"
  }
}
