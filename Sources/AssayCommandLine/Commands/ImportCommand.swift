import Backends
import EvalFindings
import EvalRecords
import EvalRunner
import EvalSessions
import EvalSuites
import ResultStore
import StructuredText
import SystemBasics

/// `assay import`: adds exported runs, transcripts of sessions, or logged answers to a database.
struct ImportCommand: Command {
  let specification = CommandSpecification(
    name: "import",
    summary: "Adds exported runs, transcripts of sessions, or logged answers to a database.",
    positionals: "FILE …", positionalCount: 1...10_000,
    options: [
      Self.suites, Self.allowMissing, Self.new, Self.label, Options.reports, Options.database,
      Options.format,
    ],
    details: """
      FILE contains one of these:
        - runs, in JSON Lines that `assay export` wrote
        - transcripts of Foundation Models sessions, in JSON
        - logged answers {"prompt" or "input", "output"}; further variables of
          the prompt may stand beside them
      A file can have several transcripts or answers, one on each line. Exported runs keep their
      numbers if those are free. The command doesn't add a run that the database already has.

      Transcripts and logged answers become a run of the backend `recorded`, with the name of the
      model and the version of the system if the files say so: one run for each of them. With
      --suites, the command looks for a test case with the same prompt or input, in all variants of
      each suite. The answer counts as an attempt at this test case, whose assertions judge it. If a
      test case has no answer, the command names it and exits with 2, unless you give
      --allow-missing. It leaves out answers to other prompts; `assay case add` turns them into test
      cases. An import is compared only with an earlier import that `assay baseline accept`
      accepted. Without --suites, the command only checks that each prompt has an answer, and that
      the answer fits the recorded schema, if there is one.
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
  private static let new = OptionKey<Bool>.flag(
    "new", .selection,
    "leave out files that an earlier import with this option has added, by their SHA-256")
  private static let label = OptionKey<String?>.text(
    "label", "TEXT", default: "recorded", .results, "a name for the run of recorded answers")

  func run(_ arguments: ParsedArguments, in context: ProgramContext) async throws -> ExitStatus {
    var imported = try ImportedFiles(in: arguments.reports)
    let isOnlyNew = arguments.has(Self.new)
    var added: [(name: String, text: String)] = []
    var archives: [String] = []
    var recordings: [Recording] = []
    for file in arguments.positionals {
      let text = try TextFile.text(of: file)
      if isOnlyNew, imported.contains(text) || added.contains(where: { $0.text == text }) {
        continue
      }
      added.append((file, text))
      switch try Self.content(of: text, in: file) {
      case .archive: archives.append(file)
      case .transcripts(let found): recordings += found
      }
    }
    if added.isEmpty {
      context.console.notes("an earlier import has added all of these files\n")
      return .passed
    }
    recordings = Self.withoutCopies(recordings, in: context)
    let paths = try arguments[Self.suites]
    let suites =
      paths.isEmpty
      ? [] : try Selection(variants: .all).applied(to: context.evaluation.suites(at: paths))
    let outcomes = try await judged(recordings, by: suites, arguments, in: context)
    do throws(OutputFolder.Failure) {
      try OutputFolder(path: OutputFolder.folder(of: arguments.database)).prepare()
    } catch {
      throw SessionFailure(.cannotRun, error.description)
    }
    let store = try openStore(arguments.database)
    var statuses: [ExitStatus] = []
    for file in archives {
      for run in try Self.imported(file, into: store) {
        let id = run.id == run.archived ? "\(run.id)" : "\(run.id) (\(run.archived) in the file)"
        context.console.output(
          "\(file): run \(id), \(run.attempts.counted("attempt"))"
            + (run.wasThere ? ", was already there\n" : "\n"))
        guard run.lost > 0 else { continue }
        statuses.append(.interrupted)
        context.console.tell(
          warning: "\(file): the file lacks \(run.lost.counted("attempt")) of run \(run.archived), "
            + "so the run is not complete; export it again")
      }
    }
    for outcome in outcomes {
      let run = try keep(outcome, judgedBy: suites, in: store, arguments, in: context)
      statuses.append(try ReportCommand.publish(run, of: store, arguments, in: context))
    }
    // The runs are stored, so the files count as imported, whatever the verdict is.
    if isOnlyNew { try imported.add(added) }
    return statuses.first { $0 != .passed } ?? .passed
  }

  /// Returns recordings without the copies of a recorder's attempts, which it warns of.
  private static func withoutCopies(
    _ recordings: [Recording], in context: ProgramContext
  ) -> [Recording] {
    let found = RecordedCopies(recordings)
    if let first = found.copies.first {
      let count = found.copies.count
      context.console.tell(
        warning: "\(first.place): this is a copy of an earlier attempt and is left out"
          + (count > 1 ? ", and so are \(count - 1) more" : ""))
    }
    return found.kept
  }

  /// Stores a run of recorded answers with its references, and returns it.
  private func keep(
    _ outcome: RecordedRun.Outcome, judgedBy suites: [Suite], in store: ResultStore,
    _ arguments: ParsedArguments, in context: ProgramContext
  ) throws -> RunRecord {
    // Judged anew, the same log can have another verdict, even if it was imported in the same
    // second.
    let added = try perform { try store.add(outcome.run, outcome.attempts, isNew: true) }
    let prompts = outcome.run.suites.reduce(0) { $0 + $1.cases.count * $1.variants.count }
    let missing = outcome.missingCases
    let answers = outcome.attempts.count { $0.outcome != .skipped }
    let known = missing.isEmpty ? "" : "\(prompts - missing.count) of "
    let named = outcome.run.backends.first { $0.engine.hasPrefix(BackendRecord.recordedEngine) }
    let source =
      named.map { ", " + ClippedText.line("\($0.model); \($0.engine)", limit: 200) } ?? ""
    context.console.notes(
      "run \(added.id): \(answers.counted("recorded answer")) to \(known)"
        + "\(prompts.counted("prompt"))\(source)\n")
    if !missing.isEmpty {
      let shown = missing.prefix(5).joined(separator: ", ")
      let more = missing.count > 5 ? " and \(missing.count - 5) more" : ""
      context.console.tell(warning: "no recorded answer: \(shown)\(more)")
    }
    let run = try perform { try store.run(added.id) }
    let plan = try ReferencePlan(
      arguments, try BaselineChoice(nil), suites: run.suites.map(\.id), kind: BaselineKind(of: run),
      folders: [arguments.reports], in: context)
    return try References.keep(
      plan, for: run, judge: StoredAnswerJudge(suites: suites), in: store
    ).run
  }

  /// Returns the runs that consist of the transcripts and logged answers, one for each model and
  /// system that gave them; none if the files contain neither.
  private func judged(
    _ recordings: [Recording], by suites: [Suite], _ arguments: ParsedArguments,
    in context: ProgramContext
  ) async throws -> [RecordedRun.Outcome] {
    guard let first = recordings.first else {
      if suites.isEmpty { return [] }
      throw SessionFailure(
        .nothingSelected, "the files contain no answers that --suites could judge")
    }
    var outcomes: [RecordedRun.Outcome] = []
    for (identity, recordings) in recordings.byIdentity {
      let run = RecordedRun(
        recordings: recordings, label: try arguments[Self.label] ?? "recorded",
        time: context.timestamp, identity: identity)
      guard !suites.isEmpty else {
        outcomes.append(run.unjudged())
        continue
      }
      let outcome = await run.judged(
        by: suites, allowsMissing: arguments.has(Self.allowMissing),
        clock: context.evaluation.clock)
      Self.warn(of: outcome, among: recordings.count, in: context)
      if !outcome.attempts.isEmpty { outcomes.append(outcome) }
    }
    guard !outcomes.isEmpty else {
      throw SessionFailure(
        .nothingSelected,
        "no answer has the prompt or input of a test case of "
          + "\(suites.map(\.id).joined(separator: ", ")); "
          + "the first prompt is `\(first.prompt.prefix(60))`\(Self.names(in: first))")
    }
    return outcomes
  }

  /// Warns of the answers that no test case judges, and of values that contradict a test case.
  private static func warn(
    of outcome: RecordedRun.Outcome, among count: Int, in context: ProgramContext
  ) {
    guard !outcome.attempts.isEmpty else { return }
    for found in outcome.contradictions.prefix(5) {
      context.console.tell(
        warning: "\(found.place): `\(found.name)` is \(found.logged.compactText), but the test "
          + "case \(found.testCase) expects \(found.expected.compactText), which counts")
    }
    for recording in outcome.unknown.prefix(5) {
      context.console.tell(
        warning: "\(recording.place): no test case has this prompt or input"
          + "\(Self.names(in: recording)), so the answer is left out")
    }
    if outcome.unknown.count > 1 {
      context.console.tell(
        warning:
          "\(outcome.unknown.count) of \(count.counted("answer")) are left out and "
          + "not judged, because no test case has their prompts or inputs; `assay case add` makes "
          + "test cases of logged answers")
    }
  }

  /// Returns the names that a line of a log gives of its test case, which may be the reason why it
  /// has none, as words: `, with suite "cards"`.
  private static func names(in recording: Recording) -> String {
    let given = RecordedFacts.Place.keys.compactMap { key in
      recording.facts.names[key].map { "\(key) \(ValueWords.quoted($0))" }
    }
    return given.isEmpty ? "" : ", with " + given.joined(separator: ", ")
  }

  private enum Content {
    case archive
    case transcripts([Recording])
  }

  /// Returns the recordings in a file's text, or `archive` if `assay export` wrote the file, as its
  /// first line shows.
  private static func content(
    of text: String, in file: String
  ) throws(SessionFailure) -> Content {
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
      do throws(RecordedExchange.Problem) {
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
