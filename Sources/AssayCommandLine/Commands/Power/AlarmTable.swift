import EvalReports
import EvalStatistics
import Foundation
import StructuredText

/// A simulation of how often the tests of a comparison report a regression.
struct AlarmTable {
  /// One kind of simulated comparison.
  private struct Row {
    let what: String
    let sample: String
    /// The bound that the rate should keep.
    let bound: String
    let rate: Double
  }

  private let rows: [Row]
  private let trials: Int
  private let alpha: Double

  init(cases: Int, trials: Int, alpha: Double) {
    self.trials = trials
    self.alpha = alpha
    let shifts = AlarmSimulation(cases: cases, trials: trials, alpha: alpha, seed: 1)
    let counts = CountingSimulation(cases: cases, repeats: 3, trials: trials, alpha: alpha, seed: 1)
    let one = "\(cases) × 1"
    let three = "\(cases) × 3"
    let quiet = "at most α"
    func shift(_ what: String, _ arm: AlarmSimulation.Arm, _ bound: String) -> [Row] {
      [
        Row(
          what: "\(what): test of P(empty)", sample: one, bound: bound,
          rate: shifts.alarmRate(arm)),
        Row(
          what: "\(what): whole comparison", sample: one, bound: bound,
          rate: shifts.gateRate(arm)),
      ]
    }
    rows =
      shift("identical guides", .identical, quiet)
      + shift("harmless rewording", .rewording, quiet)
      + shift("mean shift at the margin", .atMargin, quiet)
      + shift("planted bug, 1 in 15 more are empty", .planted, "at least 0.9")
      + [
        Row(
          what: "counting, nothing changed, equal seeds", sample: three, bound: quiet,
          rate: counts.nullRate(hasEqualSeeds: true)),
        Row(
          what: "counting, nothing changed, other seeds", sample: three, bound: quiet,
          rate: counts.nullRate(hasEqualSeeds: false)),
        Row(
          what: "counting, 1-in-15 bug against 1,000 clean runs", sample: "40 × 1",
          bound: "at least 0.9",
          rate: counts.pooledRate(failureRate: 1.0 / 15, runs: 40, history: 1_000)),
        Row(
          what: "counting, nothing changed, against 1,000 runs", sample: "40 × 1", bound: quiet,
          rate: counts.pooledRate(
            failureRate: 0.03, runs: 40, history: 1_000, historyRate: 0.03)),
      ]
  }

  /// The table as text.
  func text(style: TextStyle) -> String {
    var table = TextTable(columns: [
      ("comparison", .left), ("cases × repeats", .right), ("should be", .left), ("alarms", .right),
    ])
    for row in rows {
      table.rows.append(
        [row.what, row.sample, row.bound, String(format: "%.4f", row.rate)].map {
          TextTable.Cell($0)
        })
    }
    let head =
      "alarms of \(trials) simulated comparisons each, α \(alpha), one-sided, margin 0.01\n"
    return head + table.lines(style: style).map { $0 + "\n" }.joined()
  }

  /// The table as JSON.
  var json: String {
    JSONValue.array(
      rows.map {
        [
          "comparison": .string($0.what), "sample": .string($0.sample),
          "bound": .string($0.bound), "rate": .number(JSONNumber($0.rate)),
          "alpha": .number(JSONNumber(alpha)), "trials": .number(JSONNumber(trials)),
        ]
      }
    ).compactText
  }
}
