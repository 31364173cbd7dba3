import EvalFindings
import EvalRecords
import EvalReports
import EvalSessions
import SystemBasics

/// The reports of the newest command, in the folder `latest`.
///
/// A CI job publishes this folder, whatever happened before. So the folder never has the reports of
/// an older run while a run is in progress, after a run was killed, or after a command failed
/// before it had results.
struct LatestReports {
  private static let names = ["report.html", "summary.md", "results.jsonl"]
  private static let junit = "junit.xml"

  /// The folder of all reports.
  let reports: String

  /// Replaces the reports after a command failed before it had results.
  ///
  /// - Parameters:
  ///   - command: The command's name.
  ///   - message: The reason.
  func fail(_ command: String, _ message: String) {
    OutputFolder(path: reports).retract(
      Self.names, in: ["latest"],
      leaving: (Self.junit, JUnitFailure.render(command: command, message: message)))
  }

  /// Replaces the reports when a run begins, until the run writes its own.
  ///
  /// A new run also replaces the reports of another database's run with the same number.
  ///
  /// - Parameters:
  ///   - run: The run.
  ///   - isNew: Whether the run is not a continued one.
  func begin(_ run: RunRecord, isNew: Bool) {
    OutputFolder(path: reports).retract(
      Self.names, in: ["latest"] + (isNew ? ["\(run.id)"] : []),
      leaving: (Self.junit, JUnitFailure.render(unfinished: run.id)))
  }

  /// Whether a command failed before it had results, and no later command wrote reports.
  var isOfFailedCommand: Bool {
    let path = "\(reports)/latest/\(Self.junit)"
    guard let data = FileManager.default.contents(atPath: path) else { return false }
    return JUnitFailure.isOfCommand(String(decoding: data.prefix(4096), as: UTF8.self))
  }
}
