import EvalRecords
import EvalStatistics
import TestSupport

@testable import EvalFindings
@testable import EvalReports

/// The nightly runs before a synthetic run.
///
/// The rates of some suites change on two known nights: one with an edited guide, and one with a
/// better engine. On another night, nothing ran.
struct SyntheticHistory {
  var nights = 29
  var run = SyntheticRun(keepsTraces: false)
  /// The suite `flashcards` has its full guide on this many of the newest nights.
  static let guideNight = 16
  /// The better engine ran on this many of the newest nights.
  static let engineNight = 8
  /// The age of the night on which nothing ran; the newest night of the history has age 0.
  static let missedNight = 22

  var history: RunHistory { RunHistory(entries) }

  var entries: [HistoryEntry] {
    var numbers = SeededGenerator(seed: run.seed)
    return (0..<nights).reversed().filter { $0 != Self.missedNight }.map { age in
      entry(age: age, &numbers)
    }
  }

  /// Returns the entry of a night; the night with age 0 is the night before the synthetic run.
  private func entry(age: Int, _ numbers: inout SeededGenerator) -> HistoryEntry {
    let hasGuide = age < Self.guideNight
    let engine = age < Self.engineNight ? "assay 0.3.0, avx2" : "assay 0.2.0, avx2"
    var entry = HistoryEntry(
      run: run.id - 1 - age, label: "nightly", startedAt: Self.time(daysBefore: age + 1),
      finishedAt: nil, status: .complete, exitStatus: 0,
      verdict: "✓ Passed. All gates are reached.",
      commit: "4b1d07a\(age)", toolVersion: "0.1.0",
      backends: [
        .init(
          id: "local", model: "assay-toy", digest: SyntheticRun.toy.modelDigest, engine: engine,
          isToy: true)
      ], slices: [], texts: [:])
    for suite in run.suites {
      var variant = suite.variants[0]
      if suite.id == "flashcards" {
        variant.schema = SyntheticRun.cardSchema(
          hasGuide ? SyntheticRun.guide : "Between 3 and 8 cards.")
      }
      let texts = GuideText.texts(variant)
      let key = GuideText.key(of: texts)
      entry.texts[key] = texts
      let failing =
        switch suite.id {
        case "flashcards": hasGuide ? 0.003 : 0.09
        case "session-insight": age < Self.engineNight ? 0.02 : 0.07
        case "extracted-meeting": 0.025
        case "cocktail": 0.012
        default: 0.0
        }
      let cases = suite.cases.enumerated().map { number, item in
        // Short inputs cause most failures.
        let share = failing * (number % 3 == 0 ? 2.4 : 0.3)
        let failed = (0..<run.repeats).count { _ in numbers.chance(share) }
        return HistoryEntry.CaseCount(
          id: item.id, passed: run.repeats - failed, made: run.repeats)
      }
      var slice = HistoryEntry.Slice(
        key: SliceKey(suite: suite.id, variant: variant.id, backend: "local"),
        schemaName: suite.schemaName, needed: suite.gate.passRate, guides: key, cases: cases,
        measures: [], medianSeconds: [0.39, 0.41, 0.43][age % 3], p95Seconds: 0.58,
        medianTokens: suite.id == "flashcards" ? 148 : suite.id == "session-insight" ? 35 : 51,
        medianPromptTokens: suite.id == "flashcards" && hasGuide ? 99 : 61)
      if age >= Self.engineNight { slice.p95Seconds = [0.71, 0.7, 0.69, 0.72][age % 4] }
      let (failed, made) = (slice.made - slice.passed, slice.made)
      if suite.id == "flashcards" {
        slice.measures = [
          .init(quantity: .emptyArray(path: "$.cards"), hits: failed, count: made),
          .init(quantity: .arrayLength(path: "$.cards"), hits: made - failed, count: made),
        ]
      } else if suite.id == "session-insight" {
        slice.measures = [
          .init(quantity: .wrongBranch(path: "$"), hits: failed, count: made),
          .init(
            quantity: .missedBranch("unclear", path: "$"), hits: made / 4 - failed / 2,
            count: made / 4),
        ]
      }
      entry.slices.append(slice)
    }
    if entry.judged.contains(where: { $0.share.value < 0.9 }) { entry.exitStatus = 1 }
    return entry
  }

  /// Returns 2026-11-20T02:00:00Z minus a number of days.
  static func time(daysBefore: Int) -> String {
    // 20 November 2026 is day 20,777 after 1 January 1970. The steps below invert `NightAxis.day`.
    var day = 20_777 - daysBefore + 719_468
    let era = day / 146_097
    day -= era * 146_097
    let yearOfEra = (day - day / 1460 + day / 36_524 - day / 146_096) / 365
    let dayOfYear = day - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shifted = (5 * dayOfYear + 2) / 153
    let month = shifted < 10 ? shifted + 3 : shifted - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
    return "\(year)-\(two(month))-\(two(dayOfYear - (153 * shifted + 2) / 5 + 1))T02:00:00Z"
  }
}

extension HostileRun {
  /// A history in which every text is hostile.
  static var history: RunHistory {
    RunHistory(
      (0..<40).map { night in
        var number = night
        func text() -> String {
          number += 1
          return texts(number)
        }
        let guides = [
          GuideText(place: text(), text: text(), isProse: true),
          GuideText(place: text(), text: text(), isProse: false),
        ]
        return HistoryEntry(
          run: night % 7 == 0 ? .max : night - 5, label: text(),
          startedAt: night % 5 == 0 ? text() : SyntheticHistory.time(daysBefore: 41 - night),
          finishedAt: text(), status: night % 9 == 0 ? .interrupted : .complete,
          exitStatus: [0, 1, 2, 3, -7][night % 5], verdict: text(), commit: text(),
          toolVersion: text(),
          backends: [
            .init(id: texts(0), model: text(), digest: text(), engine: text(), isToy: true)
          ],
          slices: (0..<4).map { suite in
            HistoryEntry.Slice(
              key: SliceKey(suite: texts(suite), variant: texts(1), backend: texts(0)),
              schemaName: text(), needed: 0.5, guides: text(),
              cases: HostileTexts.all.map { .init(id: $0, passed: night % 4, made: 4) },
              measures: [
                .init(quantity: .emptyArray(path: text()), hits: 1, count: 3),
                .init(quantity: .missedBranch(text(), path: "$['\(night) it']"), hits: 0, count: 0),
              ], medianSeconds: .nan, p95Seconds: -1, medianTokens: .infinity,
              medianPromptTokens: 3)
          }, texts: [text(): guides, text(): guides.reversed()])
      })
  }
}
