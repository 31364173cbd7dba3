import EvalFindings
import EvalRecords
import EvalStatistics

/// One `testcase` element: a test case with all its repeats, or an entry about a suite as a whole.
struct JUnitCase {
  /// The result that consumers count.
  enum Result {
    case pass
    case skipped(reason: String)
    case failure(Problem)
    case error(Problem)
  }

  /// The type and the text of a failure or an error.
  struct Problem {
    let type: String
    let message: String
    let text: String
    /// The input, and the output of the attempt that represents the test case.
    var output = ""
  }

  let name: String
  let className: String
  /// The total duration of the repeats in seconds.
  var time = 0.0
  /// The file that defines the test case, or an empty string if there is none.
  var file = ""
  let result: Result

  var isFailure: Bool { if case .failure = result { true } else { false } }
  var isError: Bool { if case .error = result { true } else { false } }
  var isSkipped: Bool { if case .skipped = result { true } else { false } }

  func write(_ dialect: JUnitReport.Dialect, to writer: inout XMLWriter) {
    var attributes: [(name: StaticString, value: String)] = [
      ("name", name), ("classname", className), ("time", JUnitReport.seconds(time)),
    ]
    if dialect == .gitlab, !file.isEmpty { attributes.append(("file", file)) }
    // Ant's schema has no place for the output of a test case, so the text of the failure includes
    // it, and none for the reason why a test case was skipped.
    let isAnt = dialect == .ant
    func element(_ name: StaticString, _ problem: Problem, _ text: String, _ w: inout XMLWriter) {
      w.element(name, [("message", problem.message), ("type", problem.type)], text: text)
    }
    switch result {
    case .pass: writer.element("testcase", attributes)
    case .skipped(let reason):
      let hasReason = !isAnt && !reason.isEmpty
      writer.element("testcase", attributes) {
        hasReason ? $0.element("skipped", [("message", reason)]) : $0.element("skipped", [])
      }
    case .failure(let problem):
      let output = problem.output
      writer.element("testcase", attributes) { writer in
        let joined = isAnt && !output.isEmpty ? problem.text + "\n" + output : problem.text
        element("failure", problem, joined, &writer)
        if !isAnt, !output.isEmpty { writer.element("system-out", [], text: output) }
      }
    case .error(let problem):
      writer.element("testcase", attributes) { element("error", problem, problem.text, &$0) }
    }
  }

  /// The approximate size of the `testcase` element in bytes.
  var cost: Int {
    guard isFailure || isError else { return 300 }
    var writer = XMLWriter()
    write(.gitlab, to: &writer)
    return writer.bytes.count + 300
  }
}

extension JUnitCase {
  /// Returns the result of a test case, from all its repeats.
  ///
  /// The result is a failure if any attempt failed. Otherwise it is an error if any attempt ended
  /// in an error, and skipped if no attempt was made. If the suite neither missed its gate nor got
  /// worse, the test case passes.
  static func result(
    of summary: CaseSummary, _ attempts: ArraySlice<AttemptRecord>, passes: Bool
  ) -> Result {
    let tally = summary.tally
    if tally.attempts == 0 { return .skipped(reason: "") }
    let bad = attempts.filter { $0.outcome == .fail || $0.outcome == .error }
    // The first failure represents the test case or, if none failed, the first error.
    guard !passes, let worst = bad.first(where: { $0.outcome == .fail }) ?? bad.first else {
      return .pass
    }
    let repeats =
      tally.attempts == 1
      ? "" : " (\(tally.notPassed) of \(tally.attempts) repeats failed)"
    let message = JUnitReport.clipped(VisibleText.line(worst.failureWords), limit: 400) + repeats
    let problem = Problem(
      type: worst.failure?.kind.rawValue ?? worst.decidingFailure?.type ?? "vacuous",
      message: message, text: text(summary.share, message, bad), output: output(worst, summary))
    return tally.failed > 0 ? .failure(problem) : .error(problem)
  }

  private static func text(_ share: Share, _ message: String, _ bad: [AttemptRecord]) -> String {
    var lines = [
      message,
      "\(share.passing("repeat")) (\(share.percent), 95 % interval \(share.interval))",
    ]
    for attempt in bad.prefix(JUnitReport.repeatLimit) {
      lines.append("repeat \(attempt.key.repeatIndex), seed \(attempt.seed):")
      for verdict in attempt.verdicts where verdict.verdict != .pass {
        lines.append(
          "  \(verdict.verdict.rawValue)  \(verdict.assertion): \(clip(verdict.actual)), "
            + "expected \(clip(verdict.expected))")
      }
      if let failure = attempt.failure {
        let word = attempt.outcome == .error ? "error" : "fail"
        lines.append("  \(word)  \(clip(failure.words))")
      }
    }
    let more = bad.dropFirst(JUnitReport.repeatLimit)
    if !more.isEmpty {
      let repeats = more.prefix(50).map { "\($0.key.repeatIndex)" }.joined(separator: ", ")
      lines.append("and \(more.count) more: repeats \(repeats)\(more.count > 50 ? ", …" : "")")
    }
    return JUnitReport.clipped(lines.joined(separator: "\n"))
  }

  private static func clip(_ text: String) -> String { JUnitReport.clipped(text, limit: 1000) }

  private static func output(_ worst: AttemptRecord, _ summary: CaseSummary) -> String {
    guard !worst.output.isEmpty else { return "" }
    let input = summary.record?.input ?? ""
    return (input.isEmpty ? "" : "input:\n\(clip(input))\n")
      + "output of repeat \(worst.key.repeatIndex):\n" + JUnitReport.clipped(worst.output)
  }
}
