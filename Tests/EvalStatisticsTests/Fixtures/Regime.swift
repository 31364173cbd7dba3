import EvalRecords
import StructuredText

/// A way in which answers come about.
struct Regime: Sendable, CustomStringConvertible {
  var description: String
  var settings = GenerationSettings()
  var own: GenerationSettings?
  var edit = SettingsEdit()
  var backend = BackendRecord(
    id: "local", model: "toy", modelDigest: "abc", engine: "assay 0.1.0", isDeterministic: true)
  var stub: StubScript?

  static let server = BackendRecord(
    id: "local", model: "m", engine: "chat completions", isDeterministic: false)

  /// The regimes in which nothing is sampled.
  static let fixed: [Regime] =
    [
      Regime("greedy") { $0.settings.isGreedy = true },
      Regime("temperature 0") { $0.settings.temperature = 0 },
      Regime("topK 1") { $0.settings.topK = 1 },
      Regime("minP 1") { $0.settings.minP = 1 },
      Regime("topP 1e-6") { $0.settings.topP = 1e-6 },
      Regime("the variant is greedy, and the test cases aren't") {
        $0.own = GenerationSettings(temperature: 0.8)
        $0.edit.isGreedy = true
      },
      Regime("the test cases are greedy, and the suite isn't") {
        $0.own = GenerationSettings(isGreedy: true)
      },
      Regime("a fixed stub") {
        $0.backend = .stub(id: "local")
        $0.stub = StubScript(choice: .sequence, entries: [.init(content: 1)])
      },
      Regime("a server at temperature 0") {
        $0.settings.temperature = 0
        $0.backend = server
      },
    ]

  /// The regimes in which answers are sampled.
  static let sampling: [Regime] =
    [
      Regime("temperature 0.7") { $0.settings.temperature = 0.7 },
      Regime("topK 2") { $0.settings.topK = 2 },
      Regime("minP 0.99") { $0.settings.minP = 0.99 },
      Regime("topP 0.01") { $0.settings.topP = 0.01 },
      Regime("the variant is random, and the suite is greedy") {
        $0.settings.isGreedy = true
        $0.edit.isGreedy = false
      },
      Regime("the test cases are random, and the suite is greedy") {
        $0.settings.isGreedy = true
        $0.own = GenerationSettings(temperature: 0.8)
      },
      Regime("a weighted stub, whose suite is greedy") {
        $0.settings.isGreedy = true
        $0.backend = .stub(id: "local")
        $0.stub = StubScript(
          choice: .weighted, entries: [.init(content: 1), .init(content: 2)])
      },
      Regime("a server at temperature 0.7") { $0.backend = server },
    ]

  init(_ description: String, _ change: (inout Regime) -> Void) {
    self.description = description
    change(&self)
  }

  /// Returns a run in this regime.
  ///
  /// - Parameters:
  ///   - id: The run's number, which also decides about the seeds.
  ///   - cases: The number of test cases.
  ///   - repeats: The number of repeats.
  ///   - answer: Returns the answer to a test case in a repeat.
  func run(
    _ id: Int, cases: Int, repeats: Int, fingerprint: String = "asked",
    _ answer: @escaping (_ caseIndex: Int, _ repeatIndex: Int) -> RunBuilder.Answer
  ) -> RunBuilder {
    var builder = RunBuilder(
      id: id, cases: cases, repeats: repeats, seed: UInt64(id) * 1_000, backend: backend,
      options: settings, ownOptions: own, edit: edit, stub: stub, minimums: [:])
    builder.fingerprint = fingerprint
    builder.answer = answer
    return builder
  }
}
