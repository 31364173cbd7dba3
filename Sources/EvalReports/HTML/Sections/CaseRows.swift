import EvalFindings
import EvalRecords

/// The test cases that have a row on the page, and the URL fragments that link to these rows.
///
/// The table of the first suite is `c-1`, and the row of its third test case is `c-1-3`. Suites are
/// numbered in the order of the run, except that suites without an attempt come last. Test cases
/// are numbered in the order of their suite. The history lists suites and test cases in the same
/// order, so the dashboard can link to a row of a report without reading the report.
struct CaseRows {
  /// A slice's table.
  struct Table {
    /// The URL fragment of the table.
    let id: String
    /// The test cases that have a row, worst first, each with its place in the suite.
    let rows: [(place: Int, summary: CaseSummary)]
    /// The number of test cases that failed at least once or were never run, but have no row.
    let hiddenBad: Int
    fileprivate let places: [String: Int]
  }

  /// The maximum number of test cases in a run for which every test case has a row.
  ///
  /// In a larger run, only test cases that failed at least once or were never run have a row.
  private static let showAllUpTo = 120
  private static let maximumRows = 800
  private static let maximumRowsPerSlice = 200

  /// Whether every test case has a row.
  let showsAll: Bool
  private let tables: [SliceKey: Table]

  /// Creates a table for each slice that has test cases.
  ///
  /// - Complexity: O(n log n) in the number of test cases.
  init(_ summary: RunSummary) {
    let slices = summary.slices
    let showsAll = slices.reduce(0) { $0 + $1.cases.count } <= Self.showAllUpTo
    let numbered =
      slices.filter { $0.tally.attempts > 0 } + slices.filter { $0.tally.attempts == 0 }
    let numbers = Dictionary(first: numbered.enumerated().map { ($1.key, $0) })
    var budget = Self.maximumRows
    var tables: [SliceKey: Table] = [:]
    for slice in slices where !slice.cases.isEmpty && tables[slice.key] == nil {
      let ordered = slice.cases.enumerated().sorted {
        $0.element.tally.rate ?? 0 < $1.element.tally.rate ?? 0
      }
      let bad = ordered.count { $0.element.isTelling }
      let rows = (showsAll ? ordered : ordered.filter(\.element.isTelling))
        .prefix(min(Self.maximumRowsPerSlice, budget))
      budget -= rows.count
      tables[slice.key] = Table(
        id: Self.fragment(slice: numbers[slice.key] ?? 0),
        rows: rows.map { (place: $0.offset, summary: $0.element) },
        hiddenBad: bad - rows.count { $0.element.isTelling },
        places: Dictionary(first: rows.map { ($0.element.id, $0.offset) }))
    }
    self.showsAll = showsAll
    self.tables = tables
  }

  /// The table of a slice, or `nil` if it has no test cases.
  subscript(key: SliceKey) -> Table? { tables[key] }

  /// The URL fragment of a test case's row.
  ///
  /// If `caseID` is `nil` or the test case has no row, the result is the table's fragment. If there
  /// is no table, the result is `nil`.
  func target(_ key: SliceKey, _ caseID: String? = nil) -> String? {
    guard let table = tables[key] else { return nil }
    return caseID.flatMap { table.places[$0] }.map { "\(table.id)-\($0 + 1)" } ?? table.id
  }

  /// The URL fragment of a table, or of a row in the table.
  ///
  /// The parameters count from 0, and the numbers in the fragment count from 1.
  static func fragment(slice: Int, place: Int? = nil) -> String {
    "c-\(slice + 1)" + (place.map { "-\($0 + 1)" } ?? "")
  }
}

extension CaseSummary {
  /// Whether the test case failed at least once, or was never run.
  fileprivate var isTelling: Bool { tally.notPassed > 0 || tally.attempts == 0 }
}
