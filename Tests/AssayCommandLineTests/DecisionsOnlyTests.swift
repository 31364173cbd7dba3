import EvalFindings
import EvalRecords
import EvalReports
import Foundation
import ResultStore
import Testing

@testable import AssayCommandLine
@testable import EvalSessions

@Suite("compare --decisions-only")
struct DecisionsOnlyTests {
  private struct Output: Decodable {
    var comparisons: [ComparisonRecord]
    var attempts: Int
    var outputTokens: Int
    var exit: Int32
  }

  private func compare(
    _ suite: String, _ base: String, _ candidate: String, _ words: [String], in lab: CommandLab
  ) async -> CommandLab.Ending {
    await lab.run(
      [
        "compare", "\(suite):\(base)", "\(suite):\(candidate)", "--suites",
        Checkout.suites.appendingPathComponent(suite).path, "-m", Checkout.model, "--reports",
        lab.reports,
      ] + words)
  }

  @Test(
    "the rows of measured probabilities equal those of the whole comparison",
    arguments: [
      ("flashcards", "bounded", "naive", ["--case", "*o*"]),
      ("flashcards", "bounded", "enforced", ["--case", "*e*", "-r", "1"]),
      ("session-insight", "described", "no-out-branch", []),
      ("session-insight", "described", "bare", []),
    ] as [(String, String, String, [String])])
  func rows(suite: String, base: String, candidate: String, words: [String]) async throws {
    let lab = try CommandLab()
    let short = await compare(
      suite, base, candidate, words + ["--decisions-only", "--format", "json"], in: lab)
    let output = try JSONDecoder().decode(Output.self, from: Data(short.output.utf8))
    #expect(!lab.has("reports"), "nothing is stored")
    let whole = await compare(suite, base, candidate, words, in: lab)
    let store = try ResultStore(path: lab.database, access: .reading)
    let attempts = try store.attempts(run: 1)
    let record = try #require(
      try VariantComparisons.comparisons(of: store.run(1), attempts).first?.record,
      "\(whole.output)")
    func measured(_ record: ComparisonRecord) -> [Row] {
      record.effects.filter { $0.evidence == .measured }.map(Row.init)
        .sorted { "\($0.quantity)" < "\($1.quantity)" }
    }
    let rows = measured(record)
    #expect(!rows.isEmpty && measured(output.comparisons[0]) == rows)
    #expect(output.comparisons[0].effects.allSatisfy { $0.evidence == .measured })
    #expect(short.status.rawValue == output.exit)
    #expect(output.attempts == attempts.count)
    #expect(output.outputTokens < attempts.reduce(0) { $0 + $1.outputTokens })
  }

  /// The part of an effect that doesn't depend on the other tests of the comparison.
  private struct Row: Equatable {
    var quantity: Quantity
    var values: [Double]
    var counts: [Int]
    var verdict: ComparisonVerdict

    init(_ effect: EffectRecord) {
      quantity = effect.quantity
      values = [
        effect.baseline.value, effect.candidate.value, effect.change, effect.changeLow,
        effect.changeHigh, effect.pValue ?? -1,
      ]
      counts = [effect.baseline.count, effect.candidate.count]
      verdict = effect.verdict
    }
  }

  @Test("the table has no counts, and the last line says that nothing is stored")
  func table() async throws {
    let lab = try CommandLab()
    let ending = await compare(
      "session-insight", "described", "no-out-branch", ["--decisions-only"], in: lab)
    #expect(ending.status == .failed, "\(ending.output)\(ending.notes)")
    #expect(ending.output.contains("P(not unclear) at $"))
    #expect(ending.output.contains("▼ worse, by the measured probabilities alone"))
    #expect(ending.output.contains("nothing stored, exit 1"))
    for word in ["pass rate", "missed", "passing"] {
      #expect(!ending.output.contains(word) && !ending.notes.contains(word))
    }
    #expect(!ending.notes.contains(" not ok"), "attempts that stop early don't pass or fail")
  }

  @Test(
    "--decisions-only refuses what it can't do, in one sentence",
    arguments: [
      (["-b", "stub"], "needs a local model"), (["--reuse"], "can't be combined with"),
      (["--resume", "1"], "can't be combined with"), (["--cache"], "can't be combined with"),
      (["--stored"], "only applies to variants that are run now"),
    ] as [([String], String)])
  func refusals(words: [String], message: String) async throws {
    let lab = try CommandLab()
    let ending = await lab.run(
      [
        "compare", "session-insight:described", "session-insight:bare", "--suites",
        Checkout.suites.path, "--decisions-only", "--reports", lab.reports,
      ] + words)
    #expect(ending.status == .usage && ending.errors.count == 1, "\(ending.notes)")
    #expect(ending.errors.first?.contains(message) == true, "\(ending.errors)")
  }

  @Test("a suite without arrays and expected branches has nothing to measure")
  func nothing() async throws {
    let lab = try CommandLab()
    try lab.write(
      """
      suite: notes
      generates:
        inline:
          { title: Note, type: object, required: [text], additionalProperties: false,
            x-order: [text], properties: { text: { type: string } } }
      variants: [ { id: a }, { id: b, edits: [ { prompt: { text: "{{input}}!" } } ] } ]
      assertions: [ { nonEmpty: { path: $.text } } ]
      cases: [ { id: one, input: A text. } ]
      """, to: "notes/suite.yaml")
    let ending = await lab.run(
      [
        "compare", "notes:a", "notes:b", "--suites", lab.path("notes"), "-m", Checkout.model,
        "--decisions-only", "--reports", lab.reports,
      ])
    #expect(ending.status == .usage, "\(ending.notes)")
    #expect(ending.errors.first?.contains("no probability to compare") == true, "\(ending.notes)")
  }
}
