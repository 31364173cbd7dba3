import EvalStatistics

/// The next step after the newest run of a history.
enum DashboardStep: Sendable, Hashable {
  /// There is no run yet.
  case run
  /// The newest run passed, and no suite is worse than it was.
  case nothing
  /// The newest run passed, but a suite's pass rate fell in the last thirty nights.
  case look(suite: String)
  /// A suite got worse in the run in which one of its texts was edited: undo or reword the edit.
  case reviseEdit(place: String, change: String, since: String)
  /// The newest run failed, and no edit explains why: read its report.
  case readReport
  /// The newest run stopped early: make its missing attempts.
  case resume(run: Int)
  /// The newest run neither passed nor failed: read its report.
  case readOpenReport(state: String)
  /// The newest run ended before it could judge its suites: read what the command printed.
  case readOutput(status: Int)

  /// Creates a next step for the newest run of a view.
  init(_ view: NightView) {
    guard let newest = view.history.entries.last else {
      self = .run
      return
    }
    switch newest.exitStatus {
    case 0 where newest.ending == .open:
      self = .readOpenReport(state: newest.state?.word.lowercased() ?? "not judged")
    case 0:
      let worse = view.keys.first { key in
        guard newest.slice(key) != nil, let fall = view.fall(of: key) else { return false }
        return fall.stretch.range.count <= NightView.recentNights
      }
      self = worse.map { .look(suite: view.name($0)) } ?? .nothing
    case 1:
      let regressed = Set(RunFindings(newest).regressed)
      // The largest fall comes first, as in the report.
      let edit = view.worstFirst.filter(regressed.contains).lazy
        .compactMap { key -> DashboardStep? in
          guard let entry = view.fall(of: key)?.first,
            let change = view.changes.first(where: { $0.slice == key && $0.entry == entry }),
            change.edits.count == 1, let edit = change.edits.first
          else { return nil }
          return .reviseEdit(
            place: edit.place, change: edit.summary, since: view.runName(entry))
        }.first
      self = edit ?? .readReport
    case 2: self = .resume(run: newest.run)
    default: self = .readOutput(status: newest.exitStatus)
    }
  }

  /// The step as an imperative sentence without a full stop, with names between backticks.
  var words: String {
    switch self {
    case .run: return "make the first run"
    case .nothing: return "nothing, because the newest run passed and no suite is worse"
    case .look(let suite):
      return "find out why `\(RunStep.name(suite))` passes less often than before"
    case .reviseEdit(let place, let change, let since):
      return "undo or reword the edit of `\(RunStep.name(place))` in \(since), which "
        + RunStep.name(change)
    case .readReport: return "read the report of the newest run, which says what failed"
    case .readOpenReport(let state):
      return "read the report of the newest run, which says why it is \(state)"
    case .resume: return "make the missing attempts of the newest run"
    case .readOutput(let status):
      return "read what the newest run printed: it could not judge its suites, and ended with "
        + "status \(status)"
    }
  }

  /// Returns the command of a program that carries out the step, or `nil` if there is none.
  func command(of program: String) -> String? {
    switch self {
    case .run: "\(program) run"
    case .resume(let run): "\(program) run --resume \(run)"
    case .nothing, .look, .reviseEdit, .readReport, .readOpenReport, .readOutput: nil
    }
  }

  /// Writes the step, with a link to the newest report if that report exists.
  func write(_ view: NightView, to w: inout HTMLWriter) {
    w.element("p", .class("found")) { w in
      w.step("Do next: ", words, command(of: view.program))
      if let newest = view.history.entries.last, view.history.linked.contains(newest.identity) {
        w.text(" ")
        w.element("a", .report(of: newest, "report.html"), text: "Open the newest report")
        w.text(".")
      }
    }
  }
}
