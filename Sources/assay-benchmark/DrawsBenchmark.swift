import EvalStatistics
import Foundation

/// Resamples comparisons from measured draws, and prints how often they raise an alarm.
struct DrawsBenchmark {
  static let usage = "draws [--trials N] [--alpha P] FILE…"

  private var trials = 1_000
  private var alpha = 0.05
  private var files: [String] = []

  init(_ arguments: [String]) throws {
    var rest = arguments[...]
    func number<Value: LosslessStringConvertible & Comparable & ExpressibleByIntegerLiteral>()
      throws -> Value
    {
      guard let value = rest.popFirst().flatMap({ Value($0) }), value > 0 else {
        throw BenchmarkError.usage(Self.usage)
      }
      return value
    }
    while let argument = rest.popFirst() {
      switch argument {
      case "--trials": trials = try number()
      case "--alpha": alpha = try number()
      default: files.append(argument)
      }
    }
    guard !files.isEmpty, alpha < 1 else { throw BenchmarkError.usage(Self.usage) }
  }

  func run() throws {
    print("| suite | edit | repeats | regressed | by a count | improved | suspected |")
    print("|---|---|--:|--:|--:|--:|--:|")
    for file in files {
      let draws = try JSONDecoder().decode(
        MeasuredDraws.self, from: Data(contentsOf: URL(fileURLWithPath: file)))
      let names = draws.variants.keys.sorted()
      guard let variant = names.first else { continue }
      let resampling = DrawResampling(draws: draws, variant: variant)
      var edits: [(String, DrawResampling.Edit)] = [("none", .none)]
      for name in names.dropFirst() {
        edits.append(("to \(name), equal seeds", .variant(name, equalSeeds: true)))
        edits.append(("to \(name), other seeds", .variant(name, equalSeeds: false)))
      }
      if draws.branchPath != nil {
        edits.append(("P(wrong branch) + 0.3 in every second test case", .shift(0.3)))
        edits.append(("log odds change at random, standard deviation 1", .random(1)))
      }
      for (name, edit) in edits {
        for repeats in [1, 2, 3, 5] where repeats <= resampling.mostRepeats {
          let count = resampling.verdicts(
            after: edit, repeats: repeats, trials: trials, alpha: alpha)
          let shares = [
            count.regressed, count.regressedCounts, count.improved, count.suspected,
          ].map { String(format: "%.3f", Double($0) / Double(count.trials)) }
          print(
            "| \(draws.title) | \(name) | \(repeats) | \(shares.joined(separator: " | ")) |")
        }
      }
    }
  }
}
