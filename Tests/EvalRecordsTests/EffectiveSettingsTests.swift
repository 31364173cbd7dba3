import EvalRecords
import StructuredText
import Testing

@Suite("Effective settings")
struct EffectiveSettingsTests {
  private func settings() -> EffectiveSettings {
    var own = CaseSettings()
    own.options = GenerationSettings(temperature: 0.2, topK: 7)
    var edit = SettingsEdit()
    edit.topK = 5
    return EffectiveSettings(
      GenerationSettings(temperature: 0.9), cases: ["a": own, "b": own],
      variants: [
        EffectiveSettings.Variant(id: "plain"),
        EffectiveSettings.Variant(id: "edited", edit: edit),
      ])
  }

  @Test(
    "a variant's options win over a test case's, and a test case's win over the suite's",
    arguments: [
      ("plain", "a", 0.2, 7), ("plain", "c", 0.9, 0), ("edited", "a", 0.2, 5),
      ("edited", "c", 0.9, 5),
    ])
  func precedence(variant: String, caseID: String, temperature: Double, topK: Int) {
    let settings = settings().settings(of: caseID, in: variant)
    #expect(settings.temperature == temperature)
    #expect(settings.topK == topK)
  }

  @Test("in a variant with a stub of its own, the test cases' scripts decide nothing")
  func variantStub() {
    func script(_ contents: Int...) -> StubScript {
      StubScript(
        choice: .weighted,
        entries: contents.map { .init(content: JSONValue.number(JSONNumber($0))) })
    }
    let settings = EffectiveSettings(
      GenerationSettings(),
      variants: [
        EffectiveSettings.Variant(id: "plain"),
        EffectiveSettings.Variant(id: "fixed", stub: script(1, 1)),
        EffectiveSettings.Variant(id: "varying", stub: script(1, 2)),
      ], casesWithVaryingStub: ["a"])
    for (variant, ofA, ofB) in [
      ("plain", false, true), ("fixed", true, true), ("varying", false, false),
    ] {
      let sampling = SliceSampling(
        settings, variant: variant, isStub: true, honoursSeeds: true)
      #expect(sampling.samplesNothing(in: "a") == ofA, "\(variant)")
      #expect(sampling.samplesNothing(in: "b") == ofB, "\(variant)")
    }
  }

  @Test("renamed test cases keep their settings")
  func renamed() {
    var settings = settings()
    settings.renameCases(["a": "z"])
    #expect(settings.settings(of: "z", in: "edited").temperature == 0.2)
    #expect(settings.settings(of: "a", in: "edited").temperature == 0.9)
  }

  @Test(
    "settings that leave one token at each step sample nothing",
    arguments: [
      (GenerationSettings(isGreedy: true), true), (GenerationSettings(temperature: 0), true),
      (GenerationSettings(topK: 1), true), (GenerationSettings(minP: 1), true),
      (GenerationSettings(topP: 1e-6), true), (GenerationSettings(topP: 0), true),
      (GenerationSettings(), false), (GenerationSettings(temperature: 0.01), false),
      (GenerationSettings(topK: 2), false), (GenerationSettings(topK: 0), false),
      (GenerationSettings(minP: 0.99), false), (GenerationSettings(topP: 1e-3), false),
    ])
  func nothing(settings: GenerationSettings, expected: Bool) {
    #expect(settings.samplesNothing == expected)
  }

  @Test(
    "a stub's answer is fixed if all its possible entries are equal",
    arguments: [
      (StubScript(choice: .sequence, entries: [.init(content: 1)]), true),
      (StubScript(choice: .sequence, entries: [.init(content: 1), .init(content: 1)]), true),
      (StubScript(choice: .sequence, entries: [.init(content: 1), .init(content: 2)]), false),
      (
        StubScript(
          choice: .weighted, entries: [.init(weight: 9, content: 1), .init(content: 2)]), false
      ),
      (
        StubScript(
          choice: .weighted, entries: [.init(content: 1), .init(weight: 0, content: 2)]), true
      ),
    ])
  func stub(script: StubScript, expected: Bool) { #expect(script.isFixed == expected) }
}
