import EvalRecords

extension HeadlinePart {
  /// The maximum number of acknowledged findings to name.
  private static let maximumMatches = 3

  /// Says which findings are acknowledged, and which no longer are.
  ///
  /// If `namesDay`, it says since when.
  package static func acknowledged(_ findings: AcknowledgedFindings, namesDay: Bool) -> Sentence {
    var sentence = Sentence()
    func name(_ match: AcknowledgedFindings.Match) -> String {
      ClippedText.line(
        "\(match.finding.name) of \(match.finding.slice.suite)", limit: maximumName)
    }
    func add(
      _ matches: [AcknowledgedFindings.Match], _ words: (AcknowledgedFindings.Match) -> String
    ) {
      for match in matches.prefix(maximumMatches) {
        sentence.add(words(match))
      }
      let more = matches.count - maximumMatches
      if more > 0 { sentence.text(" The same holds for \(more.counted("more finding")).") }
    }
    add(findings.grown) { match in
      let (finding, entry) = (match.finding, match.entry)
      var parts: [String] = []
      if finding.exceedsLimit(of: entry) {
        parts.append(
          "\(finding.words(of: finding.value)) now, "
            + "\(finding.bound) \(finding.words(of: entry.limit)) was acknowledged")
      }
      let new = finding.newCases(beyond: entry)
      if !new.isEmpty {
        parts.append(
          ClippedText.line(
            "\(new.count.counted("other test case")) newly \(new.count == 1 ? "fails" : "fail"), "
              + new.listed(maximumMatches), limit: 3 * maximumName))
      }
      return "The acknowledged finding \(name(match)) grew: \(parts.joined(separator: "; "))."
    }
    add(findings.pending) {
      "The acknowledgement of \(name($0)) only begins on \($0.entry.since)."
    }
    add(findings.ended) {
      "The acknowledgement of \(name($0)) ended on \($0.entry.until)."
    }
    for entry in findings.unmatched.prefix(maximumMatches) {
      sentence.add(
        ClippedText.line(
          "The acknowledgement of “\(entry.quantity)” of \(entry.suite) matches nothing in this "
            + "run.", limit: 3 * maximumName))
    }
    let unmatched = findings.unmatched.count - maximumMatches
    if unmatched > 0 {
      sentence.text(
        " The same holds for \(unmatched.counted("more entry", plural: "more entries")).")
    }
    add(findings.covered) {
      let begin = namesDay ? "Acknowledged, since \($0.entry.since) and until" : "Until"
      return "\(begin) \($0.entry.until): \(name($0)) "
        + "(\(ClippedText.line($0.entry.reason, limit: maximumName))"
        + ($0.finding.isCertain ? ")." : "; it shrank).")
    }
    return sentence
  }
}

extension RedFinding {
  /// The value and the limit in words: `43.3 %; at least 31.0 % from now on`.
  package var words: String {
    "\(words(of: value)); \(bound) \(words(of: limit)) from now on"
  }

  /// A value in words.
  fileprivate func words(of value: Double) -> String {
    name.hasPrefix("gate: metric") ? "\(value)" : NumberText.percent(value)
  }

  /// The words before a limit.
  fileprivate var bound: String { isWorseHigher ? "at most" : "at least" }
}
