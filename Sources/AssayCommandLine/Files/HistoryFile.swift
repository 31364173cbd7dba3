import EvalRecords
import EvalReports
import Foundation

/// `history.jsonl` in the folder of reports, with the dashboard that is drawn from it.
///
/// ```
/// reports/   history.jsonl   one line for each run, only ever appended to
///            index.html      the dashboard
///            badge.svg       the newest run in a word
/// ```
struct HistoryFile {
  /// The folder of reports.
  let reports: String

  /// The file's path.
  var path: String { "\(reports)/history.jsonl" }

  /// Reads the file; nothing is there before the first run.
  ///
  /// - Parameter warn: Takes one line for each line that could not be read.
  /// - Throws: `CommandFailure` where the file is there and can't be read.
  func read(warn: (String) -> Void) throws(CommandFailure) -> RunHistory {
    guard FileManager.default.fileExists(atPath: path) else { return RunHistory() }
    guard let data = FileManager.default.contents(atPath: path) else {
      throw CommandFailure(.cannotRun, "\(path): the history can't be read")
    }
    let (history, problems) = RunHistory.read(Array(data), path: path)
    for problem in problems.prefix(5) { warn(problem.description) }
    if problems.count > 5 {
      warn(
        "\(path): \((problems.count - 5).counted("more line")) can't be read; the others are used")
    }
    return history
  }

  /// Adds a line for a run, unless the file has it.
  ///
  /// - Returns: The history with the run.
  func add(
    _ document: ReportDocument, status: ExitStatus, to history: RunHistory
  ) throws(CommandFailure) -> RunHistory {
    guard !history.contains(document.run) else { return history }
    let entry = HistoryEntry(document, exitStatus: Int(status.rawValue))
    do throws(OutputFolder.Failure) {
      try OutputFolder(path: reports).append(history.line(adding: entry), to: path)
    } catch {
      throw CommandFailure(.cannotRun, error.description)
    }
    return history.adding(entry)
  }

  /// Draws the dashboard and the badge.
  ///
  /// - Returns: The path of the dashboard.
  @discardableResult
  func draw(_ history: RunHistory) throws(CommandFailure) -> String {
    let linked = history.linking { folder in
      FileManager.default.fileExists(atPath: "\(reports)/\(folder)/report.html")
    }
    do throws(OutputFolder.Failure) {
      let folder = OutputFolder(path: reports)
      try folder.replace("\(reports)/index.html", with: Dashboard.render(linked))
      try folder.replace("\(reports)/badge.svg", with: Badge.render(linked))
    } catch {
      throw CommandFailure(.cannotRun, error.description)
    }
    return "\(reports)/index.html"
  }
}
