import EvalFindings
import EvalRecords
import EvalStatistics
import StructuredText

/// The facts about all test cases, as JSON, from which the script draws the grid and the panel of
/// a test case.
///
/// ```
/// { "nights": [["46", "14 Nov", "46"], ["47", "15 Nov", null], null],
///   "suites": [["recipes", "recipes", "default", "stub", "run 47 (15 Nov)"]],
///   "cases": [{ "s": 0, "id": "tides", "at": "case=recipes/tides", "t": "short", "k": "broke",
///               "n": [3, 3, 46, 1, 3, 14], "c": [46, 138, 138, 14, 42],
///               "v": {"input": "…"}, "g": [45, 0], "b": [46, 2, "expected …"], "d": […] }] }
/// ```
///
/// A night is its name, its date and the folder of its reports, if there is one. `n` lists how many
/// attempts passed, how many were made, and on how many nights in a row. `c` is the place of the
/// change and the counts before and after it; a sixth number is the night on which a fall ended.
/// `g` and `b` are the places and repeats of the last good and the first bad answer, and `d` is
/// their difference as in ``ChangeData``.
struct CaseFacts {
  private let grid: CaseGrid
  private let view: NightView
  private let results: NightResults

  /// The number of test cases.
  let cases: Int

  init(_ grid: CaseGrid, _ view: NightView, _ read: (Int) -> [UInt8]?) {
    (self.grid, self.view) = (grid, view)
    cases = grid.suites.reduce(0) { $0 + $1.rows.count }
    results = NightResults(grid.suites.map { ($0.slice.key, $0.rows) }, view, read)
  }

  /// Says which texts the page holds, so that readers know what a search can find.
  var extent: String {
    let all = NumberText.count(cases, "test case")
    guard results.inputs > 0 || results.answers > 0 else {
      return
        "The search looks at the ids, suites and tags of \(all). This page holds no inputs and "
        + "no answers, because the folders of the runs’ reports aren’t next to it."
    }
    return "The search looks at the ids, suites and tags of \(all), at "
      + "\(NumberText.count(results.inputs, "input")), "
      + "and at the last good and the first bad answers of "
      + NumberText.count(results.answers, "test case")
      + ". The reports of the nights hold the other answers."
  }

  func write(to w: inout HTMLWriter) {
    var bytes = Array("{\"nights\":".utf8)
    JSONWriter.append(nights, to: &bytes)
    bytes += Array(",\"suites\":".utf8)
    JSONWriter.append(suites, to: &bytes)
    bytes += Array(",\"cases\":[".utf8)
    var isFirst = true
    for (number, (slice, rows)) in grid.suites.enumerated() {
      for row in rows {
        if !isFirst { bytes.append(UInt8(ascii: ",")) }
        isFirst = false
        JSONWriter.append(value(of: row, number, slice.key), to: &bytes)
      }
    }
    bytes += Array("]}".utf8)
    w.data(id: "facts", json: bytes)
  }

  private var nights: JSONValue {
    .array(
      view.entries.enumerated().map { place, entry in
        guard let entry else { return .null }
        return .array([
          .string(view.names[place] ?? ""), .string(view.dates[place] ?? ""),
          view.history.linked.contains(entry.identity) ? .string("\(entry.run)") : .null,
        ])
      })
  }

  private var suites: JSONValue {
    .array(
      grid.suites.map { slice, _ in
        let key = slice.key
        let names: [JSONValue] = [view.name(key), key.suite, key.variant, key.backend].map {
          .string(VisibleText.line($0))
        }
        let since: JSONValue = view.worseSince(key).map { .string($0) } ?? .null
        return .array(names + [since])
      })
  }

  private func value(of row: GridRow, _ suite: Int, _ key: SliceKey) -> JSONValue {
    var members: JSONObject = [
      "s": Self.number(suite), "id": .string(VisibleText.line(row.id)),
      "at": .string(grid.address(row.id, in: key)), "k": .string(row.state.rawValue),
      "n": .array(Self.runs(row.cells).map(Self.number)),
    ]
    if !row.tags.isEmpty {
      members["t"] = .string(VisibleText.line(row.tags.joined(separator: " ")))
    }
    if let change = row.change {
      let counts = [change.before.hits, change.before.count, change.after.hits, change.after.count]
      members["c"] = .array(
        ([change.place] + counts + [change.end].compactMap { $0 }).map(Self.number))
    }
    results.add(key, row, to: &members)
    return .object(members)
  }

  /// The counts of successive nights, each with the number of nights in a row that have them.
  ///
  /// A night on which nothing was made has the counts 0 and 0.
  private static func runs(_ cells: [Share?]) -> [Int] {
    var runs: [Int] = []
    for cell in cells {
      let (hits, count) = (cell?.hits ?? 0, cell?.count ?? 0)
      if runs.count >= 3, runs[runs.count - 3] == hits, runs[runs.count - 2] == count {
        runs[runs.count - 1] += 1
      } else {
        runs += [hits, count, 1]
      }
    }
    return runs
  }

  private static func number(_ value: Int) -> JSONValue { .number(JSONNumber(value)) }
}
