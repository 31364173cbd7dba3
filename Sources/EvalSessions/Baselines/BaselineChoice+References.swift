import EvalRecords
import EvalReports
import Foundation
import ResultStore

/// The baselines to compare a run with, and the facts about these baselines for the report.
package struct References {
  /// The baselines, in the order of the run's suites.
  package var baselines: [SuiteBaseline]
  /// The facts for the report, or `nil` if no comparison was requested.
  package var report: ReportReferences?
}

extension BaselineChoice {
  /// Returns the references of a run: its baselines and, if this choice names branches,
  /// replacements for missing baselines.
  ///
  /// A replacement is a run of the same models. It is the last accepted run in the database, if
  /// that run used these models. Otherwise, it is the oldest complete run on any of the branches.
  /// The function doesn't simply take the previous run, because then a rate could fall a little
  /// with every run without any comparison noticing.
  ///
  /// - Parameters:
  ///   - baselines: The loaded baselines.
  ///   - run: The run to compare.
  ///   - store: The database.
  ///   - history: The earlier runs, which may come from another machine's database.
  package func references(
    _ baselines: [SuiteBaseline], of run: RunRecord, in store: ResultStore, _ history: RunHistory
  ) throws(SessionFailure) -> References {
    guard self != .none else { return References(baselines: baselines) }
    var found = References(baselines: [])
    var report = ReportReferences(vanished: run.details.vanishedBaselines ?? [])
    for suite in run.suites {
      if let baseline = baselines.first(where: { $0.suite == suite.id }) {
        found.baselines.append(baseline)
        continue
      }
      let (baseline, remarks) = try replacement(for: suite.id, of: run, in: store, history)
      report.remarks += remarks
      if let baseline { found.baselines.append(baseline) } else { report.missing.append(suite.id) }
    }
    report.isMissingEverywhere = found.baselines.isEmpty
    found.report = report
    return found
  }

  /// Returns the reference for a suite that has no accepted baseline file, and remarks about this
  /// reference.
  private func replacement(
    for suite: String, of run: RunRecord, in store: ResultStore, _ history: RunHistory
  ) throws(SessionFailure) -> (SuiteBaseline?, [ReportReferences.Remark]) {
    guard case .accepted(let branches) = self else { return (nil, []) }
    let accepted = try perform { try store.baselines() }
      .last { $0.suite == suite && $0.acceptedAt <= run.referenceTime && $0.run != run.id }
    guard !branches.isEmpty else {
      // The suite's baseline file may have been deleted, or it may be in another folder of
      // reports.
      let remark = accepted.map {
        ReportReferences.Remark.acceptedWithoutFile(suite: suite, run: $0.run)
      }
      return (nil, [remark].compactMap(\.self))
    }
    if let accepted, let earlier = try? store.run(accepted.run), Self.isAlike(earlier, run) {
      return (try Self.baseline(suite, earlier, in: store), [])
    }
    let runs = history.complete(suite, like: run, branches: branches)
    var stopped: [Int] = []
    for (position, entry) in runs.enumerated() {
      guard let earlier = try? store.run(entry.run), entry.isOf(earlier) else { continue }
      // A run that stopped early isn't a fair reference, because its own results determined when it
      // stopped.
      if earlier.hasStoppedEarly(suite) {
        stopped.append(entry.run)
        continue
      }
      var remarks: [ReportReferences.Remark] = []
      if let run = stopped.first {
        remarks.append(.stoppedEarly(suite: suite, run: run, reference: entry.run))
      } else if position > 0 {
        remarks.append(
          .firstRunMissing(suite: suite, first: runs[0].run, reference: entry.run))
      }
      if let last = runs.last, last != entry { remarks.append(.lastRun(suite: suite, last)) }
      return (try Self.baseline(suite, earlier, in: store), remarks)
    }
    return (nil, [])
  }

  private static func isAlike(_ earlier: RunRecord, _ run: RunRecord) -> Bool {
    earlier.status == .complete
      && run.backends.allSatisfy { backend in
        earlier.backends.contains {
          $0.id == backend.id && $0.model == backend.model && $0.modelDigest == backend.modelDigest
        }
      }
  }

  private static func baseline(
    _ suite: String, _ run: RunRecord, in store: ResultStore
  ) throws(SessionFailure) -> SuiteBaseline {
    SuiteBaseline(
      suite: suite, run: run, attempts: try perform { try store.attempts(run: run.id) })
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
