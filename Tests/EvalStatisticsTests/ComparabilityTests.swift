import EvalRecords
import EvalStatistics
import Testing

/// A difference between two runs other than the compared edit, and the fact that must report it.
private struct Difference: Sendable, CustomTestStringConvertible {
  var fact: ComparisonDifference.Fact
  var change: @Sendable (inout RunBuilder) -> Void
  var testDescription: String { "\(fact)" }
}

private typealias Fact = ComparisonDifference.Fact

/// The suite, variant and backend of all runs in these tests.
private let place = ComparedPlace(
  SliceKey(suite: "cards", variant: "default", backend: "local"))

private func setting(
  _ name: ComparisonDifference.Setting, _ before: SettingValue,
  _ after: SettingValue, cases: [String] = []
) -> Fact {
  .setting(name: name, before: before, after: after, cases: cases)
}

private let differences = [
  Difference(fact: setting(.modelDigest, .text("abc"), .text("xyz"))) {
    $0.backend.modelDigest = "xyz"
  },
  Difference(fact: setting(.engine, .text("assay 0.1.0"), .text("assay 0.2.0"))) {
    $0.backend.engine = "assay 0.2.0"
  },
  Difference(fact: setting(.model, .text("toy"), .text("big"))) { $0.backend.model = "big" },
  Difference(fact: setting(.option(.temperature), .number(0.7), .number(0.2))) {
    $0.options.temperature = 0.2
  },
  Difference(fact: setting(.option(.outline), .text("typescript"), .text("example"))) {
    $0.options.outline = .example
  },
  Difference(fact: setting(.option(.mask), .text("on"), .text("off"))) { $0.options.mask = .off },
  Difference(fact: setting(.measurementProtocol, .integer(1), .integer(2))) {
    $0.measurementProtocol = 2
  },
]

/// The parts that only one side has, which the comparison leaves out.
private let leftOut = [
  Difference(fact: setting(.repeats, .integer(1), .integer(2))) { $0.repeats = 2 },
  Difference(fact: .cases(change: .removed, ids: ["c18", "c19"])) { $0.cases = 18 },
  Difference(fact: .cases(change: .added, ids: ["c20"])) { $0.cases = 21 },
  Difference(fact: .cases(change: .branches, ids: (0..<20).map { "c\($0)" })) {
    $0.branches = [ExpectedBranch(path: "$", branch: "x")]
  },
]

@Suite("Comparability")
struct ComparabilityTests {
  @Test(
    "runs aren't comparable if their models, options or protocols differ, and the record says so",
    arguments: differences)
  private func differenceIsNamed(difference: Difference) {
    var candidate = RunBuilder()
    candidate.id = 2
    difference.change(&candidate)
    candidate.answer = { _, _ in RunBuilder.Answer(outcome: .fail) }
    let record = Comparison.compare(baseline: RunBuilder().side(), candidate: candidate.side())
    #expect(record.verdict == .notComparable)
    #expect(record.differences.contains(.init(place: place, fact: difference.fact)))
    #expect(record.effects.allSatisfy { $0.verdict == .notComparable && $0.pValue == nil })
  }

  @Test(
    "a comparison names and leaves out the parts that only one side has, and compares the rest",
    arguments: leftOut)
  private func partIsCompared(difference: Difference) throws {
    func compare(_ outcome: Outcome) -> ComparisonRecord {
      var candidate = RunBuilder(id: 2)
      difference.change(&candidate)
      candidate.answer = { _, _ in RunBuilder.Answer(outcome: outcome) }
      return Comparison.compare(baseline: RunBuilder().side(), candidate: candidate.side())
    }
    let worse = compare(.fail)
    #expect(worse.verdict == .regressed)
    #expect(worse.differences.contains(.init(place: place, fact: difference.fact)))
    let rate = try #require(worse.effects.first { $0.quantity == .passRate })
    #expect(rate.baseline.count == rate.candidate.count)
    #expect((18...20).contains(rate.candidate.count))
    #expect([.ok, .inconclusive].contains(compare(.pass).verdict))
  }

