import ResultStore

/// Opens the database.
package func openStore(
  _ path: String, access: ResultStore.Access = .writing
) throws(SessionFailure) -> ResultStore {
  // SQLite takes no name, and names with a colon, for databases that are gone afterwards.
  if path.isEmpty {
    throw SessionFailure(.cannotRun, "the result database has no name; --database FILE gives one")
  }
  let path = path.hasPrefix(":") ? "./" + path : path
  return try perform { try ResultStore(path: path, access: access) }
}

/// Does something with the store, and turns its errors into the end of the command.
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
