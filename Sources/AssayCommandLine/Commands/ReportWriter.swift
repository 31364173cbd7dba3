import EvalFindings
import EvalRecords
import EvalReports
import EvalSessions
import EvalStatistics
import StructuredText
import SystemBasics

/// The options that decide which reports are written, and how.
struct OutputOptions: Sendable {
  /// The program that reads the JUnit files.
  var dialect: JUnitReport.Dialect
  /// Whether to write annotations, or `nil` if the environment decides.
  var annotates: Bool?
  /// Whether standard output is JSON.
  var isJSON: Bool

  /// Creates options from the arguments of a command.
  init(_ arguments: ParsedArguments) throws(UsageError) {
    dialect = try arguments[Options.junitDialect]
    annotates =
      switch try arguments[Options.annotations] {
      case .github: true
      case .none: false
      case .auto: nil
      }
    isJSON = try arguments[Options.format] == .json
  }
}

/// Writes the reports of a document, and prints the result and the places of the reports.
struct ReportWriter {
  let reports: String
  let database: String
  let output: OutputOptions
  let context: ProgramContext

  /// Returns the options that later commands need to find results, or an empty array if the results
  /// are in the default places.
  static func placeOptions(reports: String, database: String) -> [String] {
    (reports == "reports" ? [] : ["--reports", ShellText.word(reports)])
      + (database == "\(reports)/results.sqlite" ? [] : ["--database", ShellText.word(database)])
  }

  /// Writes all files, shows the summary, and prints the exit status.
  ///
  /// - Parameters:
  ///   - document: The document to show.
  ///   - name: The name of the subfolder for this run's reports, or `nil` for the run's number.
  ///   - lab: The result of a lab, to show in place of the summary, or `nil` for other runs.
  ///   - status: The exit status for the last line.
  ///   - duration: The duration of the run, or `nil` if nothing ran.
  /// - Throws: `SessionFailure` if a file can't be written. The summary is shown anyway.
  func publish(
    _ document: ReportDocument, folder name: String? = nil, lab: LabResult? = nil,
    status: ExitStatus,
    duration: Double?
  ) throws(SessionFailure) {
    var document = document
    document.placeOptions = Self.placeOptions(reports: reports, database: database)
    document.program = context.evaluation.programName
    document.link { FileManager.default.fileExists(atPath: "\(reports)/\($0)") }
    let files =
      [(name: "report.html", text: HTMLReport.render(document))]
      + JUnitReport.files(document, dialect: output.dialect) + [
        (name: "summary.md", text: MarkdownReport.render(document)),
        (name: "results.jsonl", text: ResultLines.render(document)),
      ]
    var folder: String?
    var obstacle: OutputFolder.Failure?
    do throws(OutputFolder.Failure) {
      folder = try OutputFolder(path: reports, waiting: context.lockWait).publish(
        files, in: name ?? "\(document.run.id)")
    } catch {
      obstacle = error
    }
    // Show the verdict even if the reports can't be written.
    show(document, lab, status: obstacle == nil ? status : .cannotRun, duration, in: folder)
    if let obstacle {
      throw SessionFailure(
        .cannotRun,
        "\(obstacle.description); the results are in \(database), and `"
          + (["\(document.program) report \(document.run.id)"] + document.placeOptions)
          .joined(separator: " ")
          + "` writes the reports later")
    }
  }

  /// Shows the result of a run.
  ///
  /// - Parameter folder: The folder with the run's reports, or `nil` if they could not be written.
  private func show(
    _ document: ReportDocument, _ lab: LabResult?, status: ExitStatus, _ duration: Double?,
    in folder: String?
  ) {
    appendToStepSummary(document)
    if output.annotates ?? (context.environment["GITHUB_ACTIONS"] == "true") {
      (context.console.commands ?? context.console.notes)(GitHubAnnotations.render(document))
    }
    if output.isJSON {
      context.console.output(
        RunResult(document: document, lab: lab, status: status, folder: folder ?? "").text + "\n")
      return
    }
    let color = context.console.outputStyle
    var end = "run \(document.run.id) in \(database)"
    if let duration { end += ", \(duration.text(decimals: 1)) s" }
    let summary =
      lab.map { LabReport.render($0, color: color.isOn) }
      ?? TerminalReport.render(document, color: color.isOn)
    context.console.output(
      summary
        + (folder.map {
          "\n  report  \($0)/report.html\n" + (lab == nil ? "  junit   \($0)/junit.xml\n" : "")
        } ?? "\n")
        + "  \(end), exit \(status.rawValue)\n")
  }

  /// Adds the summary to the job's page if the program runs in a GitHub job.
  private func appendToStepSummary(_ document: ReportDocument) {
    guard let path = context.environment["GITHUB_STEP_SUMMARY"], !path.isEmpty else { return }
    let summary = MarkdownReport.render(document, links: links)
    // Other runners than GitHub's own set the variable, but don't create the file.
    if OpenFile(appendingTo: path)?.write(summary.utf8) != true {
      context.console.tell(warning: "\(path): the summary of the job could not be written")
    }
  }

  /// The target of the links in the summary of a GitHub job: the job's artifacts, because GitHub
  /// shows the summary without the reports.
  private var links: MarkdownReport.Links {
    let environment = context.environment
    guard let server = environment["GITHUB_SERVER_URL"], server.hasPrefix("https://"),
      let repository = environment["GITHUB_REPOSITORY"], let run = environment["GITHUB_RUN_ID"],
      (server + repository + run).allSatisfy({
        $0.isASCII && ($0.isLetter || $0.isNumber || "-._/:".contains($0))
      })
    else { return .unknown }
    return .at("\(server)/\(repository)/actions/runs/\(run)#artifacts")
  }
}

/// The result of a run as JSON, for programs.
struct RunResult: Encodable {
  let run: Int
  let status: String
  let exitStatus: Int32
  let headline: String
  let gates: [GateResultRecord]
  let comparisons: [ComparisonRecord]
  /// Each suite on each backend: counts, rate with interval, gate and metrics.
  let suites: JSONValue
  let lab: LabResult?
  let reports: String

  init(document: ReportDocument, lab: LabResult?, status: ExitStatus, folder: String) {
    run = document.run.id
    self.status = document.run.status.rawValue
    exitStatus = status.rawValue
    headline = document.headline.text
    gates = document.gates
    comparisons = document.comparisons.map(\.record)
    suites = ResultLines.suites(of: document)
    self.lab = lab
    reports = folder
  }

  /// The result as JSON.
  var text: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
  }
}
