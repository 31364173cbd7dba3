import EvalSuites
import ResultStore

/// Opens a result database.
///
/// - Parameters:
///   - path: The file.
///   - access: The way in which to open the file.
///   - waiting: The rule for waiting while another process has locked the file.
package func openStore(
  _ path: String, access: ResultStore.Access = .writing, waiting: LockWait = LockWait()
) throws(SessionFailure) -> ResultStore {
  // SQLite treats an empty name, and some names with a colon, as temporary databases.
  if path.isEmpty {
    throw SessionFailure(.cannotRun, "the result database needs a name: --database FILE")
  }
  let path = path.hasPrefix(":") ? "./" + path : path
  let place = access == .reading ? path : OutputFolder.folder(of: path)
  if FileReading.disk.kind(place) == nil {
    throw SessionFailure(
      .cannotRun,
      "\(path): there is no result database yet; run `assay run` first, or name another database "
        + "with --reports or --database")
  }
  return try perform { try ResultStore(path: path, access: access, waiting: waiting) }
}

/// Performs an operation on a database, and turns its errors into `SessionFailure`.
package func perform<Result>(_ body: () throws -> Result) throws(SessionFailure) -> Result {
  do {
    return try body()
  } catch let failure as SessionFailure {
    throw failure
  } catch let error as StoreError {
    if case .noSuchRun = error.problem {
      throw SessionFailure(.usage, error.description + "; `assay history` lists the runs")
    }
    throw SessionFailure(.cannotRun, error.description)
  } catch {
    throw SessionFailure(.cannotRun, String(describing: error))
  }
}
