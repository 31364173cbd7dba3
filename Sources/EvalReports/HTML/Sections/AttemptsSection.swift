import EvalFindings
import EvalRecords

/// The table of all attempts, which the script fills.
///
/// If scripts are off, the page shows a table of the attempts that failed.
struct AttemptsSection: PageSection {
  let document: ReportDocument
  let id = "attempts"
  let title = "All attempts"

  private static let fallbackRows = 300

  var isEmpty: Bool { false }

  /// The table of some attempts that failed; the script fills one with the same columns.
  private func failed(_ bad: [Int]) -> ReportTable {
    let summary = document.summary
    let rows = bad.map { (attempt: summary.attempts[$0], cluster: summary.clusterOfAttempt[$0]) }
    return ReportTable("Failed attempts", rows, isFact: false) { table in
      table.column("suite") { .text($0.attempt.key.suite) }
      table.column("test case", style: "mono") { .text($0.attempt.key.caseID) }
      table.column("repeat", .number) { .text("\($0.attempt.key.repeatIndex)") }
      table.column("outcome", .text, .bad) {
        .text($0.attempt.outcome == .error ? "✗ error" : "✗ fail")
      }
      table.column("why") { .text(AttemptColumns.reason(summary.clusters[Int($0.cluster)])) }
      table.column("tokens", .number) {
        .text($0.attempt.measures.outputTokens.map(String.init) ?? "–")
      }
      table.column("ms", .number) {
        $0.attempt.measures.seconds.map { .fixed($0 * 1000, 0) } ?? .unknown
      }
    }
  }

  func write(to w: inout HTMLWriter) {
    w.section(id, title) { w in
      w.element("div", .class("controls js"), .hidden) { w in
        w.element("label", .init("for", "q"), text: "Filter")
        w.void(
          "input", .id("q"), .init("type", "search"), .init("autocomplete", "off"),
          .init("spellcheck", "false"),
          .init("placeholder", "suite:flashcards is:fail len:0 short ms:>600 !lecture"),
          .init("aria-describedby", "shown"))
        w.element("button", .init("type", "button"), .id("csv"), text: "CSV of these rows")
        w.element("span", .id("shown"), .init("role", "status"), .class("quiet"), text: "")
      }
      w.element("div", .id("facets"), .class("facets js"), .hidden, text: "")
      w.element("details", .class("js"), .hidden) { w in
        w.element("summary", text: "How to filter; click a row to open its attempt")
        w.element("div", .class("drill")) { w in FilterGrammar.write(to: &w) }
      }
      w.element(
        "div", .class("attempts js"), .id("window"), .init("tabindex", "0"),
        .init("role", "region"),
        .init("aria-label", "All attempts, scrollable"), .hidden
      ) { w in
        w.element("table") { w in
          w.element("caption", .class("unseen"), text: "All attempts, filtered")
          w.element("thead") { w in w.element("tr") { w in w.headers(failed([]).columns) } }
          w.element("tbody") { _ in }
        }
      }
      w.element("noscript") { w in fallback(to: &w) }
    }
  }

  /// Writes the panel in which the script shows an attempt.
  ///
  /// Next to the attempt's answer, the panel shows the answers that other variants, other models
  /// and the baseline gave to the same test case and repeat.
  static func panel(to w: inout HTMLWriter) {
    w.element("dialog", .id("attempt"), .init("aria-labelledby", "attempt-name")) { w in
      w.element("h2", .id("attempt-name"), text: "")
      w.element("p", .id("attempt-facts"), text: "")
      w.element("p", .id("attempt-input"), .class("quiet"), text: "")
      w.element("p", .class("next")) { w in
        w.text("Inspect: ")
        w.element("code", .id("attempt-command"), .class("command"), text: "")
      }
      w.element("p", .id("attempt-copy"), .class("facets"), text: "")
      w.element("div", .id("answers"), .class("scroll"), text: "")
      w.element("form", .init("method", "dialog")) { w in w.element("button", text: "Close") }
    }
    w.newline()
  }

  private func fallback(to w: inout HTMLWriter) {
    let summary = document.summary
    let bad = summary.attempts.indices.filter { summary.clusterOfAttempt[$0] >= 0 }
    let passed = summary.tally.passed
    w.element(
      "p",
      text: "The filter needs scripts. The attempts below failed; "
        + "\(NumberText.grouped(passed)) passed. Each attempt is a line of results.jsonl.")
    guard !bad.isEmpty else { return }
    w.table(failed(Array(bad.prefix(Self.fallbackRows))))
    if bad.count > Self.fallbackRows {
      let rest = NumberText.count(bad.count - Self.fallbackRows, "more attempt")
      w.element("p", text: "\(rest) failed; results.jsonl has all of them.")
    }
  }
}
