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
          + "run is under protocol \(MeasurementProtocol.current). `assay baseline renew quiz` runs"
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
}
