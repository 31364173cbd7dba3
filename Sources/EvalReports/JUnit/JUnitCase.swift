import EvalRecords
import EvalStatistics

/// One `testcase` element: a test case with all its repeats.
struct JUnitCase {
  /// The result that consumers count.
  enum Result {
    case pass
    case failure
    case error
    case skipped
  }

  let name: String
  let className: String
  let summary: CaseSummary
  let attempts: ArraySlice<AttemptRecord>
  /// The rule that overrides the result of the attempts, if there is one.
  var ruling = Ruling.none

  /// A rule for a result that doesn't follow from the attempts alone.
  enum Ruling: Hashable {
    case none
    /// The test case passes, because its suite neither missed its gate nor got worse.
    case passes
    /// An entry about the suite as a whole: its kind, a description, and whether it is a failure.
    case entry(String, String, fails: Bool)
  }

  /// The total duration of the repeats in seconds.
  var time: Double { attempts.reduce(0) { $0 + max(0, $1.duration) } }

  /// The result from the ruling or, without a ruling, from the attempts.
  ///
  /// Without a ruling, the result is a failure if any attempt failed. Otherwise it is an error if
  /// any attempt ended in an error, and skipped if no attempt was made.
  var result: Result {
    if case .entry(_, _, let fails) = ruling { return fails ? .failure : .pass }
    if ruling == .passes { return summary.tally.attempts == 0 ? .skipped : .pass }
    if summary.tally.failed > 0 { return .failure }
    if summary.tally.errors > 0 { return .error }
    return summary.tally.attempts == 0 ? .skipped : .pass
  }

  /// Writes the test case.
  ///
  /// - Parameters:
  ///   - dialect: The dialect to write.
  ///   - file: The file that defines the test case, or an empty string if there is none.
  ///   - writer: The writer to append to.
  func write(_ dialect: JUnitReport.Dialect, file: String, to writer: inout XMLWriter) {
    var attributes: [(name: StaticString, value: String)] = [
      ("name", name), ("classname", className), ("time", JUnitReport.seconds(time)),
    ]
    if dialect == .gitlab, !file.isEmpty { attributes.append(("file", file)) }
    switch result {
    case .pass: writer.element("testcase", attributes)
    case .skipped:
      writer.element("testcase", attributes) { $0.element("skipped", []) }
    case .failure:
      writer.element("testcase", attributes) { writer in
        // Ant's schema has no place for the output of a test case, so the text of the failure
        // includes it.
        let isAnt = dialect == .ant
        let text = isAnt && !output.isEmpty ? body + "\n" + output : body
        writer.element("failure", [("message", message), ("type", type)], text: text)
        if !isAnt, !output.isEmpty { writer.element("system-out", [], text: output) }
      }
    case .error:
      writer.element("testcase", attributes) { writer in
        writer.element("error", [("message", message), ("type", type)], text: body)
      }
    }
  }

  /// The approximate size of the `testcase` element in bytes.
  var cost: Int {
    guard result == .failure || result == .error else { return 300 }
    var writer = XMLWriter()
    write(.gitlab, file: "", to: &writer)
    return writer.bytes.count + 300
  }

  private var bad: [AttemptRecord] {
    attempts.filter { $0.outcome == .fail || $0.outcome == .error }
  }

  /// The attempt that represents the test case: the first failure or, if none failed, the first
  /// error.
  private var worst: AttemptRecord? {
    bad.first { $0.outcome == .fail } ?? bad.first
  }

  private var type: String {
    if case .entry(let kind, _, _) = ruling { return kind }
    guard let worst else { return "unknown" }
    return worst.failure?.kind.rawValue ?? Self.failing(worst)?.type ?? "vacuous"
  }

  private var message: String {
    if case .entry(_, let words, _) = ruling { return JUnitReport.clipped(words, limit: 400) }
    guard let worst else { return "" }
    let tally = summary.tally
    let repeats =
      tally.attempts == 1
      ? "" : " (\(tally.notPassed) of \(tally.attempts) repeats failed)"
    return JUnitReport.clipped(VisibleText.line(Self.reason(worst)), limit: 400) + repeats
  }

  /// The reason why an attempt failed, in one line.
  static func reason(_ attempt: AttemptRecord) -> String {
    if let failure = attempt.failure { return words(of: failure) }
    if let verdict = failing(attempt) {
      return "\(verdict.assertion): \(verdict.actual), expected \(verdict.expected)"
    }
    return attempt.outcome == .fail ? "every assertion was vacuous" : "no value"
  }

  private static func words(of failure: AttemptFailure) -> String {
    let kind = failure.kind.words
    let saysKind = [kind, "not JSON"].contains { failure.message.hasPrefix($0) }
    return saysKind ? failure.message : "\(kind): \(failure.message)"
  }

  private static func failing(_ attempt: AttemptRecord) -> VerdictRecord? {
    attempt.outcome == .fail ? attempt.firstFailure : nil
  }

  private var body: String {
    if case .entry(_, let words, _) = ruling { return JUnitReport.clipped(words) }
    let share = summary.share
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
        lines.append("  \(word)  \(clip(Self.words(of: failure)))")
      }
    }
    let more = bad.dropFirst(JUnitReport.repeatLimit)
    if !more.isEmpty {
      let repeats = more.prefix(50).map { "\($0.key.repeatIndex)" }.joined(separator: ", ")
      lines.append("and \(more.count) more: repeats \(repeats)\(more.count > 50 ? ", …" : "")")
    }
    return JUnitReport.clipped(lines.joined(separator: "\n"))
  }

  private func clip(_ text: String) -> String { JUnitReport.clipped(text, limit: 1000) }

  /// The input, and the output of the attempt that represents the test case.
  private var output: String {
    guard let worst, !worst.output.isEmpty else { return "" }
    let input = summary.record?.input ?? ""
    return (input.isEmpty ? "" : "input:\n\(clip(input))\n")
      + "output of repeat \(worst.key.repeatIndex):\n" + JUnitReport.clipped(worst.output)
  }
}
