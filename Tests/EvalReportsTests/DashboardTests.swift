import EvalRecords
import EvalStatistics
import Foundation
import StructuredText
import Testing

@testable import EvalFindings
@testable import EvalReports

@Suite("Dashboard and history")
struct DashboardTests {
  private func bytes(_ history: RunHistory) -> [UInt8] {
    var known = RunHistory()
    var text = ""
    for entry in history.entries {
      text += known.line(adding: entry)
      known = known.adding(entry)
    }
    return Array(text.utf8)
  }

  @Test("a history survives writing and reading, and contains the text of each guide once")
  func roundTrip() throws {
    let history = SyntheticHistory(run: SyntheticRun(casesPerSuite: 4, repeats: 3)).history
    let written = bytes(history)
    let read = RunHistory.read(written, path: "history.jsonl")
    #expect(read.problems == [])
    #expect(read.history.texts == history.texts)
    #expect(read.history.entries.map(\.slices) == history.entries.map(\.slices))
    #expect(Dashboard.render(read.history) == Dashboard.render(history))
    let text = String(decoding: written, as: UTF8.self)
    #expect(text.split(separator: SyntheticRun.guide).count == 2, "the guide's text occurs once")
    let hostile = RunHistory.read(bytes(HostileRun.history), path: "h")
    #expect(hostile.problems == [])
  }

  @Test(
    "the reader reports a damaged line with its number, and reads the other lines",
    arguments: [
      ("{\"assay\":\"hist", "not JSON"), ("[]", "`\"assay\":\"history\"` is missing"),
      ("{\"assay\":\"history\"}", "`version` is missing"),
      ("{\"assay\":\"history\",\"version\":99}", "newer than this program's 1"),
      ("{\"assay\":\"history\",\"version\":1,\"run\":1.5}", "`run` is missing"),
      (
        "{\"assay\":\"history\",\"version\":1,\"run\":1,\"started\":\"x\",\"status\":\"half\"}",
        "`status`: running, complete, interrupted are allowed"
      ),
      (
        "{\"assay\":\"history\",\"version\":1,\"run\":1,\"started\":\"x\",\"status\":\"complete\","
          + "\"suites\":[{\"suite\":\"s\",\"variant\":\"v\",\"backend\":\"b\","
          + "\"cases\":[[\"c\",3,2]]}]}", "`suites[0].cases[0]`"
      ),
      ("\u{FF}\u{0}", "not JSON"),
    ])
  func damagedLines(line: String, problem: String) {
    let good = bytes(SyntheticHistory(nights: 2, run: SyntheticRun(casesPerSuite: 1)).history)
    let read = RunHistory.read(Array("\n\(line)\n".utf8) + good, path: "r/history.jsonl")
    #expect(read.history.entries.count == 2)
    #expect(read.problems.count == 1)
    let said = read.problems.first?.description ?? ""
    #expect(said.hasPrefix("r/history.jsonl:2: ") && said.contains(problem), "\(said)")
  }

  @Test(
    "the dashboard's first lines don't contradict the comparisons of the newest night",
    arguments: [.regressed, nil] as [ComparisonVerdict?])
  func checkNewestNight(verdict: ComparisonVerdict?) throws {
    let history = SyntheticHistory(nights: 4, run: SyntheticRun(casesPerSuite: 2)).history
    var newest = try #require(history.entries.last)
    newest.slices[0].verdict = verdict
    newest.exitStatus = verdict == .regressed ? 1 : 0
    let page = ParsedHTML(Dashboard.render(history.adding(newest))).text
    let count = page.split(separator: "is worse than its baseline").count
    #expect(count == (verdict == nil ? 1 : 2), "\(page.prefix(800))")
  }

