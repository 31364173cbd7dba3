import EvalFindings
import EvalRecords
import EvalReports
import Foundation
import StructuredText
import Testing

@testable import AssayCommandLine

/// Every output of a run tells the same conclusion: the terminal, the report page, the Markdown
/// summary, JUnit, annotations, the badge, the dashboard, the history, the exit status, and a later
/// `assay report`.
@Suite("Every output tells the same conclusion")
struct ConclusionOutputTests {
  /// A run, with what all its outputs must say.
  struct Row: CustomTestStringConvertible, Sendable {
    let name: String
    /// The suite of the accepted baseline, or `nil` if there is no baseline.
    var before: WordSuite?
    let suite: WordSuite
    var options: [String] = []
    /// The text of a project file, or `nil` for none.
    var project: String?
    let state: RunState
    let status: AssayCommandLine.ExitStatus
    /// Whether shards of the run, merged, end in the same way.
    var merges = true

    var testDescription: String { name }

    /// Whether outputs may contain a word although it isn't about the conclusion itself.
    func mayContain(_ word: String) -> Bool {
      // Where nothing changed, readers still want to know whether the gate passed. Where a gate was
      // missed, they want to know whether something changed.
      state == .unchanged && word == "The gate passed"
        // The gate also judges the stub, whose answers are not a model's.
        || suite.gate.contains("model:") && word == "The gate passed"
        || state == .gateMissed && before != nil && word == "Nothing clearly changed"
    }
  }

  private static let good = WordSuite()
  private static var otherLimit: WordSuite {
    var suite = good
    suite.tokens = 49
    return suite
  }
  private static var longWords: WordSuite {
    var suite = WordSuite(gate: "metrics: { words: { max: 0.5 } }")
    suite.more = "metrics: { words: { expression: words($.x) } }"
    return suite
  }
  private static var unchecked: WordSuite {
    var suite = WordSuite(gate: "guardrail: [items]")
    suite.assertions = "  - { name: items, equals: { path: \"$.list[*]\", value: a } }"
    return suite
  }
  private static var reduced: WordSuite {
    var suite = WordSuite(gate: "reducer: at least 2")
    suite.more = "repeats: 3"
    return suite
  }

  /// A suite whose gate was written for another model than the toy.
  private static var ofOtherModel: WordSuite {
    var suite = WordSuite(gate: "model: other")
    suite.answers = [.good, .good]
    return suite
  }
  private static var errorsAndOtherModel: WordSuite {
    var suite = WordSuite(bad: 2, passRate: 0.9, gate: "model: other")
    suite.answers = [.good, .bad]
    return suite
  }
  private static let toy = "{ toy: { file: \"\(Checkout.model)\" } }"

  static let rows: [Row] = [
    Row(name: "passed", suite: good, state: .passed, status: .passed),
    Row(name: "no change", before: good, suite: good, state: .unchanged, status: .passed),
    Row(
      name: "no change, some fail as before", before: WordSuite(bad: 3), suite: WordSuite(bad: 3),
      state: .unchanged, status: .passed),
    Row(
      name: "improved", before: WordSuite(bad: 8), suite: good, state: .improved,
      status: .passed),
    Row(
      name: "regressed", before: good, suite: WordSuite(bad: 8), state: .regressed,
      status: .failed),
    Row(
      name: "regressed and gate missed", before: good, suite: WordSuite(bad: 12, passRate: 0.9),
      state: .regressed, status: .failed),
    Row(
      name: "gate missed", suite: WordSuite(bad: 8, passRate: 0.9), state: .gateMissed,
      status: .failed),
    Row(
      name: "gate missed, no change", before: WordSuite(bad: 8, passRate: 0.1),
      suite: WordSuite(bad: 8, passRate: 0.9), state: .gateMissed, status: .failed),
    Row(name: "metric out of bounds", suite: longWords, state: .gateMissed, status: .failed),
    Row(name: "guardrail never checked", suite: unchecked, state: .gateMissed, status: .failed),
    Row(
      name: "too few repeats for the reducer", suite: reduced, options: ["-r", "1"],
      state: .gateMissed, status: .failed),
    Row(
      name: "broken", before: good, suite: WordSuite(errors: 8), state: .broken, status: .failed),
    Row(
      name: "not comparable", before: good, suite: otherLimit, state: .notComparable,
      status: .usage),
    Row(
      name: "not comparable, allowed", before: good, suite: otherLimit,
      options: ["--allow-not-comparable"], state: .notComparable, status: .passed),
    Row(
      name: "inconclusive", before: WordSuite(bad: 2), suite: WordSuite(bad: 6),
      state: .inconclusive, status: .passed),
    Row(
      name: "inconclusive, which fails", before: WordSuite(bad: 2), suite: WordSuite(bad: 6),
      options: ["--inconclusive", "fail"], state: .inconclusive, status: .failed),
    Row(
      name: "not judged", suite: WordSuite(bad: 5, passRate: 0), state: .notJudged,
      status: .passed),
    Row(
      name: "not judged, because the gate was written for another model", suite: ofOtherModel,
      options: ["-b", "local", "-m", Checkout.model], state: .notJudged, status: .passed),
    Row(
      name: "not judged, but the stub misses the gate", suite: errorsAndOtherModel,
      options: ["-b", "local", "-m", "toy"], project: "models: \(toy)", state: .gateMissed,
      status: .failed),
    Row(
      name: "written for another model, and no option named this one", suite: ofOtherModel,
      options: ["-b", "local"], project: "models: \(toy)\nmodel: toy", state: .notComparable,
      status: .usage),
    Row(
      name: "interrupted", suite: good, options: ["--budget-calls", "5"], state: .interrupted,
      status: .interrupted, merges: false),
    Row(
      name: "interrupted, with a baseline", before: good, suite: WordSuite(bad: 8),
      options: ["--budget-calls", "9"], state: .interrupted, status: .interrupted, merges: false),
    Row(
      name: "nothing ran", suite: WordSuite(errors: 20), state: .broken, status: .cannotRun),
  ]

