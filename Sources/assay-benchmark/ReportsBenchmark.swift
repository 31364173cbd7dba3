import EvalFindings
import EvalRecords
import EvalReports
import Foundation
import StructuredText

/// Renders the reports of a large synthetic run and the dashboard of many nights, and prints how
/// long each took and how large it is.
struct ReportsBenchmark {
  static let usage = "reports [--attempts N] [--nights N] [--out FOLDER]"

  private var attempts = 100_000
  private var nights = 365
  private var out: String?

  init(_ arguments: [String]) throws {
    var rest = arguments[...]
    while let name = rest.popFirst() {
      guard let value = rest.popFirst() else { throw BenchmarkError.usage(Self.usage) }
      switch (name, Int(value)) {
      case ("--attempts", let number?) where number > 0: attempts = number
      case ("--nights", let number?) where number > 0: nights = number
      case ("--out", _): out = value
      default: throw BenchmarkError.usage(Self.usage)
      }
    }
  }

  func run() throws {
    let run = LargeRun(cases: 20, repeats: max(1, attempts / 100))
    let records = run.attempts
    let (document, counting) = timed {
      ReportDocument(run: run.record, attempts: records, baseline: (run.record, records))
    }
    let (page, html) = timed { HTMLReport.render(document) }
    let (files, junit) = timed { JUnitReport.files(document) }
    let (summary, markdown) = timed { MarkdownReport.render(document) }
    tell("\(records.count) attempts counted, with a baseline of as many attempts", counting, nil)
    tell("  report.html", html, page.utf8.count)
    tell("  junit.xml", junit, files.reduce(0) { $0 + $1.text.utf8.count })
    tell("  summary.md", markdown, summary.utf8.count)

    let small = LargeRun(cases: 12, repeats: 10)
    let history = RunHistory(
      (0..<nights).map { night in
        var small = small
        small.night = night
        return HistoryEntry(
          ReportDocument(run: small.record, attempts: small.attempts), exitStatus: 0)
      })
    let lines = Array(history.entries.map { RunHistory().line(adding: $0) }.joined().utf8)
    let (read, reading) = timed { RunHistory.read(lines, path: "history.jsonl").history }
    let (dashboard, drawing) = timed { Dashboard.render(read.linking { _ in true }) }
    tell("\(nights) nights read", reading, lines.count)
    tell("  index.html", drawing, dashboard.utf8.count)
    guard let out else { return }
    try FileManager.default.createDirectory(atPath: out, withIntermediateDirectories: true)
    try page.write(toFile: "\(out)/report.html", atomically: true, encoding: .utf8)
    try dashboard.write(toFile: "\(out)/index.html", atomically: true, encoding: .utf8)
  }

  private func timed<Result>(_ body: () -> Result) -> (Result, Double) {
    let start = Measuring.now()
    let result = body()
    return (result, Double(Measuring.now() - start) / 1e9)
  }

  private func tell(_ what: String, _ seconds: Double, _ bytes: Int?) {
    let size = bytes.map { String(format: ", %.2f MB", Double($0) / 1e6) } ?? ""
    print(String(format: "%@: %.2f s%@", what, seconds, size))
  }
}

/// A synthetic run of any size, shaped like a real one.
private struct LargeRun {
  let cases: Int
  let repeats: Int
  var night = 0

  private static let schema =
    #"{"properties":{"cards":{"description":"Between 3 and 8 cards.","items":{"type":"string"},"#
    + #""minItems":0,"type":"array"}},"required":["cards"],"title":"Cards","type":"object"}"#

  var record: RunRecord {
    let day = 10 + night % 18
    let month = 1 + night / 18 % 12
    func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
    return RunRecord(
      id: night + 1, label: "nightly",
      startedAt: "\(2020 + night / 216)-\(two(month))-\(two(day))T02:00:00Z",
      finishedAt: "2026-11-20T02:11:00Z", status: .complete, toolVersion: "0.1.0",
      backends: [
        BackendRecord(id: "local", model: "synthetic", engine: "none", isDeterministic: true)
      ],
      suites: (0..<5).map { suite in
        SuiteRecord(
          id: "suite-\(suite)", title: "Suite \(suite)", guards: "", file: "suite.yaml",
          schemaName: "Cards",
          variants: [
            VariantRecord(
              id: "default", title: "", schema: Self.schema, instructions: nil,
              promptTemplate: "{{input}}", edits: [])
          ],
          cases: (0..<cases).map {
            CaseRecord(
              id: "case-\($0)", title: "Input \($0)", tags: [], variables: .null,
              expectedBranches: [], assertions: [])
          }, repeats: repeats, seed: 1, options: GenerationSettings(), gate: GateRecord())
      })
  }

  var attempts: [AttemptRecord] {
    var state = UInt64(night &+ 1)
    func next(_ bound: UInt64) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((state >> 33) % bound)
    }
    var attempts: [AttemptRecord] = []
    attempts.reserveCapacity(5 * cases * repeats)
    for suite in 0..<5 {
      for item in 0..<cases {
        for index in 0..<repeats {
          let length = next(15) == 0 ? 0 : 3 + next(6)
          attempts.append(attempt(suite, item, index, length: length, tokens: 100 + next(80)))
        }
      }
    }
    return attempts
  }

  private func attempt(
    _ suite: Int, _ item: Int, _ index: Int, length: Int, tokens: Int
  ) -> AttemptRecord {
    let isGood = length >= 3
    let cards = [String](repeating: #""a card about honey""#, count: length)
    var attempt = AttemptRecord(
      key: AttemptKey(
        suite: "suite-\(suite)", variant: "default", backend: "local", caseID: "case-\(item)",
        repeatIndex: index),
      seed: UInt64(index), outcome: isGood ? .pass : .fail, stopReason: .complete,
      renderedPrompt: "Make cards of this passage about honey.",
      output: "{\"cards\":[\(cards.joined(separator: ","))]}", promptTokens: 61,
      outputTokens: tokens, forcedTokens: 20, duration: Double(tokens) / 300,
      verdicts: [
        VerdictRecord(
          assertion: "three to eight cards", type: "count", path: "$.cards",
          verdict: isGood ? .pass : .fail, expected: "3...8 elements",
          actual: "\(length) elements")
      ],
      decisions: [
        DecisionRecord(
          kind: .array, path: "$.cards", index: 0,
          options: [
            OptionProbability(.element, raw: 0.6, masked: 0.93, sampled: 0.93),
            OptionProbability(.end, raw: 0.05, masked: 0.07, sampled: 0.07),
          ], chosen: isGood ? .element : .end, step: 3, unresolved: 0)
      ])
    attempt.details.shape = AnswerShape(lengths: ["$.cards": [length]])
    return attempt
  }
}
