import EvalRecords
import EvalSessions
import EvalSuites
import Foundation
import GuidedGeneration
import ResultStore
import StructuredText

/// `assay import`: imports runs that `assay export` wrote, or transcripts of sessions.
struct ImportCommand: Command {
  let specification = CommandSpecification(
    name: "import", summary: "Adds exported runs, or transcripts of sessions, to a database.",
    positionals: "FILE …", positionalCount: 1...10_000,
    options: [
      Self.suites, Self.label, Options.reports, Options.database, Options.format,
    ],
    details: """
      FILE is a file that `assay export` wrote (JSON Lines), a transcript in Apple's JSON, or several
      transcripts, one a line. A run that the database has already is not added again; others keep
      their numbers if these are free. All transcripts become one run of the backend `recorded`: with
      --suites, an answer is an attempt at the case that has its prompt, in the first variant, judged
      by the case's assertions; without it, only the presence of an answer is reported.
      """,
    examples: [
      .init("import run-12.jsonl", "Adds an exported run to the database."),
      .init(
        "import sessions.jsonl --suites evals/flashcards",
        "Judges recorded answers by the assertions of a suite."),
    ])

  private static let suites = OptionKey<[String]>.list(
    "suites", "PATH", .selection, "judge transcripts by these suites")
  private static let label = OptionKey<String?>.text(
    "label", "TEXT", default: "recorded", .results, "a name for the run of transcripts")

  func run(_ arguments: ParsedArguments, in context: ProgramContext) async throws -> ExitStatus {
    var archives: [String] = []
    var recordings: [Recording] = []
    for file in arguments.positionals {
      switch try Self.content(of: file) {
      case .archive: archives.append(file)
      case .transcripts(let found): recordings += found
      }
    }
    let outcome = try await judged(recordings, arguments, in: context)
    do throws(OutputFolder.Failure) {
      try OutputFolder(path: OutputFolder.folder(of: arguments.database)).prepare()
    } catch {
      throw SessionFailure(.cannotRun, error.description)
    }
    let store = try openStore(arguments.database)
    for file in archives {
      for run in try Self.imported(file, into: store) {
        let id = run.id == run.archived ? "\(run.id)" : "\(run.id) (there \(run.archived))"
        context.console.output(
          "\(file): run \(id), \(run.attempts.counted("attempt"))"
            + (run.wasThere ? ", was there already\n" : "\n"))
      }
    }
    guard let outcome else { return .passed }
    let added = try perform { try store.add(outcome.run, outcome.attempts) }
    context.console.notes(
      "run \(added.id): \(outcome.attempts.count) recorded answers to "
        + "\(outcome.run.suites.reduce(0) { $0 + $1.cases.count }) prompts\n")
    return try ReportCommand.publish(
      try perform { try store.run(added.id) }, of: store, arguments, in: context)
  }

  /// Returns the run that consists of the transcripts; nil if there are none.
  private func judged(
    _ recordings: [Recording], _ arguments: ParsedArguments, in context: ProgramContext
  ) async throws -> RecordedRun.Outcome? {
    let paths = try arguments[Self.suites]
    guard !recordings.isEmpty else {
      if paths.isEmpty { return nil }
      throw SessionFailure(.nothingSelected, "no file has an answer that --suites could judge")
    }
    let run = RecordedRun(
      recordings: recordings, label: try arguments[Self.label] ?? "recorded",
      time: context.timestamp)
    guard !paths.isEmpty else { return run.unjudged() }
    let suites = try Selection().applied(to: try context.evaluation.suites(at: paths))
    let outcome = await run.judged(by: suites, clock: context.evaluation.clock)
    guard !outcome.attempts.isEmpty else {
      throw SessionFailure(
        .nothingSelected,
        "no case of \(suites.map(\.id).joined(separator: ", ")) has the prompt of any answer; "
          + "the first is `\(recordings[0].prompt.prefix(60))`")
    }
    for recording in outcome.unknown.prefix(5) {
      context.console.tell(warning: "\(recording.place): no case has its prompt; left out")
    }
    if outcome.unknown.count > 5 {
      context.console.tell(warning: "\(outcome.unknown.count - 5) more answers are left out")
    }
    return outcome
  }

  private enum Content {
    case archive
    case transcripts([Recording])
  }

  /// Detects the content of a file from its beginning.
  private static func content(of file: String) throws(SessionFailure) -> Content {
    let text = try text(of: file)
    let first = text.prefix { $0 != "\n" }
    if first.hasPrefix(#"{"assay":"#) { return .archive }
    var documents: [(line: Int, value: JSONValue)] = []
    do throws(StructuredTextError) {
      documents = [(1, try JSONValue(parsing: text))]
    } catch {
      let whole = error
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      for (index, line) in lines.enumerated() where !line.isEmpty {
        guard let value = try? JSONValue(parsing: String(line)) else {
          // An error in a document of many lines has its own place; an error in a JSON line has the
          // line's.
          let place = documents.isEmpty ? "\(file):\(whole)" : "\(file):\(index + 1):1: no JSON"
          throw SessionFailure(.usage, place)
        }
        documents.append((index + 1, value))
      }
    }
    var recordings: [Recording] = []
    for document in documents {
      do throws(TranscriptProblem) {
        let name = documents.count == 1 ? file : "\(file):\(document.line)"
        recordings += try Recording.recordings(in: document.value, of: name)
      } catch {
        throw SessionFailure(
          .usage,
          "\(file):\(document.line):1: this is no export of `assay export` and no transcript: "
            + error.description)
      }
    }
    return .transcripts(recordings)
  }

  private static func text(of file: String) throws(SessionFailure) -> String {
    guard FileManager.default.fileExists(atPath: file) else {
      throw SessionFailure(.usage, "\(file): there is no such file")
    }
    guard let text = try? String(contentsOf: URL(fileURLWithPath: file), encoding: .utf8) else {
      throw SessionFailure(.usage, "\(file): the file can't be read as UTF-8 text")
    }
    return text
  }

  private static func imported(
    _ file: String, into store: ResultStore
  ) throws -> [ImportedRun] {
    let lines = try text(of: file).split(separator: "\n", omittingEmptySubsequences: false)
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
  /// Applies the selection, and converts its error.
  fileprivate func applied(to suites: [Suite]) throws(SessionFailure) -> [Suite] {
    do throws(SelectionError) {
      return try apply(to: suites)
    } catch {
      throw SessionFailure(.nothingSelected, error.description)
    }
  }
}
