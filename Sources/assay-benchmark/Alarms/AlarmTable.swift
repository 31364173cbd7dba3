import Dispatch
import Foundation
import Synchronization

/// Tables of how often simulated comparisons and nights report a regression, and how often
/// intervals cover the true rate.
struct AlarmTable {
  static let usage = "alarms [--trials N] [--table NAME] [--out FOLDER]"

  /// A cell of a table.
  enum Cell: Sendable {
    case text(String)
    case number(Double, digits: Int)

    static func rate(_ value: Double) -> Cell { .number(value, digits: 4) }

    var words: String {
      switch self {
      case .text(let text): text
      case .number(let value, let digits): String(format: "%.\(digits)f", value)
      }
    }
  }

  /// One table.
  struct Section {
    /// The name of the file.
    let id: String
    let title: String
    /// The number of simulations behind a rate; some rows have more or fewer, as the documentation
    /// says.
    let trials: Int
    let columns: [String]
    let rows: [[Cell]]

    /// The table as comma-separated values.
    var csv: String {
      let lines =
        [columns + ["simulations"]] + rows.map { $0.map(\.words) + ["\(trials)"] }
      return lines.map { line in
        let fields = line.map { $0.contains(",") ? "\"\($0)\"" : $0 }
        return fields.joined(separator: ",") + "\n"
      }.joined()
    }
  }

  /// The number of simulated comparisons of each kind.
  ///
  /// Slower simulations make fewer trials: unchanged nights with the rates of real models make
  /// three quarters of them, comparisons by counting a half, other unchanged nights four tenths,
  /// intervals and the shares of comparisons without a regression a quarter, and months from a
  /// fifth down to a fiftieth. Nights with a change and trends make a tenth. With fewer than 20
  /// trials, there is no table of months.
  private var trials = 1_000
  /// The only table to make, or `nil` to make all.
  private var only: String?
  /// The folder for the tables, or `nil` to print them.
  private var out: String?

  init(_ arguments: [String]) throws {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      switch (argument, rest.popFirst()) {
      case ("--trials", let value?) where Int(value).map { $0 > 0 } == true:
        trials = Int(value) ?? trials
      case ("--table", let name?) where Self.names.contains(name): only = name
      case ("--out", let folder?): out = folder
      default: throw BenchmarkError.usage(Self.usage)
      }
    }
  }

  /// The ids of the tables, in order.
  private static let names = [
    "comparisons", "nights", "models", "equivalence", "months", "trends", "intervals",
  ]

  /// Runs the simulations, and prints or writes the tables.
  ///
  /// A simulated suite has 20 test cases; suites of a night have half as many again.
  func run() throws {
    let (cases, alpha) = (20, 0.05)
    let tables: [() -> Section] = [
      { Self.comparisons(cases, trials, alpha) },
      { Self.nights(cases * 3 / 2, max(1, trials / 10), alpha) },
      { Self.models(cases, max(1, trials * 3 / 4), alpha) },
      { Self.equivalence(max(1, trials / 4), alpha) },
      { Self.months(cases, trials / 20, alpha) },
      { Self.trends(max(1, trials / 10)) }, { Self.intervals(trials) },
    ]
    for (name, table) in zip(Self.names, tables) where trials >= 20 || name != "months" {
      guard only == nil || only == name else { continue }
      let table = table()
      if let out {
        let file = URL(fileURLWithPath: out).appendingPathComponent(table.id + ".csv")
        try table.csv.write(to: file, atomically: true, encoding: .utf8)
      } else {
        print("\(table.title), one-sided α \(alpha)\n\(table.csv)")
      }
    }
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
}
