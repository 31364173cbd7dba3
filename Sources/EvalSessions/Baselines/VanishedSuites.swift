import EvalRecords
import SystemBasics

/// The search for suites that have an accepted baseline but no longer exist.
package struct VanishedSuites {
  /// All loaded suites.
  let loaded: [SuiteRecord]
  /// The absolute paths of the files and folders from which the suites were loaded, or `nil` for
  /// the folder of suites.
  let scope: [String]?
  /// The folder to which the paths in baselines are relative.
  let root: String

  /// Creates a search.
  ///
  /// - Parameters:
  ///   - loaded: All loaded suites.
  ///   - places: The files and folders from which the suites were loaded, or an empty array for the
  ///     folder of suites.
  ///   - folder: The working directory.
  package init(from loaded: [SuiteRecord], at places: [String], in folder: String) {
    self.loaded = loaded
    let base = URL(fileURLWithPath: folder, isDirectory: true).standardizedFileURL
    func whole(_ path: String) -> String {
      URL(fileURLWithPath: path, relativeTo: base).standardizedFileURL.path
    }
    let paths = places.map(whole)
    scope = paths.isEmpty || paths.contains(whole("evals")) ? nil : paths
    root = WorkingCopy.root(around: folder) ?? base.path
  }

  /// Creates a search for the suites that a stored run should have had.
  ///
  /// - Parameters:
  ///   - run: The run. If it isn't a run of all suites, the search looks at its suites' files.
  ///   - folder: The working directory.
  package init(of run: RunRecord, in folder: String) {
    loaded = run.suites
    let base = URL(fileURLWithPath: folder, isDirectory: true).standardizedFileURL.path
    let root = WorkingCopy.root(around: folder) ?? base
    self.root = root
    scope =
      run.details.isOfAllSuites == true
      ? nil
      : run.suites.compactMap { run.details.sources?[$0.id]?.file }.map {
        URL(fileURLWithPath: "\(root)/\($0)").standardizedFileURL.path
      }
  }

  /// Whether all suites of the folder of suites were loaded.
  package var isWhole: Bool { scope == nil }

  /// Returns the ids of the suites.
  ///
  /// If the folder of suites was loaded, every suite with a baseline that was not loaded has
  /// vanished. Otherwise, such a suite has vanished if its file was in one of the loaded places, or
  /// if its baseline shares a test case with a loaded suite that has no baseline: the loaded suite
  /// may then be the vanished suite under a new id.
  ///
  /// - Parameters:
  ///   - reports: The folder of reports.
  ///   - existing: Returns the ids of the suites in the folder of suites. A suite that exists there
  ///     has not vanished; it was only not asked for.
  package func ids(in reports: String, existing: () -> Set<String>) -> [String] {
    let folder = "\(reports)/baselines"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    // The baseline of a single model is SUITE@KEY.jsonl.
    let files = Dictionary(
      grouping: names.filter { $0.hasSuffix(".jsonl") && !BaselineFile.isStray($0) },
      by: { String($0.dropLast(6).prefix { $0 != "@" }) })
    let ids = Set(loaded.map(\.id))
    let orphans = files.keys.filter { !$0.isEmpty && !ids.contains($0) }.sorted()
    if isWhole || orphans.isEmpty { return orphans }
    let cases = Set(loaded.filter { files[$0.id] == nil }.flatMap(\.cases).map(\.id))
    let found = orphans.filter { orphan in
      (files[orphan] ?? []).contains { name in
        let path = "\(folder)/\(name)"
        guard let text = try? String(contentsOf: URL(fileURLWithPath: path), encoding: .utf8),
          let file = try? BaselineFile(text: text, path: path)
        else { return false }
        return isInScope(file.run.details.sources?[orphan]?.file)
          || file.run.suites.contains { $0.cases.contains { cases.contains($0.id) } }
      }
    }
    if found.isEmpty { return [] }
    let existing = existing()
    return found.filter { !existing.contains($0) }
  }

  /// Returns whether a suite file was in one of the loaded places.
  func isInScope(_ file: String?) -> Bool {
    guard let file else { return false }
    let path = URL(fileURLWithPath: "\(root)/\(file)").standardizedFileURL.path
    return scope?.contains { path == $0 || path.hasPrefix($0 + "/") } ?? true
  }
}
