import Dispatch
import EvalRecords
import ResultStore
import StructuredText
import Synchronization
import SystemBasics

/// Finds the sides of a comparison in the database and in files.
///
/// Two files can be compared without a database. If there is a database, the finder checks that no
/// branch in the database has the same name as a file.
package struct SideFinder {
  /// The path of the database.
  package let database: String
  /// Whether to read decoding steps too, which reports show only for the candidate.
  package let includesTraces: Bool
  /// The name of the other side, which a branch doesn't stand for.
  var other = ""

  /// Finds both sides of a comparison, reading them concurrently.
  ///
  /// - Throws: `SessionFailure` if a side can't be found. If neither side can be found, the error
  ///   is about the baseline.
  package static func sides(
    _ base: String, _ candidate: String, database: String
  ) throws -> (baseline: ComparedSide, candidate: ComparedSide) {
    let found = Mutex<[Bool: Result<ComparedSide, any Error>]>([:])
    DispatchQueue.concurrentPerform(iterations: 2) { index in
      let isCandidate = index == 1
      let finder = SideFinder(
        database: database, includesTraces: isCandidate, other: isCandidate ? base : candidate)
      let side = Result { try finder.side(isCandidate ? candidate : base) }
      found.withLock { $0[isCandidate] = side }
    }
    return try found.withLock { found in
      guard let before = found[false], let after = found[true] else {
        throw SessionFailure(.cannotRun, "the two sides could not be read")
      }
      return (try before.get(), try after.get())
    }
  }

  /// Finds the side that a name refers to.
  ///
  /// - Throws: `SessionFailure` if the name matches nothing, or more than one thing.
  package func side(_ text: String) throws -> ComparedSide {
    switch SideName(text) {
    case .run(let id):
      let store = try openStore(database, access: .reading)
      return try side(text, try perform { try store.run(id) }, in: store)
    case .file(let path, let run):
      if run == nil, let store = try? openStore(database, access: .reading),
        try perform({ try store.branches() }).contains(text)
      {
        throw SessionFailure(
          .usage, "`\(text)` is both a file and a branch; use ./\(text) or branch:\(text)")
      }
      return try file(text, path, run)
    case .variant(let suite, let variant):
      return try newest(
        text, RunFilter(suite: suite, status: .complete, variant: variant), suite, variant)
    case .branch(let branch): return try newest(text, onBranch: branch)
    case .other(let name):
      if FileManager.default.fileExists(atPath: name), !(try isBranch(name)) {
        throw SessionFailure(.usage, "`\(name)` is a folder; \(SideName.allowed)")
      }
      return try newest(text, onBranch: name)
    }
  }

  // MARK: The database

  private func isBranch(_ name: String) throws -> Bool {
    guard let store = try? openStore(database, access: .reading) else { return false }
    return try perform { try store.branches() }.contains(name)
  }

  private func newest(_ text: String, onBranch branch: String) throws -> ComparedSide {
    let filter = RunFilter(status: .complete, branch: branch)
    guard FileManager.default.fileExists(atPath: database) else {
      return try newest(text, filter, nil, nil)
    }
    let store = try openStore(database, access: .reading)
    let ids = try perform { try store.runIDs(matching: filter) }
    var otherID: Int?
    if case .run(let id) = SideName(other) { otherID = id }
    let kind = otherID.flatMap { try? store.run($0) }.map { BaselineKind(of: $0) }
    var found: (run: RunRecord, rank: Int)?
    for id in ids.reversed() where id != otherID && found?.rank != 2 {
      let run = try perform { try store.run(id) }
      // An import says little about a model, and the stub nothing.
      let isAlike = kind.map { BaselineKind(of: run) == $0 } ?? (BaselineKind(of: run) != .recorded)
      let rank = !run.isOfWholeVariants ? -1 : !run.isOfWholeSuites ? 0 : isAlike ? 2 : 1
      if rank > found?.rank ?? -1 { found = (run, rank) }
    }
    if let found {
      var side = try side(text, found.run, in: store)
      side.origin = "branch \(branch)"
      return side
    }
    guard !ids.isEmpty else { throw try unknown(text, in: store) }
    throw SessionFailure(
      .usage,
      "\(store.path): the branch `\(branch)` has no other complete run of whole suites; name a run "
        + "by its number")
  }

  private func newest(
    _ text: String, _ filter: RunFilter, _ suite: String?, _ variant: String?
  ) throws -> ComparedSide {
    guard FileManager.default.fileExists(atPath: database) else {
      throw SessionFailure(
        .usage, "there is no file `\(text)`, and no database \(database); \(SideName.allowed)")
    }
    let store = try openStore(database, access: .reading)
    guard let run = try perform({ try store.latestRun(matching: filter) }) else {
      throw try unknown(text, in: store)
    }
    return try side(text, run, in: store, suite, variant)
  }

  private func side(
    _ text: String, _ run: RunRecord, in store: ResultStore, _ suite: String? = nil,
    _ variant: String? = nil
  ) throws -> ComparedSide {
    let attempts = try perform {
      try store.attempts(
        run: run.id,
        AttemptFilter(suite: suite, variant: variant, includesTraces: includesTraces))
    }
    return ComparedSide(
      name: text, run: run, attempts: attempts, suite: suite, variant: variant,
      file: store.path, slug: variant.map { "\(run.id)-\($0)" } ?? "\(run.id)")
  }

  /// Returns the error for a name that matches no complete run.
  private func unknown(_ text: String, in store: ResultStore) throws -> SessionFailure {
    let names = try perform {
      try store.variantNames()
        + store.branches().map { text.hasPrefix("branch:") ? "branch:\($0)" : $0 }
    }
    let known =
      names.isEmpty
      ? ""
      : "; known names: " + names.prefix(8).map { "`\($0)`" }.joined(separator: ", ")
        + (names.count > 8 ? " and \(names.count - 8) more" : "")
    if names.contains(text) {
      return SessionFailure(.usage, "\(store.path): `\(text)` has no complete run")
    }
    let hint = NearestName.nearest(to: text, among: names).map { "did you mean `\($0)`? " } ?? ""
    return SessionFailure(
      .usage, "there is no run, file or branch `\(text)`; \(hint)\(SideName.allowed)\(known)")
  }

  // MARK: Files

  private func file(_ text: String, _ path: String, _ number: String?) throws -> ComparedSide {
    let base = URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
    let slug = (number.map { "\(base)-\($0)" } ?? base).map {
      $0.isASCII && ($0.isLetter || $0.isNumber || "._-".contains($0)) ? $0 : "-"
    }
    guard let data = FileManager.default.contents(atPath: path) else {
      throw SessionFailure(.cannotRun, "\(path): can't be read")
    }
    if data.starts(with: Data("SQLite format 3\0".utf8)) {
      let store = try openStore(path, access: .reading)
      var found = try side(text, try StoredRun.find(number, in: store), in: store)
      (found.origin, found.slug) = (path, String(slug))
      return found
    }
    guard let content = String(validating: data, as: UTF8.self) else {
      throw SessionFailure(.usage, "\(path):1:1: the file is not UTF-8; \(Self.files)")
    }
    let found: ArchivedRun
    var suite: String?
    switch Self.kind(of: content) {
    case "baseline":
      if number != nil {
        throw SessionFailure(.usage, "\(path): a baseline has only one run; leave out the number")
      }
      do throws(BaselineFile.Failure) {
        let file = try BaselineFile(text: content, path: path)
        found = ArchivedRun(run: file.run, attempts: file.attempts)
        suite = file.run.suites.first?.id
      } catch {
        throw SessionFailure(.usage, error.description)
      }
    case "results": found = try Self.archived(content, path, number)
    default:
      throw SessionFailure(.usage, "\(path):1:1: neither a baseline nor an export; \(Self.files)")
    }
    return ComparedSide(
      name: text, run: found.run, attempts: found.attempts, suite: suite, origin: path,
      file: path, slug: String(slug))
  }

  private static let files =
    "expected a file from `assay baseline accept` or `assay export`, or a result database"

  /// Returns the kind of file that the first line of the content states.
  private static func kind(of content: String) -> String? {
    let line = content.prefix { $0 != "\n" }
    guard let value = try? JSONValue(parsing: String(line)) else { return nil }
    return value["assay"]?.string
  }

  private static func archived(
    _ content: String, _ path: String, _ number: String?
  ) throws -> ArchivedRun {
    let runs: [ArchivedRun]
    do throws(ArchiveError) {
      let lines = content.linesByFeed
      runs = try ArchivedRun.all(lines.lazy.map(String.init), name: path)
    } catch {
      throw SessionFailure(.usage, error.description)
    }
    let ids = runs.map { "\($0.run.id)" }
    let shown = ids.prefix(8).joined(separator: ", ") + (ids.count > 8 ? " …" : "")
    if let number {
      guard let found = runs.first(where: { "\($0.run.id)" == number }) else {
        throw SessionFailure(.usage, "\(path): there is no run \(number); it has \(shown)")
      }
      return found
    }
    guard let only = runs.first else {
      throw SessionFailure(.usage, "\(path): the file contains no run")
    }
    guard runs.count == 1 else {
      throw SessionFailure(
        .usage, "\(path): the file has the runs \(shown); name one: \(path):\(ids[ids.count - 1])")
    }
    return only
  }
}
