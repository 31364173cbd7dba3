import EvalStatistics
import Foundation

/// Resamples comparisons from measured draws, and prints how often they raise an alarm.
struct DrawsBenchmark {
  static let usage = "draws [--trials N] FILE…"

  private var trials = 1_000
  private var files: [String] = []

  init(_ arguments: [String]) throws {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      if argument == "--trials" {
        guard let number = rest.popFirst().flatMap({ Int($0) }), number > 0 else {
          throw BenchmarkError.usage(Self.usage)
        }
        trials = number
      } else {
        files.append(argument)
      }
    }
    guard !files.isEmpty else { throw BenchmarkError.usage(Self.usage) }
  }

  func run() throws {
    print("| suite | edit | repeats | regressed | improved | suspected |")
    print("|---|---|--:|--:|--:|--:|")
    for file in files {
      let draws = try JSONDecoder().decode(
        MeasuredDraws.self, from: Data(contentsOf: URL(fileURLWithPath: file)))
      let names = draws.variants.keys.sorted()
      for variant in names where draws.variants[variant]?.contains(where: \.isEmpty) == false {
        let resampling = DrawResampling(draws: draws, variant: variant)
        var edits: [(String, DrawResampling.Edit)] = [("none", .none)]
        for name in names where name != variant {
          edits.append(("to \(name), equal seeds", .variant(name, equalSeeds: true)))
          edits.append(("to \(name), other seeds", .variant(name, equalSeeds: false)))
        }
        if draws.branchPath != nil {
          edits.append(("P(wrong branch) + 0.3 in every second test case", .shift(0.3)))
        }
        for (name, edit) in edits {
          for repeats in [1, 2, 3, 5] where repeats <= resampling.mostRepeats {
            let count = resampling.verdicts(after: edit, repeats: repeats, trials: trials)
            func share(_ part: Int) -> String {
              String(format: "%.3f", Double(part) / Double(count.trials))
            }
            print(
              "| \(draws.title), \(variant) | \(name) | \(repeats) | \(share(count.regressed)) | "
                + "\(share(count.improved)) | \(share(count.suspected)) |")
          }
        }
      }
    }
  }
}
