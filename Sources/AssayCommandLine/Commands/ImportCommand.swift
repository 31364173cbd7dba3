import EvalRecords
import EvalRunner
import EvalSessions
import EvalSuites
import Foundation
import GuidedGeneration
import ResultStore
import StructuredText

/// `assay import`: adds exported runs, transcripts of sessions, or logged answers to a database.
struct ImportCommand: Command {
  let specification = CommandSpecification(
    name: "import",
    summary: "Adds exported runs, transcripts of sessions, or logged answers to a database.",
    positionals: "FILE …", positionalCount: 1...10_000,
    options: [
      Self.suites, Self.allowMissing, Self.label, Options.reports, Options.database, Options.format,
    ],
    details: """
      FILE contains one of these:
        - runs, in JSON Lines that `assay export` wrote
        - transcripts of Foundation Models sessions, in JSON
        - logged answers {"prompt" or "input", "output"}; further variables of
          the prompt may stand beside them
      A file can have several transcripts or answers, one on each line. Exported runs keep their
      numbers if those are free. The command doesn't add a run that the database already has.

      Transcripts and logged answers become one run of the backend `recorded`. With --suites, the
      command looks for a test case with the same prompt or input, in the first variant of each
      suite. The answer counts as an attempt at this test case, whose assertions judge it. If a test
      case has no answer, the command names it and exits with 2, unless you give --allow-missing. It
      leaves out answers to other prompts; `assay case add` turns them into test cases. An import is
      compared only with an earlier import that `assay baseline accept` accepted.
      Without --suites, the command only checks that each prompt has an answer, and that the answer
      fits the recorded schema, if there is one.
      """,
    examples: [
      .init("import run-12.jsonl", "Adds an exported run to the database."),
      .init(
        "import production.jsonl --suites evals --label week-47",
        "Judges the answers in an application's log, and keeps them as a run."),
    ])

  private static let suites = OptionKey<[String]>.list(
    "suites", "PATH", .selection, "judge transcripts and logs by the assertions of these suites")
  private static let allowMissing = OptionKey<Bool>.flag(
    "allow-missing", .judging,
    "judge the suites although test cases have no recorded answer")
  private static let label = OptionKey<String?>.text(
    "label", "TEXT", default: "recorded", .results, "a name for the run of recorded answers")

  func run(_ arguments: ParsedArguments, in context: ProgramContext) async throws -> ExitStatus {
    var archives: [String] = []
    var recordings: [Recording] = []
    for file in arguments.positionals {
      switch try Self.content(of: file) {
      case .archive: archives.append(file)
      case .transcripts(let found): recordings += found
      }
    }
    let paths = try arguments[Self.suites]
    let suites =
      paths.isEmpty ? [] : try Selection().applied(to: context.evaluation.suites(at: paths))
    let outcome = try await judged(recordings, by: suites, arguments, in: context)
    do throws(OutputFolder.Failure) {
      try OutputFolder(path: OutputFolder.folder(of: arguments.database)).prepare()
    } catch {
      throw SessionFailure(.cannotRun, error.description)
    }
    let store = try openStore(arguments.database)
    for file in archives {
      for run in try Self.imported(file, into: store) {
        let id = run.id == run.archived ? "\(run.id)" : "\(run.id) (\(run.archived) in the file)"
        context.console.output(
          "\(file): run \(id), \(run.attempts.counted("attempt"))"
            + (run.wasThere ? ", was already there\n" : "\n"))
      }
    }
    guard let outcome else { return .passed }
    // Judged anew, the same log can have another verdict, even if it was imported in the same
    // second.
    let added = try perform { try store.add(outcome.run, outcome.attempts, isNew: true) }
    let prompts = outcome.run.suites.reduce(0) { $0 + $1.cases.count }
    let missing = outcome.missingCases
    let answers = outcome.attempts.count { $0.outcome != .skipped }
    context.console.notes(
      "run \(added.id): \(answers.counted("recorded answer")) to "
        + (missing.isEmpty ? "" : "\(prompts - missing.count) of ")
        + "\(prompts.counted("prompt"))\n")
    if !missing.isEmpty {
      let shown = missing.prefix(5).joined(separator: ", ")
      let more = missing.count > 5 ? " and \(missing.count - 5) more" : ""
      context.console.tell(warning: "no recorded answer: \(shown)\(more)")
    }
    var run = try perform { try store.run(added.id) }
    let plan = try ReferencePlan(
      arguments, try BaselineChoice(nil), suites: run.suites.map(\.id),
      folders: [arguments.reports], in: context)
    run = try References.keep(
      plan, for: run, judge: StoredAnswerJudge(suites: suites), in: store
    ).run
    return try ReportCommand.publish(run, of: store, arguments, in: context)
  }

