import EvalRecords
import EvalSuites
import SystemBasics

extension SuiteSource {
  /// Returns the locations of suites in the repository around a folder, keyed by suite id, or `nil`
  /// if none of the suites is in the repository.
  ///
  /// If there is no repository, the locations are relative to the folder itself, so that the paths
  /// in a report's commands work in this folder.
  ///
  /// - Parameters:
  ///   - suites: The suites, with paths relative to the folder.
  ///   - folder: The working directory.
  static func sources(of suites: [Suite], in folder: String) -> [String: SuiteSource]? {
    let base = URL(fileURLWithPath: folder, isDirectory: true)
    let root = WorkingCopy.root(around: folder) ?? base.standardizedFileURL.path
    func relative(_ path: String) -> String? {
      let whole = URL(fileURLWithPath: path, relativeTo: base).standardizedFileURL.path
      return whole.hasPrefix(root + "/") ? String(whole.dropFirst(root.count + 1)) : nil
    }
    var sources: [String: SuiteSource] = [:]
    for suite in suites {
      guard !suite.path.isEmpty, let file = relative(suite.path) else { continue }
      sources[suite.id] = SuiteSource(
        file: file,
        caseFile: suite.caseFile.flatMap {
          relative(OutputFolder.folder(of: suite.path) + "/" + $0)
        },
        lines: suite.cases.reduce(into: [:]) { $0[$1.id] = $1.line },
        guides: guides(of: suite, relative))
    }
    return sources.isEmpty ? nil : sources
  }

  /// Returns the location of a suite's guides, or `nil` if they are in no file of the repository.
  private static func guides(of suite: Suite, _ relative: (String) -> String?) -> GuideSource? {
    guard let found = suite.guideLines, let file = relative(found.path) else { return nil }
    var lines: [String: Int] = [:]
    for variant in suite.variants {
      for guide in EvalRecords.SchemaDocument(schema: variant.schema).guides {
        if let line = found.lines[guide.text] { lines[guide.place] = lines[guide.place] ?? line }
      }
    }
    return lines.isEmpty ? nil : GuideSource(file: file, lines: lines)
  }
}