  @Test("the table of tonight has the rates of tonight, of the night before and of the baseline")
  func tonight() throws {
    let history = SyntheticHistory(nights: 4, run: SyntheticRun(casesPerSuite: 2)).history
    var newest = try #require(history.entries.last)
    for index in newest.slices.indices {
      newest.slices[index].verdict = index == 3 ? .regressed : .ok
      newest.slices[index].reference = .init(passed: 7, made: 9)
      newest.slices[index].cases = [.init(id: "a", passed: 1, made: 4)]
    }
    newest.exitStatus = 1
    newest.run += 1
    let all = history.adding(newest)
    var writer = HTMLWriter()
    TonightTable(view: NightView(all)).write(to: &writer)
    let page = ParsedHTML("<!doctype html>" + String(decoding: writer.bytes, as: UTF8.self))
    let text = page.text.replacing("\u{A0}", with: " ")
    let earlier = try #require(history.entries.last).slices[3]
    #expect(page.tags.count { $0.name == "tr" } == 1 + newest.slices.count)
    #expect(
      text.contains(
        ("\(earlier.key.suite)worse25.0 % 1/4"
          + "\(earlier.share.percent) \(earlier.share.ratio)77.8 % 7/9")
          .replacing("\u{A0}", with: " ")), "\(text)")
    #expect(text.hasPrefix("Tonight"))
  }

  @Test("the filter of the dashboard knows the number of all test cases")
  func filterTotal() {
    let history = SyntheticHistory(nights: 3, run: SyntheticRun(casesPerSuite: 2)).history
    let count = history.entries.last?.judged.reduce(0) { $0 + $1.cases.count } ?? 0
    #expect(Dashboard.render(history).contains("data-total=\"\(count)\""))
  }

  @Test("if a run has several lines, the last line counts")
  func lastLineCounts() throws {
    let history = SyntheticHistory(nights: 3, run: SyntheticRun(casesPerSuite: 1)).history
    var again = try #require(history.entries.last)
    again.exitStatus = 2
    let read = RunHistory(history.entries + [again])
    #expect(read.entries.count == 3 && read.entries.last?.exitStatus == 2)
  }

  @Test(
    "a night without a run is a gap in the chart, unless runs are usually more than a night apart")
  func gaps() {
    let history = SyntheticHistory(run: SyntheticRun(casesPerSuite: 1)).history
    let axis = NightAxis(history.entries)
    #expect(axis.places.count == 29 && axis.places.count { $0 == nil } == 1)
    #expect(axis.names.first == "185" && axis.names.last == "213")
    // If runs are a week apart, no night is missing.
    let weekly = history.entries.enumerated().filter { $0.offset % 7 == 0 }.map(\.element)
    #expect(NightAxis(weekly).places.count { $0 == nil } == 0)
    // If several runs have the same number, their dates replace the numbers.
    let fresh = history.entries.map { entry in
      var entry = entry
      entry.run = 1
      return entry
    }
    #expect(NightAxis(fresh).names.last == "19 Nov")
    #expect(NightAxis.date("2026-11-20T02:00:00Z") == "Fri 20 Nov")
    #expect(NightAxis.day(of: "1970-01-01") == 0 && NightAxis.day(of: "2000-02-29") == 11_016)
    #expect(NightAxis.day(of: "2026-13-01") == nil && NightAxis.day(of: "x") == nil)
  }

  @Test("a stable period begins on the night of the change, even if that is the newest night")
  func stretches() throws {
    let run = SyntheticRun(keepsTraces: false)
    var history = SyntheticHistory(run: run).history
    var tonight = HistoryEntry(run.document, exitStatus: 1)
    tonight.startedAt = SyntheticHistory.time(daysBefore: 0)
    history = history.adding(tonight)
    let view = NightView(history)
    let cards = try #require(view.keys.first { $0.suite == "flashcards" })
    let found = view.stretches(cards)
    // Run 185 is the first run, the guide was edited before run 198, and tonight's run is 214.
    #expect(found.map { view.axis.names[$0.first] } == ["185", "198", "214"])
    #expect(found.map(\.stretch.direction) == [0, 1, -1])
    // One night of a few attempts is too little to claim a change of another suite.
    let cocktail = try #require(view.keys.first { $0.suite == "cocktail" })
    #expect(view.stretches(cocktail).last.map { view.axis.names[$0.first] } == "185")
  }

  @Test("the dashboard lists an edit to a guide with its effect")
  func guideLog() throws {
    let history = SyntheticHistory(run: SyntheticRun(casesPerSuite: 20)).history
    let change = try #require(GuideChange.changes(in: history).first)
    #expect(history.entries[change.entry].run == 198)
    #expect(change.edits.map(\.place) == ["DraftCardSet.cards"])
    #expect(change.edits[0].summary.hasPrefix("added “Skip near-duplicates."))
    // The edit made the prompt longer, from 61 to 99 tokens.
    #expect(change.promptTokens == 38)
    #expect(change.change.change > 0.05 && change.adjustedP < 0.001)
    let page = try PageCheck.check(Dashboard.render(history), isDashboard: true)
    #expect(page.text.contains("run 198: DraftCardSet.cards edited"))
    // The plots of other suites don't mark the edit, but all of them mark the new engine.
    let view = NightView(history)
    for (suite, labels) in [
      ("flashcards", ["DraftCardSet.cards edited", "avx2"]), ("menu", ["avx2"]),
    ] {
      let key = try #require(view.keys.first { $0.suite == suite })
      let marks = view.marks(for: key).map(\.label)
      #expect(marks.count == labels.count && zip(marks, labels).allSatisfy { $0.hasSuffix($1) })
    }
  }

  @Test(
    "the dashboard names the first step of the newest run's report",
    arguments: [
      (0, "nothing, because the newest run passed"), (1, "read the report of the newest run"),
      (2, "make the missing attempts of the newest run"),
      (
        4,
        "read what the newest run printed: it could not judge its suites, and ended with status 4"
      ),
    ] as [(Int, String)])
  func checkStep(status: Int, words: String) throws {
    var entries = SyntheticHistory(nights: 3, run: SyntheticRun(casesPerSuite: 2)).entries
    entries[entries.count - 1].exitStatus = status
    // A line of an older version has no step.
    let step = DashboardStep(NightView(RunHistory(entries)))
    #expect(step.words == words)
    #expect((step.command == nil) == (status != 2))
    let stored = HistoryEntry.Step(words: "look at `tides`", command: "assay show 4 --run 12")
    entries[entries.count - 1].step = stored
    let history = RunHistory(entries).linking { _ in true }
    let page = try PageCheck.check(Dashboard.render(history), isDashboard: true).text
    #expect(page.contains("Do next: look at tides: assay show 4 --run 12 Open the newest report."))
    #expect(page.split(separator: "Do next: ").count == 2)
    #expect(DashboardStep(NightView(RunHistory(), program: "quizzes")).command == "quizzes run")
  }

  @Test("a run's line has the first step of its report, and the counts of its reference")
  func stepOfReport() throws {
    for document in [SyntheticRun(casesPerSuite: 4, repeats: 3).document] {
      let entry = HistoryEntry(document, exitStatus: 1)
      let cause = document.shownCauses(1).causes.first
      let step = document.runStep?.words ?? cause.map { document.nextStep(for: $0).words }
      #expect(entry.step?.words == step && step != nil)
      let read = try HistoryEntry(line: Array(entry.line().utf8))
      #expect(
        read.step == entry.step && read.slices.map(\.reference) == entry.slices.map(\.reference))
    }
  }

  @Test(
    "a run's line names the chosen variants, and such a run is no first run that stays",
    arguments: [["silent"], ["all"], []])
  func chosenVariants(names: [String]) throws {
    let entries = SyntheticHistory(nights: 2, run: SyntheticRun(casesPerSuite: 1)).entries
    var first = try #require(entries.first)
    first.variants = names
    first = try HistoryEntry(line: Array(first.line().utf8))
    #expect(first.variants == names)
    let kept = RunHistory([first, entries[1]]).firstRuns(branches: ["main"], except: [])
    #expect(kept.map(\.run) == [entries[names.isEmpty ? 0 : 1].run])
  }

  @Test(
    "the rates by tag are those of the newest measured night, even if a later one was interrupted",
    arguments: [RunRecord.Status.interrupted, .complete])
  func tagsAfterInterruption(status: RunRecord.Status) throws {
    var entries = SyntheticHistory(nights: 3, run: SyntheticRun(casesPerSuite: 4)).entries
    for night in entries.indices {
      for slice in entries[night].slices.indices {
        for place in entries[night].slices[slice].cases.indices {
          entries[night].slices[slice].cases[place].tags = ["short"]
        }
      }
    }
    var tonight = entries.removeLast()
    let all = tonight.judged.reduce(0) { $0 + $1.cases.count }
    tonight.slices = Array(tonight.slices.prefix(1))
    (tonight.status, tonight.exitStatus) = (status, status == .complete ? 0 : 2)
    let page = try PageCheck.check(
      Dashboard.render(RunHistory(entries + [tonight])), isDashboard: true)
    let count = status == .complete ? 4 : all
    let texts = page.texts.filter { !$0.isEmpty }
    let place = try #require(texts.lastIndex(of: "short"))
    #expect(all > 4 && texts[place + 1] == "\(count)", "\(texts[place...].prefix(3))")
  }

  @Test("a dashboard is well-formed with many nights, hostile texts, one night or none")
  func pages() throws {
    let history = SyntheticHistory(run: SyntheticRun(casesPerSuite: 6, repeats: 5)).history
    let linked = history.linking { $0 != "200" }
    let page = try PageCheck.check(Dashboard.render(linked), isDashboard: true)
    let links = page.tags.compactMap { $0.attribute("href") }.filter { $0.hasSuffix("junit.xml") }
    // There are 28 runs, and run 200 has no link.
    #expect(links.count == 27 && links.first == "213/junit.xml")
    let rows = page.tags.compactMap { $0.attribute("href") }.filter { $0.contains("#c-") }
    #expect(rows.contains("213/report.html#c-1-1") && rows.contains("213/report.html#c-3"))
    try PageCheck.check(
      Dashboard.render(HostileRun.history.linking { _ in true }), isDashboard: true)
    try PageCheck.check(Dashboard.render(RunHistory()), isDashboard: true)
    try PageCheck.check(
      Dashboard.render(RunHistory([try #require(history.entries.last)])), isDashboard: true)
  }

  @Test("a plot begins a new line where another model answers")
  func linesOfModels() throws {
    let entries = SyntheticHistory(nights: 6, run: SyntheticRun(casesPerSuite: 2)).history.entries
    let changed = RunHistory(
      entries.enumerated().map { index, entry in
        var entry = entry
        if index >= 3 { for each in entry.backends.indices { entry.backends[each].model = "new" } }
        return entry
      })
    let key = try #require(entries.last?.judged.first?.key)
    #expect(NightView(RunHistory(entries)).modelChanges(of: key) == [])
    #expect(NightView(changed).modelChanges(of: key) == [3])
    let lines = [RunHistory(entries), changed].map { history in
      Dashboard.render(history).split(separator: "class=\"ribbon\"").count - 1
    }
    #expect(lines[0] > 0 && lines[1] == 2 * lines[0])
  }

  @Test("the note below the plots of rates counts all rates without a plot")
  func ratesWithoutPlots() throws {
    let history = SyntheticHistory(nights: 1, run: SyntheticRun(casesPerSuite: 1)).history
    var night = try #require(history.entries.last)
    let slice = try #require(night.slices.first)
    night.slices = (0..<450).map { number in
      var other = slice
      other.key.suite = "suite-\(number)"
      other.measures = [.init(quantity: .emptyArray(path: "$.cards"), hits: 1, count: 2)]
      return other
    }
    let page = Dashboard.render(RunHistory([night]))
    #expect(page.contains("441\u{A0}more rates not drawn"))
  }

  @Test("the dashboard of a year of nights stays below its size limit")
  func year() {
    let run = SyntheticRun(casesPerSuite: 12, repeats: 5)
    let history = SyntheticHistory(nights: 365, run: run).history
    #expect(Dashboard.render(history.linking { _ in true }).utf8.count < 500_000)
  }

  @Test("the badge is XML without a script, and shows the pass rate")
  func badge() throws {
    let history = SyntheticHistory(nights: 2, run: SyntheticRun(casesPerSuite: 4)).history
    for history in [history, RunHistory(), HostileRun.history] {
      let parsed = ParsedXML(Badge.render(history))
      #expect(parsed.error == nil)
      let names = Set(try #require(parsed.root).all("svg").flatMap { $0.children.map(\.name) })
      #expect(names == ["title", "rect", "text"])
    }
    #expect(Badge.render(history).contains("% passing"))
    // An acknowledged run has another color than a run that passed.
    var entries = history.entries
    entries[entries.count - 1].state = .acknowledged
    #expect(!Badge.render(RunHistory(entries)).contains("#17568b"))
    #expect(Badge.render(history).contains("#17568b"))
  }
}
