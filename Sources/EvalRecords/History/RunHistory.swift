/// The runs of many nights, in the order in which they were made (see `RunOrder`).
///
/// The runs are the lines of `history.jsonl`, a file that Assay only appends to. If a run has
/// several lines, because it was interrupted and continued later, the last line counts.
public struct RunHistory: Sendable, Hashable {
  /// A line that could not be read, with its location and the reason.
  ///
  /// The reader skips the line and reads all other lines.
  public struct Problem: Error, Sendable, Hashable, CustomStringConvertible {
    /// The file.
    public let path: String
    /// The number of the line, starting at 1.
    public let line: Int
    /// The mistake, and the allowed alternatives.
    public let text: String

    /// The problem with its location: `reports/history.jsonl:12: …`.
    public var description: String { "\(path):\(line): \(text)" }
  }

  /// The runs, oldest first.
  public private(set) var entries: [HistoryEntry]
  /// The texts of guides, keyed by their digest.
  package private(set) var texts: [String: [GuideText]]
  /// The identities of the runs that have a folder of reports, to which pages can link.
  package var linked: Set<[String]> = []

  /// Creates a history from entries in any order.
  public init(_ entries: [HistoryEntry] = []) {
    var last: [[String]: Int] = [:]
    for (position, entry) in entries.enumerated() { last[entry.identity] = position }
    var texts: [String: [GuideText]] = [:]
    for entry in entries { texts.merge(entry.texts) { first, _ in first } }
    self.texts = texts
    let recorded = last.values.sorted().map { entries[$0] }
    self.entries = RunOrder(recorded.map(\.moment)).positions.map { recorded[$0] }
  }

  /// Reads a file.
  ///
  /// - Parameters:
  ///   - bytes: The content of the file.
  ///   - path: The file's path, which the problems name.
  /// - Returns: The history, and one problem for each line that could not be read.
  public static func read(
    _ bytes: [UInt8], path: String
  ) -> (history: RunHistory, problems: [Problem]) {
    var entries: [HistoryEntry] = []
    var problems: [Problem] = []
    for (number, line) in bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
      .enumerated()
    where !line.allSatisfy({ $0 == 0x20 || $0 == 0x0D || $0 == 0x09 }) {
      do throws(HistoryEntry.Problem) {
        entries.append(try HistoryEntry(line: Array(line)))
      } catch {
        problems.append(Problem(path: path, line: number + 1, text: error.text))
      }
    }
    return (RunHistory(entries), problems)
  }

  /// Returns the line that adds an entry to the file, with its line feed.
  ///
  /// The line leaves out guide texts that are already in the file.
  public func line(adding entry: HistoryEntry) -> String {
    entry.line(leavingOut: Set(texts.keys)) + "\n"
  }

  /// Returns the same history with one more entry.
  public func adding(_ entry: HistoryEntry) -> RunHistory {
    var history = RunHistory(entries + [entry])
    history.texts.merge(texts) { first, _ in first }
    history.linked = linked
    return history
  }

  /// Returns the history up to a run, without the run itself, so that the report of an old run
  /// shows what was known then.
  public func before(_ run: RunRecord) -> RunHistory {
    var history = self
    if let position = entries.firstIndex(where: { $0.isOf(run) }) {
      history.entries = Array(entries[..<position])
      return history
    }
    // The run has no line, so place it after the last line with a lower number.
    var moments = entries.map(\.moment)
    let position = entries.lastIndex { $0.run < run.id }.map { $0 + 1 } ?? entries.count
    moments.insert(RunOrder.Moment(run: run.id, startedAt: run.startedAt), at: position)
    let earlier = Set(
      RunOrder(moments).positions.prefix { $0 != position }.map { moments[$0] })
    history.entries = entries.filter { earlier.contains($0.moment) }
    return history
  }

  /// Returns the same history without the results of other models under the same backends, and
  /// without the runs that had only such results.
  package func onModels(of run: HistoryEntry) -> RunHistory {
    var history = self
    history.entries = entries.compactMap { entry in
      var own = entry
      own.slices.removeAll { slice in
        run.backends.contains { $0.id == slice.key.backend }
          && !entry.has(slice.key, onModelOf: run)
      }
      return own.slices.isEmpty && !entry.slices.isEmpty ? nil : own
    }
    return history
  }

  /// Returns the complete runs of a suite that came before a given run and used the same models,
  /// oldest first.
  ///
  /// Only runs on the given branches count, and runs outside a repository. Runs of chosen variants
  /// don't count.
  ///
  /// - Parameters:
  ///   - suite: The suite's id.
  ///   - run: The given run.
  ///   - branches: The names of the branches.
  public func complete(
    _ suite: String, like run: RunRecord, branches: [String]
  ) -> [HistoryEntry] {
    before(run).entries.filter { entry in
      entry.isMeasured && entry.isOfFirstVariants
        && RunRecord.isOn(branches, branch: entry.branch, commit: entry.commit)
        && entry.hasModels(of: run)
        && run.backends.allSatisfy { backend in
          entry.slices.contains { $0.key.suite == suite && $0.key.backend == backend.id }
        }
    }
  }

  /// Returns the oldest complete runs on the given branches: one for each suite and set of models.
  ///
  /// Later runs are compared with these runs if no baseline was accepted. Runs without a branch,
  /// made outside a repository or with a detached HEAD, count too, and runs of chosen variants
  /// don't.
  ///
  /// - Parameters:
  ///   - branches: The names of the branches.
  ///   - accepted: The suites to leave out, because they have an accepted baseline.
  public func firstRuns(branches: [String], except accepted: Set<String>) -> [HistoryEntry] {
    var seen: Set<[String]> = []
    return entries.filter { entry in
      guard entry.isMeasured, entry.isOfFirstVariants,
        entry.branch.map(branches.contains) ?? true
      else { return false }
      let models = entry.backends.map { "\($0.id) \($0.model) \($0.digest ?? "")" }.sorted()
      let suites = Set(entry.slices.map(\.key.suite)).subtracting(accepted)
      return suites.sorted().map { seen.insert([$0] + models).inserted }.contains(true)
    }
  }

  /// Returns the same history, with links to the reports of each run that has a reports folder.
  ///
  /// - Parameter hasReports: Returns whether the folder with a given name has reports. If several
  ///   runs have the same number, the folder belongs to the last one.
  public func linking(_ hasReports: (String) -> Bool) -> RunHistory {
    var history = self
    var seen: Set<Int> = []
    history.linked = Set(
      entries.reversed().filter { seen.insert($0.run).inserted && hasReports("\($0.run)") }
        .map(\.identity))
    return history
  }

  /// Returns whether the history has an entry for the same run with the same status and number of
  /// attempts.
  ///
  /// If a run stopped early and was then continued, its earlier entry is out of date.
  package func contains(_ entry: HistoryEntry) -> Bool {
    entries.contains {
      $0.identity == entry.identity && $0.status == entry.status
        && $0.made == entry.made
    }
  }

  /// Returns whether the history has an entry for this run with the run's current status.
  public func contains(_ run: RunRecord) -> Bool {
    entries.contains { $0.identity == ["\(run.id)", run.startedAt] && $0.status == run.status }
  }
}
