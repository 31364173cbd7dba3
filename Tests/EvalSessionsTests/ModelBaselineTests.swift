import EvalFindings
import EvalRecords
import EvalReports
import EvalSessions
import Foundation
import TestSupport
import Testing

@Suite("Baselines for one model")
struct ModelBaselineTests {
  private static let small = String(repeating: "ab12", count: 16)
  private static let large = String(repeating: "cd34", count: 16)

  /// Returns a run of two suites on the stub and on one or more models.
  private static func run(
    _ id: Int, digest: String?, under version: Int? = 2, more: [String] = []
  ) -> RunRecord {
    var details = RunDetails()
    details.measurementProtocol = version
    let digests = [nil, digest] + more.map(Optional.some)
    return RunRecord(
      id: id, label: "", startedAt: "", status: .complete, toolVersion: "0",
      backends: digests.enumerated().map { index, digest in
        BackendRecord(
          id: "b\(index)", model: "m", modelDigest: digest, engine: "e", isDeterministic: true)
      },
      suites: ["cards", "cards-2"].map {
        SuiteRecord(
          id: $0, title: $0, guards: "", file: "", schemaName: "C", variants: [], cases: [],
          repeats: 1, seed: 1, options: GenerationSettings(), gate: GateRecord())
      }, details: details)
  }

  @Test(
    "only a run of one model has a key, which consists of the model's digest and the protocol")
  func key() {
    let rows: [(run: RunRecord, key: String?)] = [
      (Self.run(1, digest: Self.small), "ab12ab12ab12-p2"),
      (Self.run(1, digest: Self.small, under: nil), "ab12ab12ab12-p1"),
      (Self.run(1, digest: Self.small, more: [Self.small]), "ab12ab12ab12-p2"),
      (Self.run(1, digest: nil), nil),
      (Self.run(1, digest: Self.small, more: [Self.large]), nil),
      (Self.run(1, digest: "../../etc/passwd"), nil),
      (Self.run(1, digest: "ab"), nil),
    ]
    for (run, key) in rows { #expect(BaselineFile.modelKey(of: run) == key) }
  }

  @Test(
    "the reference is the baseline for the run's model and protocol, or else the general baseline")
  func matching() throws {
    let folder = try TemporaryFolder()
    try folder.write("", to: "baselines/.keep")
    func write(_ suite: String, _ run: RunRecord, isKeyed: Bool) throws {
      let file = BaselineFile(
        suite: suite, run: run, attempts: [], reason: "r", acceptedAt: "2026-01-01T00:00:00Z")
      let key = try #require(BaselineFile.modelKey(of: run))
      let path =
        isKeyed
        ? BaselineFile.path(ofSuite: suite, forModel: key, in: folder.path)
        : BaselineFile.path(ofSuite: suite, in: folder.path)
      try Data(file.text.utf8).write(to: URL(fileURLWithPath: path))
    }
    func chosen(_ suite: String, for run: RunRecord) throws -> Int? {
      let all = try SuiteBaseline.all(acceptedFor: suite, in: folder.path)
      return all.matching(run).first?.run.id
    }
    try write("cards", Self.run(1, digest: Self.small), isKeyed: true)
    try write("cards", Self.run(2, digest: Self.small, under: 1), isKeyed: true)
    try write("cards-2", Self.run(3, digest: Self.large), isKeyed: true)
    #expect(try chosen("cards", for: Self.run(9, digest: Self.small)) == 1)
    #expect(try chosen("cards", for: Self.run(9, digest: Self.small, under: nil)) == 2)
    // After an update of Assay, a run must not pass as if there were no baseline.
    #expect(try chosen("cards", for: Self.run(9, digest: Self.small, under: 7)) == 1)
    #expect(try chosen("cards", for: Self.run(9, digest: Self.large)) == nil)
    #expect(try chosen("cards", for: Self.run(9, digest: nil)) == nil)
    #expect(try chosen("cards-2", for: Self.run(9, digest: Self.large)) == 3)
    func vanished(_ suites: String...) -> [String] {
      VanishedSuites(
        from: suites.map {
          SuiteRecord(
            id: $0, title: "", guards: "", file: "", schemaName: "", variants: [], cases: [],
            repeats: 1, seed: 1, options: GenerationSettings(), gate: GateRecord())
        },
        at: [], in: folder.path
      ).ids(in: folder.path) { [] }
    }
    #expect(vanished("cards", "cards-2") == [])
    #expect(vanished("cards") == ["cards-2"], "the key is not part of the suite's name")
    try write("cards", Self.run(4, digest: Self.large), isKeyed: false)
    #expect(try chosen("cards", for: Self.run(9, digest: Self.small)) == 1)
    #expect(try chosen("cards", for: Self.run(9, digest: nil)) == 4)
  }

  @Test("if the baseline is for one model, the run's other backends don't count as differences")
  func otherBackends() throws {
    func backend(_ id: String, digest: String? = nil) -> BackendRecord {
      BackendRecord(id: id, model: id, modelDigest: digest, engine: "e", isDeterministic: true)
    }
    func run(_ id: Int, _ backends: [BackendRecord]) -> (run: RunRecord, attempts: [AttemptRecord])
    {
      let suite = SuiteRecord(
        id: "cards", title: "", guards: "", file: "", schemaName: "C",
        variants: [
          VariantRecord(
            id: "default", title: "", schema: "{}", instructions: nil, promptTemplate: "", edits: []
          )
        ],
        cases: [CaseRecord(id: "one")], repeats: 1, seed: 1, options: GenerationSettings(),
        gate: GateRecord())
      let attempts = backends.map {
        AttemptRecord(
          key: AttemptKey(
            suite: "cards", variant: "default", backend: $0.id, caseID: "one", repeatIndex: 0),
          seed: 1, outcome: .pass, stopReason: .complete, output: "{}")
      }
      return (
        RunRecord(
          id: id, label: "", startedAt: "", status: .complete, toolVersion: "0",
          backends: backends, suites: [suite]), attempts
      )
    }
    let model = backend("local", digest: Self.small)
    let accepted = run(1, [model])
    let tonight = run(2, [model, backend("stub")])
    var baseline = SuiteBaseline(suite: "cards", run: accepted.run, attempts: accepted.attempts)
    for key in [nil, "ab12ab12ab12-p2"] {
      baseline.modelKey = key
      let comparison = try baseline.compare(with: tonight.run, tonight.attempts, pooling: nil)
      #expect(comparison.record.verdict == .ok)
      #expect(comparison.record.differences.isEmpty == (key != nil))
    }
  }
}
