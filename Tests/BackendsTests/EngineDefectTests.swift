import ConstrainedDecoding
import EvalRecords
import Testing

@testable import Backends

@Suite("Defects of the engine")
struct EngineDefectTests {
  static let errors: [(error: DecodingError, kind: AttemptFailure.Kind)] = [
    (.defect(.deadEnd, path: "$.a"), .defect), (.defect(.misfit(7), path: "$"), .defect),
    (.vocabularyTooPoor(path: "$"), .backend), (.noFiniteLogit(path: "$"), .backend),
    (.limit(.keys(4096), path: "$"), .backend),
  ]

  @Test("only an engine that contradicts itself is a defect of Assay", arguments: errors)
  func checkKind(_ row: (error: DecodingError, kind: AttemptFailure.Kind)) {
    let failure = AttemptFailure(stoppedBy: row.error)
    #expect(failure.kind == row.kind)
    #expect(
      failure.message.hasSuffix("this is a defect of Assay, please report it")
        == (row.kind == .defect))
  }
}
