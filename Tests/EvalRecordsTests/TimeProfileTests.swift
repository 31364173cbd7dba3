import EvalRecords
import Foundation
import Testing

@Suite("The time of a run's phases")
struct TimeProfileTests {
  private func profile(_ seconds: [TimeProfile.Phase: Double]) -> TimeProfile {
    var profile = TimeProfile()
    for (phase, time) in seconds { profile[phase] = time }
    return profile
  }

  @Test("two profiles are added phase by phase")
  func sums() {
    let sum = profile([.prompts: 1, .masks: 2]) + profile([.masks: 3, .storing: 4])
    #expect(sum == profile([.prompts: 1, .masks: 5, .storing: 4]))
    #expect(sum.total == 10)
    #expect(sum[.sampling] == 0)
  }

  @Test("a stored profile reads back unchanged, and the total includes phases of a newer version")
  func storage() throws {
    var stored = profile([.answers: 0.25])
    var widths = BatchWidths()
    widths.add(answers: 3, from: 0, to: 2)
    stored.widths = widths
    let data = try JSONEncoder().encode(stored)
    #expect(try JSONDecoder().decode(TimeProfile.self, from: data) == stored)
    let newer = Data(#"{"seconds": {"answers": 1, "dreaming": 2}}"#.utf8)
    #expect(try JSONDecoder().decode(TimeProfile.self, from: newer).total == 3)
  }
}

@Suite("The width of batches over time")
struct BatchWidthsTests {
  private func widths(_ steps: (answers: Int, start: Double, end: Double)...) -> BatchWidths {
    var widths = BatchWidths()
    for step in steps { widths.add(answers: step.answers, from: step.start, to: step.end) }
    return widths
  }

  private func area(_ widths: BatchWidths) -> Double { widths.load.reduce(0, +) }

  @Test(
    "a run of any length has at most 240 intervals, and their answer-seconds add up exactly",
    arguments: [0.001, 1, 59, 3_600, 1e6])
  func areaIsKept(length: Double) {
    let widths = widths((8, 0, length / 2), (2, length / 2, length))
    #expect(abs(area(widths) - 5 * length) < 1e-9 * length)
    #expect(widths.load.count <= 240)
    #expect(widths.duration >= length)
  }

  @Test("an interval's mean is the average number of answers in progress")
  func means() {
    let widths = widths((4, 0, 1), (2, 1, 1.5))
    let perSecond = Int(1 / widths.interval)
    #expect(widths.means.prefix(perSecond).allSatisfy { abs($0 - 4) < 1e-9 })
    #expect(widths.means.dropFirst(perSecond).allSatisfy { abs($0 - 2) < 1e-9 })
    #expect(widths.means.count == perSecond * 3 / 2)
  }

  @Test(
    "the batch widths of two workers add up; if a run resumes, new widths follow the old ones"
  )
  func sums() {
    // Three answers for one second and five for 100 seconds are 503 answer-seconds.
    let (short, long) = (widths((3, 0, 1)), widths((5, 0, 100)))
    for sum in [short + long, long + short] {
      #expect(abs(area(sum) - 503) < 1e-6)
      #expect(abs(sum.means[0] - (5 + 3 / sum.interval)) < 1 || sum.interval <= 1)
    }
    let both = short.followed(by: long)
    #expect(abs(area(both) - 503) < 1e-6)
    #expect(both.duration >= 101)
    #expect(both.load.count <= 240)
  }

  @Test(
    "an implausible stored record is read as an empty record",
    arguments: [
      #"{"interval": 0, "load": [1]}"#, #"{"interval": -1, "load": [1]}"#,
      #"{"interval": 1e300, "load": [1]}"#, #"{"interval": 1, "load": [-1]}"#,
      "{\"interval\": 1, \"load\": [\(Array(repeating: "1", count: 241).joined(separator: ","))]}",
    ])
  func hostileRecord(text: String) throws {
    let read = try JSONDecoder().decode(BatchWidths.self, from: Data(text.utf8))
    #expect(read == BatchWidths())
    #expect(area(read + widths((1, 0, 1))) == 1)
  }

  @Test("steps without answers or without a valid time span add nothing")
  func emptySteps() {
    #expect(
      widths((0, 0, 1), (1, 1, 1), (1, 2, 1), (1, 0, .infinity), (1, -1, 1)) == BatchWidths())
  }
}
