import EvalRecords
import Foundation
import Testing

@testable import AssayCommandLine
@testable import EvalSessions

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
    var earlier = try BaselineFile(text: lab.text(file), path: file)
    earlier.run.details.measurementProtocol = nil
    try lab.write(earlier.text, to: file)
    let ending = await lab.assay("run", lab.path("quiz"), "-b", "stub")
    #expect(
      ending.notes.contains(
        "quiz can't be compared with its baseline, which was measured under protocol 1; this "
          + "run is under protocol \(MeasurementProtocol.current). "
          + "`assay baseline renew quiz --reports \(lab.reports)` runs"
      ), "\(ending.notes)")
    #expect(ending.status == .usage)
    #expect(ending.output.contains("assay baseline renew quiz"), "\(ending.output)")
    #expect(!ending.output.contains("baseline accept"), "\(ending.output)")
    let renewed = await lab.assay("baseline", "renew", "quiz", "--suites", lab.path("quiz"))
    #expect(renewed.status == .passed, "\(renewed.notes)")
    let again = await lab.assay("run", lab.path("quiz"), "-b", "stub")
    #expect(again.status == .passed)
    #expect(!again.notes.contains("can't be compared"), "\(again.notes)")
  }

  @Test("the baseline of one model is not forgotten when the protocol changes, and can be renewed")
  func baselineOfModel() async throws {
    let lab = try CommandLab()
    try QuizSuite(repeats: 1, passRate: 0).write(to: lab)
    let suite = [lab.path("quiz"), "-m", Checkout.model, "--reports", lab.reports]
    #expect(await lab.run(["run"] + suite).status == .passed)
    #expect(await lab.assay("baseline", "accept", "--by-model").status == .passed)
    let names = {
      try FileManager.default.contentsOfDirectory(atPath: lab.path("reports/baselines"))
    }
    let now = try #require(try names().first)
    let old = now.replacing("-p\(MeasurementProtocol.current).", with: "-p3.")
    var file = try BaselineFile(text: lab.text("reports/baselines/\(now)"), path: now)
    file.run.details.measurementProtocol = 3
    try lab.write(file.text, to: "reports/baselines/\(old)")
    try lab.remove("reports/baselines/\(now)")
    let ending = await lab.run(["run"] + suite)
    #expect(ending.status == .usage, "\(ending.output)")
    let command = "`assay baseline renew quiz --reports \(lab.reports)`"
    #expect(ending.notes.contains("\(command) runs"), "\(ending.notes)")
    let renewed = await lab.assay(
      "baseline", "renew", "--suites", lab.path("quiz"), "-m", Checkout.model)
    #expect(renewed.status == .passed, "\(renewed.notes)")
    #expect(try names() == [now])
    #expect(await lab.run(["run"] + suite).status == .passed)
  }
}
