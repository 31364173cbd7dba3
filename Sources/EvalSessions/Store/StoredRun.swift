import EvalRecords
import ResultStore
import SystemBasics

/// Finds runs in a database.
package enum StoredRun {
  /// Splits `FILE:RUN` into the path and the run's number, which is `nil` if there is only `FILE`.
  ///
  /// If there is a file whose name is the whole argument, the colon is part of the name.
  package static func parts(ofFile argument: String) -> (path: String, number: String?) {
    guard !FileManager.default.fileExists(atPath: argument),
      let colon = argument.lastIndex(of: ":")
    else { return (argument, nil) }
    return (String(argument[..<colon]), String(argument[argument.index(after: colon)...]))
  }

  /// Returns the run with the given number, or the last run if no number is given.
  package static func find(_ text: String?, in store: ResultStore) throws -> RunRecord {
    if let text {
      guard let id = Int(text), id > 0 else {
        throw SessionFailure(
          .usage,
          "`\(text)` is not the number of a run; `assay history` lists the runs with their numbers")
      }
      return try perform { try store.run(id) }
    }
    guard let run = try perform({ try store.latestRun() }) else {
      throw SessionFailure(
        .nothingSelected, "\(store.path): there is no run yet; run `assay run` first")
    }
    return run
  }
}
