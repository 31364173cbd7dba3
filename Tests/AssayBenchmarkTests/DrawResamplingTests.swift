import Foundation
import Testing

@testable import assay_benchmark

/// Tests the rule on draws that were measured on a real model.
@Suite("Comparisons resampled from measured draws")
struct DrawResamplingTests {
  private static func draws(_ name: String) throws -> MeasuredDraws {
    let root = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let file = root.appendingPathComponent("scripts/measure/draws/\(name).json")
    return try JSONDecoder().decode(MeasuredDraws.self, from: Data(contentsOf: file))
  }

  /// One kind of comparison of a suite with a sentence, an enum and an array, and the number of
  /// alarms in 60 of them.
  struct Row: CustomTestStringConvertible {
    let file: String
    let edit: DrawResampling.Edit
    let repeats: Int
    let alarms: ClosedRange<Int>
    var testDescription: String { "\(file), \(edit), \(repeats) repeats" }
  }

  static let rows = ["sentence-enum-array", "messages"].flatMap { file in
    [
      Row(file: file, edit: .none, repeats: 1, alarms: 0...3),
      Row(file: file, edit: .none, repeats: 3, alarms: 0...3),
      Row(file: file, edit: .shift(0), repeats: 3, alarms: 0...3),
      Row(file: file, edit: .random(0.4), repeats: 3, alarms: 0...3),
      Row(file: file, edit: .shift(0.3), repeats: 3, alarms: 42...60),
    ]
  }

  @Test("runs of one suite hardly ever regress, and an edit is found", arguments: rows)
  func checkAlarms(_ row: Row) throws {
    let count = DrawResampling(draws: try Self.draws(row.file), variant: "plain").verdicts(
      after: row.edit, repeats: row.repeats, trials: 60)
    #expect(row.alarms.contains(count.regressed), "\(count)")
    #expect(count.regressedCounts <= count.regressed)
    #expect(count.trials == 60)
  }

  @Test("the measured draws of each variant have the same test cases and seeds")
  func format() throws {
    for name in ["flashcards", "sentence-enum-array", "messages"] {
      let draws = try Self.draws(name)
      for (variant, cases) in draws.variants {
        #expect(cases.count == draws.cases.count, "\(name):\(variant)")
        #expect(Set(cases.map(\.count)).count == 1, "\(name):\(variant)")
      }
      #expect(
        DrawResampling(draws: draws, variant: draws.variants.keys.sorted()[0]).mostRepeats >= 3)
    }
  }
}
