import EvalRecords
import StructuredText
import Testing

@Suite("The differences between two records of a suite")
struct SuiteDifferenceTests {
  private func suite(
    _ digests: [String: String]?, text: String = "is ok: as expected",
    _ change: (inout SuiteRecord) -> Void = { _ in }
  ) -> SuiteRecord {
    var suite = SuiteRecord(
      id: "quiz", title: "Quiz", guards: "", file: "quiz/suite.yaml", schemaName: "Quiz",
      variants: [],
      cases: ["a", "b"].map {
        CaseRecord(
          id: $0, title: $0, tags: [], variables: .null, expectedBranches: [], assertions: [text])
      }, repeats: 1, seed: 1, options: GenerationSettings(), gate: GateRecord())
    suite.details.assertions = digests.map { digests in
      AssertionIdentities(
        shared: [],
        own: ["a", "b"].map { id in
          (id, [AssertionIdentity(name: "is ok", digest: digests[id] ?? "1")])
        })
    }
    change(&suite)
    return suite
  }

  @Test("an edited assertion is named, although its text is the same")
  func digests() {
    #expect(suite([:]).differences(to: suite([:])) == [])
    #expect(
      suite([:]).differences(to: suite(["b": "2"])) == [
        "different assertion `is ok` in test case b"
      ])
    #expect(
      suite([:]).differences(to: suite(["a": "2", "b": "2"])) == [
        "different assertion `is ok` in test cases a, b"
      ])
  }

  @Test("without digests on one side, the texts decide")
  func texts() {
    for digests in [nil, [:]] as [[String: String]?] {
      #expect(suite(nil).differences(to: suite(digests)) == [])
      #expect(suite(digests).differences(to: suite(nil)) == [])
      #expect(
        suite(digests).differences(to: suite(nil, text: "x")).first
          == "different assertion `is ok: as expected` in test cases a, b")
    }
  }

  @Test("an edited metric is named")
  func metrics() {
    func metric(_ maximum: Double) -> SuiteRecord {
      suite([:]) {
        $0.details.metrics = [
          MetricRecord(name: "length", words: "the number at $.x", maximum: maximum)
        ]
      }
    }
    #expect(metric(1).differences(to: metric(1)) == [])
    #expect(
      metric(1).differences(to: metric(2)) == [
        "metric length length: the number at $.x, at most 1.0 → "
          + "length: the number at $.x, at most 2.0"
      ])
  }
}
