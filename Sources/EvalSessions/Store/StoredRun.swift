import EvalRecords
import Foundation
import ResultStore

/// Finds runs in a database.
package enum StoredRun {
  /// Splits `FILE` or `FILE:RUN`; if a file with the whole name exists, its colon belongs to the
  /// name.
  package static func parts(ofFile argument: String) -> (path: String, number: String?) {
    guard !FileManager.default.fileExists(atPath: argument),
      let colon = argument.lastIndex(of: ":")
    else { return (argument, nil) }
    return (String(argument[..<colon]), String(argument[argument.index(after: colon)...]))
  }

  /// Returns the run with a number, or the last run.
  package static func find(_ text: String?, in store: ResultStore) throws -> RunRecord {
    if let text {
      guard let id = Int(text), id > 0 else {
        throw SessionFailure(
          .usage, "`\(text)`: the number of a run is allowed; `assay history` lists them")
      }
      return try perform { try store.run(id) }
    }
    guard let run = try perform({ try store.latestRun() }) else {
      throw SessionFailure(.nothingSelected, "\(store.path): there is no run yet")
    }
    return run
  }
}
