import EvalRecords
import Testing

@testable import EvalStatistics

@Suite("A served model that changes by itself")
struct ServedChangeTests {
  /// Returns a side whose server named a model and a build.
  private func side(
    _ id: Int, model: String, build: String = "", engine: String = "served, openai-api",
    fails: Bool = false
  ) -> ComparisonSide {
    var builder = RunBuilder(id: id)
    builder.backend.model = "gpt-5"
    builder.backend.modelDigest = nil
    builder.backend.engine = engine
    if fails { builder.answer = { _, _ in RunBuilder.Answer(outcome: .fail, output: "{}") } }
    var side = builder.side()
    var use = ServedUse(address: "http://127.0.0.1")
    use.models = [model: 20]
    if !build.isEmpty { use.fingerprints = [build: 20] }
    side.run.details.served = [builder.backend.id: use]
    return side
  }

  @Test(
    "a new version of the same model is named and compared; another model is not comparable",
    arguments: [
      ("gpt-5", "gpt-5", nil, true), ("gpt-5-2026-01-31", "gpt-5-2026-09-01", "served", true),
      ("gpt-5", "gpt-5.1", "served", true), ("gpt-5", "gpt-5-mini", "setting", false),
      ("qwen-1.5b.gguf", "qwen-0.5b.gguf", "setting", false),
    ] as [(String, String, String?, Bool)])
  func models(before: String, after: String, fact: String?, isCompared: Bool) {
    for fails in [false, true] {
      let record = Comparison.compare(
        baseline: side(1, model: before), candidate: side(2, model: after, fails: fails))
      let expected: ComparisonVerdict = !isCompared ? .notComparable : fails ? .regressed : .ok
      #expect(record.verdict == expected, "\(before) → \(after)")
      let facts = record.differences.map(\.fact)
      #expect(
        facts
          == (fact == "served"
            ? [.servedChange(part: .model, before: before, after: after)]
            : fact == nil
              ? []
              : [.setting(name: .servedModel, before: .text(before), after: .text(after))]))
    }
  }

  @Test("a server's new build and a provider's new engine are named and compared")
  func builds() {
    let build = Comparison.compare(
      baseline: side(1, model: "gpt-5", build: "fp_1"),
      candidate: side(2, model: "gpt-5", build: "fp_2"))
    #expect(build.verdict == .ok)
    #expect(
      build.differences.map(\.fact) == [.servedChange(part: .build, before: "fp_1", after: "fp_2")])
    let system = Comparison.compare(
      baseline: side(1, model: "gpt-5", engine: "macOS 26.1"),
      candidate: side(2, model: "gpt-5", engine: "macOS 26.2"))
    #expect(system.verdict == .ok)
    #expect(
      system.differences.map(\.fact)
        == [.servedChange(part: .engine, before: "macOS 26.1", after: "macOS 26.2")])
    // The control: the engine of Assay itself.
    let own = Comparison.compare(
      baseline: side(1, model: "gpt-5", engine: "assay 0.1.0"),
      candidate: side(2, model: "gpt-5", engine: "assay 0.2.0"))
    #expect(own.verdict == .notComparable)
  }
}