  @Test("the outputs of a run agree", arguments: rows)
  func agree(row: Row) async throws {
    let lab = try await accepted(row)
    try row.suite.write(to: lab)
    if let project = row.project { try lab.write(project + "\n", to: "assay.yaml") }
    let ending = await lab.run(
      ["run", lab.path("words"), "-b", "stub", "--reports", lab.reports] + row.options)
    let number = row.before == nil ? 1 : 2
    #expect(ending.status == row.status, "\(ending.output) \(ending.notes)")
    let later = await lab.run(
      ["report", "\(number)", "--annotations", "github", "--reports", lab.reports])
    #expect(later.status == row.status, "a later report\n\(later.output)")
    try check(row, lab, "reports", number, [ending.output, later.output])
    checkAnnotations(row, later.notes)
    try checkNights(row, lab, "reports")
  }

  @Test("the outputs of merged shards agree", arguments: rows.filter(\.merges))
  func agreeAfterMerge(row: Row) async throws {
    let lab = try await accepted(row)
    try row.suite.write(to: lab)
    if let project = row.project { try lab.write(project + "\n", to: "assay.yaml") }
    var databases: [String] = []
    for shard in ["1/2", "2/2"] {
      let folder = lab.path("shard-\(shard.prefix(1))")
      let options = row.options.filter { $0 != "--inconclusive" && $0 != "fail" }
      _ = await lab.run(
        ["run", lab.path("words"), "-b", "stub", "--shard", shard, "--baseline", "none"]
          + ["--reports", folder] + options)
      databases.append("\(folder)/results.sqlite")
    }
    let rule = row.options.filter {
      ["--allow-not-comparable", "--inconclusive", "fail"].contains($0)
    }
    let merged = await lab.run(
      ["merge"] + databases + ["--reports", lab.reports, "--history"] + rule)
    #expect(merged.status == row.status, "\(merged.output) \(merged.notes)")
    let number = row.before == nil ? 1 : 2
    let later = await lab.run(
      ["report", "\(number)", "--annotations", "github", "--reports", lab.reports])
    #expect(later.status == row.status, "a later report\n\(later.output)")
    try check(row, lab, "reports", number, [merged.output, later.output])
    checkAnnotations(row, later.notes)
    try checkNights(row, lab, "reports")
  }

  @Test("a shard without test cases passes, and no output calls it red")
  func emptyShard() async throws {
    let lab = try CommandLab()
    var suite = WordSuite()
    suite.answers = [.good]
    try suite.write(to: lab)
    let ending = await lab.run(
      ["run", lab.path("words"), "-b", "stub", "--shard", "2/2", "--reports", lab.reports])
    let row = Row(name: "empty shard", suite: suite, state: .empty, status: .passed)
    #expect(ending.status == .passed, "\(ending.output)")
    try check(row, lab, "reports", 1, [ending.output])
  }

  /// Creates a lab with the accepted baseline of a row, if it has one.
  private func accepted(_ row: Row) async throws -> CommandLab {
    let lab = try CommandLab()
    guard let before = row.before else { return lab }
    try before.write(to: lab)
    // The run with the baseline is a day older. Equal attempts at the same time are the same run.
    let run = await lab.run(
      ["run", lab.path("words"), "-b", "stub", "--reports", lab.reports],
      time: CommandLab.time - 86_400)
    #expect(run.status == .passed, "\(run.output) \(run.notes)")
    let accept = await lab.assay("baseline", "accept", "--reason", "good")
    #expect(accept.status == .passed, "\(accept.notes)")
    return lab
  }

  // MARK: Checks

