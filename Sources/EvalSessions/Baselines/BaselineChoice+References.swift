import EvalRecords
import EvalReports
import Foundation
import ResultStore

extension BaselineChoice {
  /// Returns the reference for a suite that has no accepted baseline file, and a remark about it.
  ///
  /// If this choice names branches, the reference is the oldest complete run on any of them that
  /// used the same models. It isn't simply the previous run, because then a rate could fall a
  /// little with every run without any comparison noticing.
  func replacement(
    for suite: String, of run: RunRecord, in store: ResultStore, _ history: RunHistory
  ) throws(SessionFailure) -> (SuiteBaseline?, ReferenceRemark?) {
    guard case .accepted(let branches) = self else { return (nil, nil) }
    let runs = branches.isEmpty ? [] : history.complete(suite, like: run, branches: branches)
    var stopped: [Int] = []
    for (position, entry) in runs.enumerated() {
      guard let earlier = try? store.run(entry.run), entry.isOf(earlier) else { continue }
      // A run that stopped early isn't a fair reference, because its own results determined when it
      // stopped.
      if earlier.hasStoppedEarly(suite) {
        stopped.append(entry.run)
        continue
      }
      let attempts = try perform { try store.attempts(run: earlier.id) }
      var remark: ReferenceRemark?
      if let run = stopped.first {
        remark = .stoppedEarly(run: run, reference: entry.run)
      } else if position > 0 {
        remark = .firstRunMissing(first: runs[0].run, reference: entry.run)
      }
      return (SuiteBaseline(suite: suite, run: earlier, attempts: attempts), remark)
    }
    // The baseline file may have been deleted, or it may be in another folder of reports.
    let compared = try perform {
      try store.lastRunWithBaseline(of: suite, before: run.id > 0 ? run.id : .max)
    }
    return (nil, compared.map { .baselineFileIsGone(comparedRun: $0) })
  }

  /// Returns the suites that have an accepted baseline but no longer exist.
  ///
  /// - Parameters:
  ///   - loaded: All loaded suites.
  ///   - isWhole: Whether all existing suites were loaded. If so, every suite with a baseline that
  ///     wasn't loaded has vanished. If not, such a suite counts only if its baseline shares a test
  ///     case with a loaded suite that has no baseline. The loaded suite may then be the vanished
  ///     suite under a new id.
  ///   - reports: The folder of reports.
  package static func vanished(
    from loaded: [SuiteRecord], isWhole: Bool, in reports: String
  ) -> [String] {
    let folder = "\(reports)/baselines"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    // The baseline of a single model is SUITE@KEY.jsonl.
    let files = Dictionary(
      grouping: names.filter { $0.hasSuffix(".jsonl") },
      by: { String($0.dropLast(6).prefix { $0 != "@" }) })
    let ids = Set(loaded.map(\.id))
    let orphans = files.keys.filter { !ids.contains($0) }.sorted()
    if isWhole || orphans.isEmpty { return orphans }
    let cases = Set(
      loaded.filter { files[$0.id] == nil }.flatMap(\.cases).map(\.id))
    guard !cases.isEmpty else { return [] }
    return orphans.filter { orphan in
      (files[orphan] ?? []).contains { name in
        let path = "\(folder)/\(name)"
        guard let text = try? String(contentsOf: URL(fileURLWithPath: path), encoding: .utf8),
          let file = try? BaselineFile(text: text, path: path)
        else { return false }
        return file.run.suites.contains { $0.cases.contains { cases.contains($0.id) } }
      }
    }
  }
}
