import EvalRecords
import EvalReports
import EvalSessions
import EvalStatistics
import Foundation
import StructuredText

/// The forms of the results.
struct OutputOptions: Sendable {
  /// The consumer of the JUnit files.
  var dialect: JUnitReport.Dialect
  /// Whether annotations are written; nil if the environment decides.
  var annotates: Bool?
  /// Whether standard output gets JSON.
  var isJSON: Bool

  /// Reads the options.
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

/// Writes a document's reports and tells where they are.
struct ReportWriter {
  let reports: String
  let database: String
  let output: OutputOptions
  let context: ProgramContext

  /// Writes all files, shows the summary, and says how the command ends.
  ///
  /// - Parameters:
  ///   - document: What to show.
  ///   - folder: The name of the folder beside `latest`; nil for the run's number.
  ///   - lab: What a lab found, which then stands in the place of the summary.
  ///   - status: The exit status, which the last line names.
  ///   - duration: How long the run took; nil where nothing ran.
  /// - Throws: `SessionFailure` where a file can't be written; older ones stay as they are.
  func publish(
    _ document: ReportDocument, folder name: String? = nil, lab: LabResult? = nil,
    status: ExitStatus,
    duration: Double?
  ) throws(SessionFailure) {
    let files =
      [(name: "report.html", text: HTMLReport.render(document))]
      + JUnitReport.files(document, dialect: output.dialect) + [
        (name: "summary.md", text: MarkdownReport.render(document)),
        (name: "results.jsonl", text: ResultLines.render(document)),
      ]
    let folder: String
    do throws(OutputFolder.Failure) {
      folder = try OutputFolder(path: reports).publish(
        files, in: name ?? "\(document.run.id)")
    } catch {
      throw SessionFailure(.cannotRun, error.description)
    }
    appendToStepSummary(document)
    if output.annotates ?? (context.environment["GITHUB_ACTIONS"] == "true") {
      (context.console.commands ?? context.console.notes)(GitHubAnnotations.render(document))
    }
    if output.isJSON {
      context.console.output(
        RunResult(document: document, lab: lab, status: status, folder: folder).text + "\n")
      return
    }
    let color = context.console.outputStyle
    var end = "run \(document.run.id) in \(database)"
    if let duration { end += ", \(String(format: "%.1f", duration)) s" }
    let summary =
      lab.map { LabReport.render($0, color: color.isOn) }
      ?? TerminalReport.render(document, color: color.isOn)
    context.console.output(
      summary
        + "\n  report  \(folder)/report.html\n  junit   \(folder)/junit.xml\n"
        + "  \(end), exit \(status.rawValue)\n")
  }

  /// Adds the summary to the page of a GitHub job, where one runs.
  private func appendToStepSummary(_ document: ReportDocument) {
    guard let path = context.environment["GITHUB_STEP_SUMMARY"], !path.isEmpty,
      let file = FileHandle(forWritingAtPath: path)
    else { return }
    defer { try? file.close() }
    _ = try? file.seekToEnd()
    try? file.write(contentsOf: Data(MarkdownReport.render(document, links: links).utf8))
  }

  /// A job's summary is shown far from the reports: its links lead to the artifacts of the job.
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