  /// The words that only outputs of a certain state may contain.
  private static let telling: [(state: RunState, words: [String])] = [
    (.unchanged, ["nothing is urgent", "Nothing clearly changed", "≈ No change"]),
    (.regressed, ["✗ Regressed", "is worse than its baseline", "but a suite is worse if"]),
    (.passed, ["✓ Passed", "The gate passed"]),
    (.improved, ["▲ Improved"]),
    (.gateMissed, ["✗ Gate missed"]),
  ]

  private func checkWords(_ row: Row, _ text: String, in place: String) {
    let line = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    for (state, words) in Self.telling where state != row.state {
      for word in words where !row.mayContain(word) {
        #expect(!line.contains(word), "\(row.name): \(place) says “\(word)”:\n\(text)")
      }
    }
  }

  private func check(
    _ row: Row, _ lab: CommandLab, _ folder: String, _ number: Int, _ terminals: [String]
  ) throws {
    let head = "\(row.state.glyph) \(row.state.word)"
    for terminal in terminals {
      #expect(terminal.contains("\n\(head). "), "\(terminal)")
      checkWords(row, terminal, in: "the terminal")
    }
    let page = try lab.text("\(folder)/\(number)/report.html")
    #expect(page.contains("<title>\(head)"), "\(page.prefix(600))")
    let isBad = [.regressed, .gateMissed, .broken].contains(row.state)
    #expect(page.contains("<b\(isBad ? " class=\"bad\"" : "")>\(head).</b>"))
    let body = page.replacing(
      #/<(style|script)[^>]*>.*?</(style|script)>/#.dotMatchesNewlines(), with: ""
    )
    .replacing(#/<[^>]*>/#, with: "")
    checkWords(row, body, in: "the page")
    let summary = try lab.text("\(folder)/\(number)/summary.md")
    #expect(summary.contains("### \(head)\n"), "\(summary)")
    checkWords(row, summary, in: "the summary")
    let junit = try JUnitFile(try lab.data("\(folder)/\(number)/junit.xml"))
    let red = junit.failures + junit.errors
    #expect(red.isEmpty == (row.status == .passed) || junit.cases.isEmpty, "\(row.name): \(red)")
    let text = try lab.text("\(folder)/\(number)/junit.xml")
    #expect(junit.suites.isEmpty || text.contains("value=\"\(head)."), "\(text)")
    checkWords(row, text, in: "JUnit")
  }

  private func checkAnnotations(_ row: Row, _ notes: String) {
    let isRed = notes.contains("::error")
    #expect(isRed == (row.status != .passed), "\(row.name): \(notes)")
    checkWords(row, notes, in: "the annotations")
  }

  private func checkNights(_ row: Row, _ lab: CommandLab, _ folder: String) throws {
    let lines = try lab.text("\(folder)/history.jsonl").split(separator: "\n")
    let last = try JSONReader.readValue(Array(try #require(lines.last).utf8))
    #expect(last["exit"]?.int == Int(row.status.rawValue))
    #expect(last["state"]?.string == row.state.rawValue)
    #expect(last["verdict"]?.string?.hasPrefix("\(row.state.glyph) \(row.state.word).") == true)
    let isPassed =
      row.status == .passed && [.passed, .improved, .unchanged].contains(row.state)
    let badge = try lab.text("\(folder)/badge.svg")
    #expect(badge.contains(" passing") == isPassed, "\(row.name): \(badge)")
    #expect(badge.contains("#a12d0c") == (row.status.rawValue != 0 && row.status != .interrupted))
    let page = try lab.text("\(folder)/index.html")
    let first = try #require(
      page.firstMatch(of: #/<p class="verdict top">(.*?)</p>/#.dotMatchesNewlines())?.1
    )
    .replacing(#/<[^>]*>/#, with: "")
    #expect(first.hasPrefix("✓") == isPassed, "\(first)")
    #expect(first.hasPrefix("✗") == (row.status != .passed), "\(first)")
    #expect(first.contains(" passed") == isPassed || row.status != .passed, "\(first)")
    // The newest run has the first row.
    let table = try #require(page.firstRange(of: "Runs, the newest first")?.upperBound)
    let cells = page[table...].matches(of: #/<td[^>]*>([✓✗!≈?•][^<]*)</td>/#).map { String($0.1) }
    let cell = try #require(cells.first)
    #expect(cell.hasPrefix("✓ passed") == isPassed, "\(row.name): \(cell)")
    #expect(cell.hasPrefix("✗") == (row.status != .passed && row.status != .interrupted), "\(cell)")
    let text = page.replacing(#/<[^>]*>/#, with: "")
    // A passed run may still have a step, for example to accept it as the baseline.
    #expect(text.contains("Do next: "), "\(row.name)")
    #expect(isPassed || !text.contains("Do next: nothing"), "\(row.name): \(first)")
  }
}
