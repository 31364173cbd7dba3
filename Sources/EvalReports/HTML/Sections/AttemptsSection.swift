import EvalRecords
import StructuredText

/// Every attempt in a window over columns of data; without the script, those that did not pass.
struct AttemptsSection: PageSection {
  let document: ReportDocument
  let id = "attempts"
  let title = "All attempts"

  private static let fallbackRows = 300

  init(_ document: ReportDocument) { self.document = document }

  var isEmpty: Bool { false }

  private var columns: [TableColumn] {
    [
      TableColumn("suite"), TableColumn("case"), .number("repeat"), TableColumn("verdict"),
      TableColumn("why"), .number("tokens"), .number("ms"),
    ]
  }

  func write(to w: inout HTMLWriter) {
    w.section(id, title) { w in
      w.element("div", .class("ctl js"), .hidden) { w in
        w.element("label", .init("for", "q"), text: "Filter")
        w.void(
          "input", .id("q"), .init("type", "search"), .init("autocomplete", "off"),
          .init("spellcheck", "false"),
          .init("placeholder", "suite:flashcards is:fail len:0 short ms:>600 !lecture"))
        w.element("span", .id("shown"), .init("role", "status"), .class("dim2"), text: "")
      }
      w.element("details", .class("js"), .hidden) { w in
        w.element("summary", text: "What the filter understands")
        w.element("div", .class("drill")) { w in FilterGrammar.write(to: &w) }
      }
      w.element(
        "div", .class("vt js"), .id("vt"), .init("tabindex", "0"), .init("role", "region"),
        .init("aria-label", "All attempts, scrollable"), .hidden
      ) { w in
        w.element("table") { w in
          w.element("caption", .class("vh"), text: "All attempts, filtered")
          w.element("thead") { w in w.element("tr") { w in w.headers(columns) } }
          w.element("tbody") { _ in }
        }
      }
      w.element("noscript") { w in fallback(to: &w) }
    }
  }

  private func fallback(to w: inout HTMLWriter) {
    let summary = document.summary
    let bad = summary.attempts.indices.filter { summary.clusterOfAttempt[$0] >= 0 }
    let passed = summary.tally.passed
    w.element(
      "p",
      text: "The filter needs scripts. Below, the attempts that did not pass; "
        + "\(NumberText.grouped(passed)) passed. Every attempt is a line of results.jsonl.")
    guard !bad.isEmpty else { return }
    w.table("Attempts that did not pass", columns) { w in
      for index in bad.prefix(Self.fallbackRows) {
        let attempt = summary.attempts[index]
        w.element("tr") { w in
          w.cell(VisibleText.line(attempt.key.suite))
          w.cell(VisibleText.line(attempt.key.caseID), "m")
          w.cell("\(attempt.key.repeatIndex)", "n")
          w.cell(attempt.outcome == .error ? "✗ error" : "✗ fail", "bad")
          w.cell(AttemptColumns.reason(summary.clusters[Int(summary.clusterOfAttempt[index])]))
          w.cell("\(attempt.outputTokens)", "n")
          w.cell(NumberText.fixed(attempt.duration * 1000, 0), "n")
        }
      }
    }
    if bad.count > Self.fallbackRows {
      let rest = NumberText.count(bad.count - Self.fallbackRows, "more attempt")
      w.element("p", text: "\(rest) did not pass; results.jsonl has them all.")
    }
  }
}

/// All attempts as columns of JSON: about ten bytes each, parsed in milliseconds.
///
/// ```
/// S slices, C cases, R reasons
/// b blocks [slice, case, count]: repeats count from 0; a fourth entry lists them otherwise
/// v one letter per attempt: p pass, f fail, e error, v vacuous, s skipped
/// r the reasons of those that did not pass, in order;  t tokens;  m milliseconds
/// l the length of the first array, -1 for none;  G pairs "expected>chosen", g their numbers
/// ```
struct AttemptColumns {
  private let summary: RunSummary

  init(_ summary: RunSummary) { self.summary = summary }

  /// The reason as the table shows it.
  static func reason(_ cluster: FailureCluster) -> String {
    ClippedText(VisibleText.line(cluster.title), limit: 160).text
  }

  func write(to w: inout HTMLWriter) { w.data(id: "rows", json: json) }

  private var json: [UInt8] {
    var caseNumbers: [String: Int] = [:]
    var cases: [String] = []
    var blocks: [String] = []
    for (number, slice) in summary.slices.enumerated() {
      for summaryOfCase in slice.cases where !summaryOfCase.range.isEmpty {
        let name = VisibleText.line(summaryOfCase.id)
        if caseNumbers[name] == nil {
          caseNumbers[name] = cases.count
          cases.append(name)
        }
        let repeats = summary.attempts[summaryOfCase.range].map(\.key.repeatIndex)
        let isPlain = repeats.enumerated().allSatisfy { $0.offset == $0.element }
        let list = isPlain ? "" : ",[\(repeats.map(String.init).joined(separator: ","))]"
        blocks.append("[\(number),\(caseNumbers[name] ?? 0),\(repeats.count)\(list)]")
      }
    }
    var verdicts: [UInt8] = []
    var reasons: [String] = []
    for (index, attempt) in summary.attempts.enumerated() {
      let cluster = summary.clusterOfAttempt[index]
      switch attempt.outcome {
      case .pass: verdicts.append(UInt8(ascii: "p"))
      case .skipped: verdicts.append(UInt8(ascii: "s"))
      case .error: verdicts.append(UInt8(ascii: "e"))
      case .fail:
        let isVacuous = cluster >= 0 && summary.clusters[Int(cluster)].kind == .vacuous
        verdicts.append(UInt8(ascii: isVacuous ? "v" : "f"))
      }
      if cluster >= 0 { reasons.append("\(cluster)") }
    }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(16 * summary.attempts.count + 10_000)
    func add(_ text: String) { bytes.append(contentsOf: text.utf8) }
    func strings(_ texts: [String]) -> String {
      "[" + texts.map { JSONWriter.quoted($0) }.joined(separator: ",") + "]"
    }
    add("{\"S\":\(strings(summary.slices.map { VisibleText.line($0.name) }))")
    add(",\"C\":\(strings(cases)),\"R\":\(strings(summary.clusters.map(Self.reason)))")
    add(",\"b\":[\(blocks.joined(separator: ","))],\"v\":\"")
    bytes += verdicts
    add("\",\"r\":[\(reasons.joined(separator: ","))],\"t\":[")
    for (index, attempt) in summary.attempts.enumerated() {
      if index > 0 { add(",") }
      add(String(attempt.outputTokens))
    }
    add("],\"m\":[")
    for (index, attempt) in summary.attempts.enumerated() {
      if index > 0 { add(",") }
      add(NumberText.plain(attempt.duration * 1000, attempt.duration < 0.01 ? 1 : 0))
    }
    add("]")
    // The array lengths and branches, only where there are any.
    if summary.lengthOfAttempt.contains(where: { $0 >= 0 }) {
      add(",\"l\":[\(summary.lengthOfAttempt.map(String.init).joined(separator: ","))]")
    }
    if !summary.branchPairs.isEmpty {
      add(",\"G\":\(strings(summary.branchPairs))")
      add(",\"g\":[\(summary.branchOfAttempt.map(String.init).joined(separator: ","))]")
    }
    add("}")
    return bytes
  }
}
