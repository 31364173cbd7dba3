import EvalFindings
import EvalRecords
import EvalReports
import ResultStore
import SystemBasics

/// The file `history.jsonl` in the folder of reports, and the dashboard that shows its content.
///
/// ```
/// reports/   history.jsonl   the results of runs; lines are only ever added
///            index.html      the dashboard
///            badge.svg       the result of the newest run
/// ```
package struct HistoryFile {
  /// The folder of reports.
  package let reports: String
  private let waiting: LockWait
  private let program: String

  /// Creates a reference to the file in a folder of reports; the folder need not exist.
  ///
  /// - Parameters:
  ///   - reports: The folder of reports.
  ///   - waiting: The rule for waiting while another process has locked the folder.
  ///   - program: The name of the program whose commands the dashboard names.
  package init(reports: String, waiting: LockWait = LockWait(), program: String = "assay") {
    self.reports = reports
    self.waiting = waiting
    self.program = program
  }

  /// The size in bytes up to which the dashboard reads the results of a run.
  private static let mostResults = 64_000_000

  private var folder: OutputFolder { OutputFolder(path: reports, waiting: waiting) }

  /// The file's path.
  package var path: String { "\(reports)/history.jsonl" }

  /// Reads the history from the file; the history is empty if the file doesn't exist.
  ///
  /// - Parameter warn: Receives one message for each of the first five lines that can't be read,
  ///   and then one message that says how many more there are.
  /// - Throws: `SessionFailure` if the file exists but can't be read.
  package func read(warn: (String) -> Void) throws(SessionFailure) -> RunHistory {
    guard FileManager.default.fileExists(atPath: path) else { return RunHistory() }
    guard let data = FileManager.default.contents(atPath: path) else {
      throw SessionFailure(.cannotRun, "\(path): the history can't be read")
    }
    let (history, problems) = RunHistory.read(Array(data), path: path)
    for problem in problems.prefix(5) { warn(problem.description) }
    if problems.count > 5 {
      warn(
        "\(path): \((problems.count - 5).counted("more line")) can't be read; the others are used")
    }
    return history
  }

  /// Adds a line for a run, unless the history already has an entry for this run with the same
  /// status and the same number of attempts.
  ///
  /// - Returns: The history including the run.
  package func add(
    _ document: ReportDocument, exitStatus: Int, to history: RunHistory
  ) throws(SessionFailure) -> RunHistory {
    var document = document
    document.program = program
    let entry = HistoryEntry(document, exitStatus: exitStatus)
    guard !history.contains(entry) else { return history }
    do throws(OutputFolder.Failure) {
      try folder.append(history.line(adding: entry), to: path)
    } catch {
      throw SessionFailure(.cannotRun, error.description)
    }
    return history.adding(entry)
  }

  /// Adds a line for a run, and draws the dashboard from the current content of the file.
  ///
  /// The dashboard also shows other runs that have ended since this run's report was written.
  package func addAndDraw(_ document: ReportDocument, exitStatus: Int) throws(SessionFailure) {
    let lock: FolderLock
    do throws(OutputFolder.Failure) {
      lock = try folder.lock()
    } catch {
      throw SessionFailure(.cannotRun, error.description)
    }
    defer { lock.release() }
    try draw(try add(document, exitStatus: exitStatus, to: try read { _ in }))
  }

  /// Draws the dashboard and the badge.
  ///
  /// - Returns: The path of the dashboard.
  @discardableResult
  package func draw(_ history: RunHistory) throws(SessionFailure) -> String {
    let linked = history.linking { folder in
      FileManager.default.fileExists(atPath: "\(reports)/\(folder)/report.html")
    }
    do throws(OutputFolder.Failure) {
      let page = Dashboard.render(linked, program: program) { run in
        let path = "\(reports)/\(run)/results.jsonl"
        guard let status = FileStatus(path: path), status.size <= Self.mostResults else {
          return nil
        }
        return FileManager.default.contents(atPath: path).map { [UInt8]($0) }
      }
      try folder.replace("\(reports)/index.html", with: page)
      try folder.replace("\(reports)/badge.svg", with: Badge.render(linked))
    } catch {
      throw SessionFailure(.cannotRun, error.description)
    }
    return "\(reports)/index.html"
  }
}
