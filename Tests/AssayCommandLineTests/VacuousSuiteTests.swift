import Foundation
import Testing

@testable import AssayCommandLine

/// Tests suites whose only assertion may have nothing to check.
@Suite("Vacuous verdicts alone are never a pass")
struct VacuousSuiteTests {
  /// An assertion on every tag of an answer, which is vacuous if there are no tags.
  private static let every = "{ matches: { path: '$.tags[*]', pattern: '[a-z]+' } }"
  private static let none = "{ not: { contains: { path: '$.tags[*]', text: TODO } } }"
  private static let filled = "{ nonEmpty: { path: $.tags } }"

  /// Writes a suite of 20 test cases, the first of which have answers without tags.
  private static func write(to lab: CommandLab, empty: Int, _ assertion: String) throws {
    let cases = (0..<20).map { index in
      "  - { id: c\(index), input: \"Text \(index).\", "
        + "stub: { content: { tags: [\(index < empty ? "" : "sea")] } } }"
    }
    try lab.write(
      """
      suite: tags
      generates:
        inline: { title: Tags, type: object, properties: { tags: { type: array, items: \
      { type: string } } }, required: [tags], additionalProperties: false }
      options: { sampling: greedy }
      gate: { passRate: 0.5 }
      assertions:
        - \(assertion)
      cases:
      \(cases.joined(separator: "\n"))

      """, to: "tags/suite.yaml")
  }

  private func run(_ lab: CommandLab) async -> CommandLab.Ending {
    await lab.run(["run", lab.path("tags"), "-b", "stub", "--reports", lab.reports])
  }

  @Test(
    "an attempt with only vacuous verdicts fails, and the report says that nothing was checked",
    arguments: [(every, 20, 0), (every, 11, 9), (every, 0, 20), (none, 20, 0), (none, 0, 20)])
  func checkAttempts(assertion: String, empty: Int, passing: Int) async throws {
    let lab = try CommandLab()
    try Self.write(to: lab, empty: empty, assertion)
    let ending = await run(lab)
    #expect(ending.status == (passing < 10 ? .failed : .passed), "\(ending.output)")
    #expect(ending.line.contains("\(passing) of 20 attempts"), "\(ending.output)")
    let words = "\(empty) of 20 attempts left nothing to check"
    #expect(ending.line.contains(words) == (empty > 0), "\(ending.output)")
  }

  /// One edit between the accepted baseline and the run.
  struct Row: CustomTestStringConvertible {
    let testDescription: String
    /// The number of answers without tags, and the assertion, in the baseline and in the run.
    let before: (empty: Int, assertion: String)
    let after: (empty: Int, assertion: String)
    let status: AssayCommandLine.ExitStatus
    let words: String
  }

  static let rows = [
    Row(
      testDescription: "control: nothing changes", before: (0, every), after: (0, every),
      status: .passed, words: "No change"),
    Row(
      testDescription: "answers become empty", before: (0, every), after: (8, every),
      status: .failed, words: "Regressed"),
    Row(
      testDescription: "the edited assertion has nothing to check in worse answers",
      before: (0, filled), after: (8, every), status: .failed, words: "Regressed"),
    Row(
      testDescription: "the edited assertion has nothing to check, equal answers",
      before: (8, filled), after: (8, every), status: .passed, words: "judged anew"),
    Row(
      testDescription: "the edited assertion never has anything to check, equal answers",
      before: (20, "{ present: { path: $.tags } }"), after: (20, every), status: .failed,
      words: "20 of 20 attempts left nothing to check"),
    Row(
      testDescription: "the edited assertion accepts worse answers", before: (0, filled),
      after: (8, "{ present: { path: $.tags } }"), status: .failed, words: "Regressed"),
  ]

  @Test("an edit that leaves nothing to check hides no regression", arguments: rows)
  func checkEdit(_ row: Row) async throws {
    let lab = try CommandLab()
    try Self.write(to: lab, empty: row.before.empty, row.before.assertion)
    _ = await run(lab)
    #expect(await lab.assay("baseline", "accept", "--allow", "a test").status == .passed)
    try Self.write(to: lab, empty: row.after.empty, row.after.assertion)
    let ending = await run(lab)
    #expect(ending.status == row.status, "\(ending.output)")
    #expect(ending.line.contains(row.words), "\(ending.output)")
    #expect(await lab.assay("report").status == row.status)
  }
}
