import EvalRecords
import Foundation
import StructuredText
import Testing

@Suite("Records of comparisons")
struct ComparisonRecordTests {
  @Test(
    "a quantity is a flat object in JSON and survives a round trip",
    arguments: [
      (Quantity.passRate, #"{"kind":"passRate"}"#),
      (.emptyArray(path: "$.a"), #"{"kind":"emptyArray","path":"$.a"}"#),
      (.missingArray(path: "$.a"), #"{"kind":"missingArray","path":"$.a"}"#),
      (
        .shortArray(minimum: 3, path: "$.a"), #"{"kind":"shortArray","minimum":3,"path":"$.a"}"#
      ),
      (.wrongBranch(path: "$"), #"{"kind":"wrongBranch","path":"$"}"#),
      (
        .missedBranch("at $", path: "$"), #"{"branch":"at $","kind":"missedBranch","path":"$"}"#
      ),
      (
        .failedAssertion(name: "n", path: "$"),
        #"{"assertion":"n","kind":"failedAssertion","path":"$"}"#
      ),
    ])
  func quantities(quantity: Quantity, json: String) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let data = try encoder.encode(quantity)
    #expect(String(decoding: data, as: UTF8.self) == json)
    #expect(try JSONDecoder().decode(Quantity.self, from: data) == quantity)
  }

  @Test("a whole comparison survives a JSON round trip")
  func comparison() throws {
    let place = ComparedPlace(
      baseline: SliceKey(suite: "s", variant: "a", backend: "local"),
      candidate: SliceKey(suite: "s", variant: "b", backend: "local"), hasVariants: true)
    let estimate = EstimateRecord(value: 0.5, hits: 1, count: 2, low: 0.1, high: 0.9)
    let record = ComparisonRecord(
      baseline: SideRecord(suite: "s", variant: "a", run: 1, origin: "main"),
      candidate: SideRecord(suite: "s", variant: "b", run: 2), verdict: .inconclusive,
      differences: [
        ComparisonDifference(
          place: place,
          fact: .setting(name: .option(.topK), before: .none, after: .integer(4), cases: ["c"])),
        ComparisonDifference(
          fact: .setting(name: .option(.temperature), before: .number(0.7), after: .text("x"))),
        ComparisonDifference(fact: .nothingInCommon),
      ],
      effects: [
        EffectRecord(
          place: place, quantity: .missedBranch("b", path: "$"), evidence: .measured,
          reference: .pooledHistory, isGating: false, baseline: estimate, candidate: estimate,
          change: 0, changeLow: -0.5, changeHigh: 0.5, pValue: 0.5,
          method: EffectMethod(
            test: .signFlip(cases: 2, draws: nil, margin: 0.01), direction: .better,
            interval: .invertedPermutation, adjustment: .benjaminiHochberg(tests: 2)),
          verdict: .inconclusive,
          notes: [
            .undecided(until: .atMargin), .flips(toWorse: 1, toBetter: 0, pairs: 2),
            .history(
              summary: HistorySummary(
                attempts: 3, runs: 2, omissions: [.otherRequest(runs: [4])])),
          ])
      ], alpha: 0.05)
    let data = try JSONEncoder().encode(record)
    #expect(try JSONDecoder().decode(ComparisonRecord.self, from: data) == record)
  }

  @Test("two sides are variants of one run only if their variants differ")
  func sameRun() {
    func side(_ run: Int, _ variant: String, _ origin: String? = nil) -> SideRecord {
      SideRecord(suite: "s", variant: variant, run: run, origin: origin)
    }
    #expect(side(2, "a").isOfSameRun(as: side(2, "b")))
    // A baseline from another database may have the number of the run itself.
    #expect(!side(2, "a").isOfSameRun(as: side(2, "a")))
    #expect(!side(1, "a").isOfSameRun(as: side(2, "b")))
    #expect(!side(2, "a", "main").isOfSameRun(as: side(2, "b")))
  }
}
