import EvalRecords
import ResultStore
import StructuredText
import SystemBasics

/// The folder of one run's reports, for example `reports/12`.
///
/// `remove(isDry:)` removes the folder only if Assay wrote everything in it for this run. So the
/// folder stays if somebody put notes there, or if it has the reports of a run with the same number
/// from another database.
package struct RunFolder {
  /// The folder of all reports.
  package let reports: String
  /// The run.
  package let run: RunHead

  /// Creates a reference to a run's folder, which need not exist.
  package init(reports: String, run: RunHead) {
    self.reports = reports
    self.run = run
  }

  /// The result of removing the folder.
  package enum Removal: Equatable {
    /// There was no folder.
    case absent
    /// The folder was removed or, in a dry run, would have been removed.
    case removed
    /// The folder stays, for the given reason.
    case kept(reason: String)
  }

  /// The folder's path.
  package var path: String { "\(reports)/\(run.id)" }

  /// Removes the folder, or returns the reason why it stays.
  ///
  /// - Parameter isDry: Whether to only report what would happen.
  package func remove(isDry: Bool) -> Removal {
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: path) else {
      return .absent
    }
    if let other = names.sorted().first(where: { !Self.isOwn($0) }) {
      return .kept(reason: "it has a file that Assay didn't write: \(other)")
    }
    if !names.isEmpty, !isOfRun {
      return .kept(reason: "it belongs to another run with that number")
    }
    if isDry { return .removed }
    // Remove `results.jsonl` last, because this file shows that the folder belongs to this run.
    for name in names.sorted(by: { $0 != Self.rows && $1 == Self.rows }) {
      guard unlink("\(path)/\(name)") == 0 else {
        return .kept(reason: "\(name) can't be removed: \(String(cString: strerror(errno)))")
      }
    }
    guard rmdir(path) == 0 else {
      return .kept(reason: "it can't be removed: \(String(cString: strerror(errno)))")
    }
    return .removed
  }

  private static let rows = "results.jsonl"

  private static func isOwn(_ name: String) -> Bool {
    ["report.html", "summary.md", "junit.xml", rows].contains(name)
      || (name.hasPrefix("junit-") && name.hasSuffix(".xml"))
  }

  /// Whether the first line of `results.jsonl` is about this run.
  private var isOfRun: Bool {
    guard let file = OpenFile(reading: "\(path)/\(Self.rows)") else { return false }
    var line: [UInt8] = []
    while line.count < 1 << 20, let part = file.read(upTo: 1 << 16), !part.isEmpty {
      line += part
      if part.contains(0x0A) { break }
    }
    let text = String(decoding: line.prefix { $0 != 0x0A }, as: UTF8.self)
    guard let record = try? JSONValue(parsing: text) else { return false }
    return record["kind"]?.string == "run" && record["id"]?.int == run.id
      && record["startedAt"]?.string == run.startedAt
  }
}
