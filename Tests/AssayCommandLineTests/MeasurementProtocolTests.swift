import Foundation
import Testing

@testable import AssayCommandLine

@Suite("Runs under different measurement protocols")
struct MeasurementProtocolTests {
  @Test(
    "a run can't be compared with a baseline of another protocol; the warning names both protocols")
  func earlierProtocol() async throws {
    let lab = try CommandLab()
    try QuizSuite().write(to: lab)
    #expect(await lab.assay("run", lab.path("quiz"), "-b", "stub").status == .passed)
    #expect(await lab.assay("baseline", "accept").status == .passed)
    // An early version of Assay wrote baselines like this one, without a protocol.
    let file = "reports/baselines/quiz.jsonl"
    let text = try lab.text(file)
    let earlier = text.replacingOccurrences(
      of: "\"measurementProtocol\":3", with: "\"branch\":\"b\"")
    #expect(earlier != text)
    try lab.write(earlier, to: file)
    let ending = await lab.assay("run", lab.path("quiz"), "-b", "stub")
    #expect(
      ending.notes.contains(
        "quiz can't be compared with its baseline, which was measured under protocol 1; this "
          + "run is "
          + "under protocol 3. `assay baseline renew quiz` runs"), "\(ending.notes)")
    #expect(ending.status == .usage)
    let renewed = await lab.assay("baseline", "renew", "quiz", "--suites", lab.path("quiz"))
    #expect(renewed.status == .passed, "\(renewed.notes)")
    let again = await lab.assay("run", lab.path("quiz"), "-b", "stub")
    #expect(again.status == .passed)
    #expect(!again.notes.contains("can't be compared"), "\(again.notes)")
  }
}