  /// Returns the run that consists of the transcripts and logged answers, or `nil` if the files
  /// contain neither.
  private func judged(
    _ recordings: [Recording], by suites: [Suite], _ arguments: ParsedArguments,
    in context: ProgramContext
  ) async throws -> RecordedRun.Outcome? {
    guard !recordings.isEmpty else {
      if suites.isEmpty { return nil }
      throw SessionFailure(
        .nothingSelected, "the files contain no answers that --suites could judge")
    }
    let run = RecordedRun(
      recordings: recordings, label: try arguments[Self.label] ?? "recorded",
      time: context.timestamp)
    guard !suites.isEmpty else { return run.unjudged() }
    let outcome = await run.judged(
      by: suites, allowsMissing: arguments.has(Self.allowMissing), clock: context.evaluation.clock)
    guard !outcome.attempts.isEmpty else {
      throw SessionFailure(
        .nothingSelected,
        "no answer has the prompt or input of a test case of "
          + "\(suites.map(\.id).joined(separator: ", ")); "
          + "the first prompt is `\(recordings[0].prompt.prefix(60))`")
    }
    for found in outcome.contradictions.prefix(5) {
      context.console.tell(
        warning: "\(found.place): `\(found.name)` is \(found.logged.compactText), but the test "
          + "case \(found.testCase) expects \(found.expected.compactText), which counts")
    }
    for recording in outcome.unknown.prefix(5) {
      context.console.tell(
        warning: "\(recording.place): no test case has this prompt or input, so the answer is left "
          + "out")
    }
    if outcome.unknown.count > 1 {
      context.console.tell(
        warning:
          "\(outcome.unknown.count) of \(recordings.count.counted("answer")) are left out and "
          + "not judged, because no test case has their prompts or inputs; `assay case add` makes "
          + "test cases of logged answers")
    }
    return outcome
  }

  private enum Content {
    case archive
    case transcripts([Recording])
  }

  /// Returns the recordings in a file, or `archive` if its first line shows that `assay export`
  /// wrote it.
  private static func content(of file: String) throws(SessionFailure) -> Content {
    let text = try TextFile.text(of: file)
    let first = text.prefix { $0 != "\n" }
    if first.hasPrefix(#"{"assay":"#) { return .archive }
    let documents = try LoggedAnswer.documents(in: text, of: file)
    if documents.isEmpty {
      throw SessionFailure(
        .usage, "\(file):1:1: the file is empty; a line for each run, attempt or answer is expected"
      )
    }
    var recordings: [Recording] = []
    for document in documents {
      if LoggedAnswer.isOne(document.value) {
        recordings.append(
          Recording(try LoggedAnswer(document.value, of: file, at: document.location)))
        continue
      }
      if LoggedAnswer.isUnknown(document.value) {
        throw SessionFailure(
          .usage,
          "\(file):\(document.location.line):\(document.location.column): "
            + LoggedAnswer.unknownKeys(of: document.value))
      }
      do throws(TranscriptProblem) {
        let name = documents.count == 1 ? file : "\(file):\(document.location.line)"
        recordings += try Recording.recordings(in: document.value, of: name)
      } catch {
        throw SessionFailure(
          .usage,
          "\(file):\(document.location.line):\(document.location.column): this is neither an "
            + "export that `assay export` wrote, nor a transcript, nor a logged answer with "
            + "`prompt` or `input`: "
            + error.description)
      }
    }
    return .transcripts(recordings)
  }

  private static func imported(
    _ file: String, into store: ResultStore
  ) throws -> [ImportedRun] {
    let lines = try TextFile.text(of: file).linesByFeed
    return try perform {
      do {
        return try store.importArchive(lines.lazy.map { String($0) }, name: file)
      } catch let error as ArchiveError {
        throw SessionFailure(.usage, error.description)
      }
    }
  }
}

extension Selection {
  /// Applies the selection, and throws `SessionFailure` instead of the selection's error.
  fileprivate func applied(to suites: [Suite]) throws(SessionFailure) -> [Suite] {
    do throws(SelectionError) {
      return try apply(to: suites)
    } catch {
      throw SessionFailure(.nothingSelected, error.description)
    }
  }
}