  @Test("a comparison names differences between the settings of single test cases")
  func ownSettings() {
    typealias Own = [String: CaseSettings]
    func side(_ id: Int, _ own: Own, repeats: [String: Int] = [:]) -> ComparisonSide {
      var builder = RunBuilder(id: id)
      // The effective settings are derived from the test cases' own settings below.
      builder.isOfVersion01 = true
      builder.repeats = repeats.isEmpty ? 1 : 3
      var side = builder.side()
      side.run.suites[0].repeats = 1
      side.run.suites[0].details.cases = own.isEmpty ? nil : own
      side.attempts.removeAll { $0.key.repeatIndex >= repeats[$0.key.caseID] ?? 1 }
      return side
    }
    var cool = CaseSettings()
    cool.options = GenerationSettings(temperature: 0.2)
    var often = CaseSettings()
    often.repeats = 3
    var lenient = CaseSettings()
    lenient.threshold = 0.5
    let rows: [(Own, Own, [Fact])] = [
      (
        [:], ["c1": cool, "c4": cool],
        [setting(.option(.temperature), .number(0.7), .number(0.2), cases: ["c1", "c4"])]
      ),
      (["c2": often], [:], [setting(.repeats, .integer(3), .integer(1), cases: ["c2"])]),
      (
        ["c3": lenient], ["c3": CaseSettings()],
        [setting(.threshold, .number(0.5), .none, cases: ["c3"])]
      ),
      (["c2": often], ["c2": often], []),
    ]
    for (before, after, differences) in rows {
      func repeats(_ own: Own) -> [String: Int] { own.compactMapValues(\.repeats) }
      let record = Comparison.compare(
        baseline: side(1, before, repeats: repeats(before)),
        candidate: side(2, after, repeats: repeats(after)))
      #expect(record.differences.map(\.fact) == differences)
      #expect(record.verdict != .notComparable, "the other test cases can be compared")
    }
    // 19 test cases have one planned attempt each, and `c2` has three.
    let missing = Comparison.compare(
      baseline: side(1, ["c2": often], repeats: ["c2": 3]), candidate: side(2, ["c2": often]))
    #expect(
      missing.differences.map(\.fact) == [.notMade(side: .candidate, attempts: 2, planned: 22)])
  }

  @Test("an interrupted baseline isn't comparable, and a baseline's missing attempts are reported")
  func interruptedBaseline() {
    var baseline = RunBuilder()
    baseline.status = .interrupted
    var candidate = RunBuilder()
    candidate.id = 2
    let record = Comparison.compare(baseline: baseline.side(), candidate: candidate.side())
    #expect(record.verdict == .notComparable)
    var side = RunBuilder().side()
    side.attempts.removeLast(3)
    let partial = Comparison.compare(baseline: side, candidate: candidate.side())
    #expect(
      partial.differences.map(\.fact) == [.notMade(side: .baseline, attempts: 3, planned: 20)])
  }

  @Test("fresh repeats are compared if both sides have the same fresh seed, and left out otherwise")
  func freshRepeats() throws {
    var baseline = RunBuilder()
    baseline.fresh = (2, 7000)
    func compare(freshSeed: UInt64) throws -> EffectRecord {
      var candidate = baseline
      candidate.id = 2
      candidate.fresh = (2, freshSeed)
      candidate.answer = { _, repeatIndex in
        RunBuilder.Answer(outcome: repeatIndex > 0 ? .fail : .pass)
      }
      let record = Comparison.compare(baseline: baseline.side(), candidate: candidate.side())
      #expect(record.differences == [])
      return try #require(record.effects.first { $0.quantity == .passRate })
    }
    let nights = try compare(freshSeed: 8000)
    #expect(nights.candidate.count == 20)
    #expect(nights.candidate.hits == 20)
    #expect(
      nights.method.test == .drawsAndCases(isPaired: true, cases: 20, margin: 0.01),
      "the remaining seeds are equal")
    let variants = try compare(freshSeed: 7000)
    #expect(variants.candidate.count == 60)
    #expect(variants.candidate.hits == 20)
    #expect(variants.verdict == .regressed)
  }

  @Test("skipped attempts count as not made")
  func skippedAreNotMade() {
    var candidate = RunBuilder()
    candidate.answer = { index, _ in RunBuilder.Answer(outcome: index == 0 ? .skipped : .pass) }
    let record = Comparison.compare(baseline: RunBuilder().side(), candidate: candidate.side())
    #expect(
      record.differences.map(\.fact) == [.notMade(side: .candidate, attempts: 1, planned: 20)])
  }

  @Test("a comparison is broken if more than a fifth of the attempts have errors")
  func manyErrorsAreBroken() throws {
    func compare(errors: Int) -> ComparisonRecord {
      var candidate = RunBuilder()
      candidate.answer = { index, _ in
        RunBuilder.Answer(outcome: index < errors ? .error : .pass)
      }
      return Comparison.compare(baseline: RunBuilder().side(), candidate: candidate.side())
    }
    let broken = compare(errors: 5)
    #expect(broken.verdict == .broken)
    #expect(
      broken.effects[0].notes.first == .errors(side: .candidate, errors: 5, attempts: 20))
    #expect(compare(errors: 3).verdict != .broken)
    // Backend errors don't count as a regression.
    let rate = try #require(compare(errors: 3).effects.first { $0.quantity == .passRate })
    #expect(rate.candidate.hits == 17 && rate.candidate.count == 17)
    #expect(compare(errors: 3).verdict != .regressed)
  }

  @Test("sides with nothing in common are not comparable")
  func nothingInCommon() {
    var candidate = RunBuilder()
    candidate.suite = "other"
    let record = Comparison.compare(baseline: RunBuilder().side(), candidate: candidate.side())
    #expect(record.verdict == .notComparable)
    #expect(
      record.differences.map(\.fact) == [
        .unmatched(side: .baseline, part: .suite, id: "cards"),
        .unmatched(side: .candidate, part: .suite, id: "other"), .nothingInCommon,
      ])
  }

  @Test("an option counts as the requests have it, whether a suite, test case or variant sets it")
  func effectiveOptions() {
    func side(
      _ id: Int, suite: Double, own: Double? = nil, variant: Double? = nil
    ) -> ComparisonSide {
      var builder = RunBuilder(id: id, cases: 2)
      builder.isOfVersion01 = true
      builder.options.temperature = suite
      var side = builder.side()
      var settings = CaseSettings()
      settings.options = own.map { GenerationSettings(temperature: $0) }
      side.run.suites[0].details.cases = own == nil ? nil : ["c0": settings, "c1": settings]
      var edit = SettingsEdit()
      edit.temperature = variant
      side.run.suites[0].details.variantOptions = [side.run.suites[0].variants[0].id: edit]
      return side
    }
    func facts(_ before: ComparisonSide, _ after: ComparisonSide) -> [Fact] {
      Comparison.compare(baseline: before, candidate: after).differences.map(\.fact)
        .filter { if case .setting = $0 { true } else { false } }
    }
    func warmer(_ before: Double, _ after: Double, cases: [String] = []) -> Fact {
      setting(.option(.temperature), .number(before), .number(after), cases: cases)
    }
    #expect(facts(side(1, suite: 0.7), side(2, suite: 0.5)) == [warmer(0.7, 0.5)])
    #expect(facts(side(1, suite: 0.7, own: 0.2), side(2, suite: 0.5, own: 0.2)) == [])
    #expect(
      facts(side(1, suite: 0.7, own: 0.2), side(2, suite: 0.7, own: 0.2, variant: 0.7))
        == [warmer(0.2, 0.7, cases: ["c0", "c1"])])
    #expect(facts(side(1, suite: 0.7, own: 0.7), side(2, suite: 0.7)) == [])
  }

  @Test("one suite can regress while another is not comparable")
  func unitsAreJudgedAlone() {
    var worse = RunBuilder()
    worse.answer = { _, _ in RunBuilder.Answer(outcome: .fail, output: "{}") }
    var other = RunBuilder()
    other.suite = "menu"
    var changed = other
    changed.options.temperature = 0.1
    func joined(_ first: RunBuilder, _ second: RunBuilder) -> ComparisonSide {
      var side = first.side()
      side.run.suites += second.record.suites
      side.attempts += second.attempts
      return side
    }
    let record = Comparison.compare(
      baseline: joined(RunBuilder(), other), candidate: joined(worse, changed))
    #expect(record.verdict == .regressed)
    #expect(record.effects.last?.verdict == .notComparable || record.effects.count > 1)
    #expect(
      record.differences.map(\.fact) == [setting(.option(.temperature), .number(0.7), .number(0.1))]
    )
    #expect(record.differences.map(\.place?.candidate.suite) == ["menu"])
  }
}
