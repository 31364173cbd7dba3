import EvalFindings
import EvalRecords

/// The next step after the newest run of a history: the first one that the run's report advises.
struct DashboardStep: Sendable, Hashable {
  /// The step as an imperative sentence without a full stop, with names between backticks.
  let words: String
  /// The command that carries out the step, or `nil` if there is none.
  let command: String?

  init(_ view: NightView) {
    guard let newest = view.history.entries.last else {
      (words, command) = ("make the first run", "\(view.program) run")
      return
    }
    if let step = newest.step {
      (words, command) = (step.words, step.command)
      return
    }
    command = newest.exitStatus == 2 ? "\(view.program) run --resume \(newest.run)" : nil
    switch newest.exitStatus {
    case 0 where newest.ending == .passed: words = "nothing, because the newest run passed"
    case 0, 1: words = "read the report of the newest run"
    case 2: words = "make the missing attempts of the newest run"
    case let status:
      words =
        "read what the newest run printed: it could not judge its suites, and ended with status "
        + "\(status)"
    }
  }

  /// Writes the step, with a link to the newest report if that report exists.
  func write(_ view: NightView, to w: inout HTMLWriter) {
    w.element("p", .class("found")) { w in
      w.step("Do next: ", words, command)
      if let newest = view.history.entries.last, view.history.linked.contains(newest.identity) {
        w.text(" ")
        w.element("a", .report(of: newest, "report.html"), text: "Open the newest report")
        w.text(".")
      }
    }
  }
}
