import Dispatch
import EvalReports
import EvalStatistics
import StructuredText
import Synchronization
import SystemBasics

/// The tables of `assay power --simulate`: how often simulated comparisons and nights report a
/// regression, and how often intervals cover the true rate.
struct AlarmTable {
  /// A column of a table: its heading and its key in JSON.
  struct Column {
    let key: String
    let heading: String
    /// Whether the column contains rates, which are numbers in JSON.
    let isNumber: Bool

    static func text(_ key: String, _ heading: String? = nil) -> Column {
      Column(key: key, heading: heading ?? key, isNumber: false)
    }

    static func number(_ key: String, _ heading: String? = nil) -> Column {
      Column(key: key, heading: heading ?? key, isNumber: true)
    }
  }

  /// A cell of a table.
  enum Cell: Sendable {
    case text(String)
    case number(Double, digits: Int)

    static func rate(_ value: Double) -> Cell { .number(value, digits: 4) }

    var words: String {
      switch self {
      case .text(let text): text
      case .number(let value, let digits): value.text(decimals: digits)
      }
    }

    var json: JSONValue {
      switch self {
      case .text(let text): .string(text)
      case .number(let value, _): .number(JSONNumber(value))
      }
    }
  }

  /// One table.
  struct Section {
    let id: String
    let title: String
    /// The number of simulations behind a rate; some rows have more or fewer, as the documentation
    /// says.
    let trials: Int
    let columns: [Column]
    let rows: [[Cell]]
  }

  private let sections: [Section]
  private let trials: Int
  private let alpha: Double

  /// Creates the tables by running the simulations.
  ///
  /// - Parameters:
  ///   - cases: The number of test cases in a simulated suite; suites of a night have half as many
  ///     again.
  ///   - trials: The number of simulated comparisons of each kind. Slower simulations make fewer
  ///     trials: unchanged nights with the rates of real models make three quarters of them,
  ///     comparisons by counting a half, other unchanged nights four tenths, intervals and the
  ///     shares of comparisons without a regression a quarter, and months from a fifth down to a
  ///     fiftieth. Nights with a change and trends make a tenth. With fewer than 20 trials, there is no table
  ///     of months.
  ///   - alpha: The significance level.
  init(cases: Int, trials: Int, alpha: Double) {
    self.trials = trials
    self.alpha = alpha
    sections =
      [
        Self.comparisons(cases, trials, alpha),
        Self.nights(cases * 3 / 2, max(1, trials / 10), alpha),
        Self.models(cases, max(1, trials * 3 / 4), alpha),
        Self.equivalence(max(1, trials / 4), alpha),
      ] + (trials < 20 ? [] : [Self.months(cases, trials / 20, alpha)])
      + [Self.trends(max(1, trials / 10)), Self.intervals(trials)]
  }

  /// Computes rows on all processor cores.
  ///
  /// Each row has its own seeds, so the result doesn't depend on the order of the work.
  static func rows(_ jobs: [@Sendable () -> [Cell]]) -> [[Cell]] {
    let results = Mutex<[Int: [Cell]]>([:])
    DispatchQueue.concurrentPerform(iterations: jobs.count) { index in
      let row = jobs[index]()
      results.withLock { $0[index] = row }
    }
    return results.withLock { rows in jobs.indices.compactMap { rows[$0] } }
  }

  /// Returns the tables as text.
  func text(style: TextStyle) -> String {
    let head =
      "alarm rates in \(trials) simulated comparisons each (some rates use fewer or more), "
      + "α \(alpha), one-sided, margin 0.01\n"
    return head
      + sections.map { section in
        var table = TextTable(
          columns: section.columns.map { ($0.heading, $0.isNumber ? .right : .left) })
        table.rows = section.rows.map { $0.map { TextTable.Cell($0.words) } }
        return "\n\(section.title) (\(section.trials) simulations)\n"
          + table.lines(style: style).map { $0 + "\n" }.joined()
      }.joined()
  }

  /// The tables as JSON.
  var json: String {
    JSONValue.object([
      "alpha": .number(JSONNumber(alpha)), "trials": .number(JSONNumber(trials)),
      "tables": .array(
        sections.map { section in
          .object([
            "id": .string(section.id), "title": .string(section.title),
            "trials": .number(JSONNumber(section.trials)),
            "columns": .array(
              section.columns.map {
                .object(["key": .string($0.key), "heading": .string($0.heading)])
              }),
            "rows": .array(
              section.rows.map { row in
                .object(
                  JSONObject(
                    zip(section.columns, row).map { ($0.key, $1.json) }))
              }),
          ])
        }),
    ]).compactText
  }
}
