import EvalRecords
import EvalStatistics

/// The beginning of the dashboard: how the newest runs ended, which suites' rates changed, and when
/// they changed.
struct DashboardSentence {
  let view: NightView

  init(_ view: NightView) { self.view = view }

  /// Writes in large type how the newest runs ended, and below that which suites' rates changed.
  func write(to w: inout HTMLWriter) {
    let entries = view.history.entries
    w.element("p", .class("verdict top")) { w in
      guard let newest = entries.last else {
        return w.text("There is no run yet.")
      }
      gates(entries, newest, to: &w)
    }
    DashboardStep(view).write(view, to: &w)
    guard entries.count > 2 else { return }
    w.element("p", .class("found")) { w in suites(to: &w) }
  }

  private func suites(to w: inout HTMLWriter) {
    let moved = view.keys.prefix(60).compactMap { key in latest(key) }
      .filter { $0.nights <= NightView.recentNights }
      .sorted { ($0.isWorse ? 0 : 1, $0.nights) < ($1.isWorse ? 0 : 1, $1.nights) }
    for move in moved.prefix(3) { say(move, to: &w) }
    if moved.count > 3 {
      w.text(
        "\(NumberText.count(moved.count - 3, "more suite")) changed in the last thirty nights.")
    } else {
      w.text("No \(moved.isEmpty ? "" : "other ")suite changed in the last thirty nights.")
    }
  }

  private func gates(
    _ entries: [HistoryEntry], _ newest: HistoryEntry, to w: inout HTMLWriter
  ) {
    let isGood = newest.exitStatus == 0
    let last = view.runName(entries.count - 1)
    let name = view.axis.hasNumbers ? last : "night \(last)"
    let streak = entries.reversed().prefix { ($0.exitStatus == 0) == isGood }.count
    let before = entries.dropLast(streak).reversed().prefix { ($0.exitStatus == 0) != isGood }.count
    if isGood {
      w.element("b", text: "✓ ")
      let passed = Self.passed(entries.suffix(streak))
      w.text(
        streak == 1
          ? "\(Self.capital(name)) \(passed)"
          : "The last \(Self.words(streak)) runs \(passed), since "
            + view.runName(entries.count - streak)
      )
      w.text(
        streak > 1 || before == 0
          ? "." : ", after \(Self.words(before)) that did not.")
    } else {
      w.element("b", .class("bad"), text: "✗ ")
      if newest.exitStatus == 1 {
        w.element(
          "span", .class("bad"),
          text: streak == 1
            ? "\(Self.capital(name)) failed"
            : "The last \(Self.words(streak)) runs failed, beginning with "
              + view.runName(entries.count - streak))
      } else {
        w.element(
          "span", .class("bad"),
          text: "\(Self.capital(name)) ended with status "
            + "\(newest.exitStatus)")
      }
      w.text(
        streak == 1 && before > 1
          ? "; the \(Self.words(before)) runs before it passed." : ".")
      reasons(newest, to: &w)
    }
  }

  /// Returns how runs with exit status 0 ended: `passed`, unless some of them were not judged, or
  /// their comparisons were inconclusive or impossible.
  private static func passed(_ entries: some Collection<HistoryEntry>) -> String {
    let open: [ReportHeadline.State] = [
      .notJudged, .inconclusive, .notComparable, .acknowledged,
    ]
    let words = open.compactMap { state -> String? in
      let count = entries.count { $0.state == state }
      guard count > 0 else { return nil }
      return entries.count == 1
        ? state.word.lowercased() : "\(Self.words(count)) \(state.word.lowercased())"
    }
    return words.isEmpty
      ? "passed" : "ended with status 0 (\(words.joined(separator: ", ")))"
  }

  /// Writes the names of the suites that made the newest run fail, according to the run's
  /// comparisons and gates.
  private func reasons(_ newest: HistoryEntry, to w: inout HTMLWriter) {
    let findings = RunFindings(newest)
    let groups: [(keys: [SliceKey], word: String)] = [
      (findings.regressed, "is worse than its baseline"),
      (findings.broken, "can’t be judged: the backend failed too often"),
      (findings.missed, "missed the gate"),
    ]
    for (keys, word) in groups where !keys.isEmpty {
      w.text(" ")
      for (number, key) in keys.prefix(3).enumerated() {
        if number > 0 { w.text(", ") }
        w.element("code", text: VisibleText.line(view.name(key)))
      }
      if keys.count > 3 { w.text(" and \(NumberText.count(keys.count - 3, "more suite"))") }
      let verb =
        keys.count > 1
        ? word.replacing("is worse than its", with: "are worse than their") : word
      w.text(" \(verb).")
    }
  }

  private struct Move {
    let key: SliceKey
    let isWorse: Bool
    let nights: Int
    let since: String
    let now: Share
    let before: Share
    /// The first run of the dip that the newest change ended, or `nil` if it didn't end a dip.
    let dippedAt: String?
  }

  /// The newest change of a slice, or `nil` if its rate never changed.
  private func latest(_ key: SliceKey) -> Move? {
    let stretches = view.stretches(key)
    guard stretches.count > 1, let last = stretches.last else { return nil }
    let before = stretches[stretches.count - 2].stretch.share
    return Move(
      key: key, isWorse: last.stretch.direction < 0, nights: last.stretch.range.count,
      since: view.runName(last.first), now: last.stretch.share, before: before,
      dippedAt: dip(stretches).map(view.runName))
  }

  /// Returns the first entry of the dip that the newest change ended, or `nil` if it didn't end a
  /// dip.
  ///
  /// A dip is a period that began when the rate fell, and ended when the rate returned to about its
  /// earlier value.
  private func dip(_ stretches: [NightView.Stretch]) -> Int? {
    guard stretches.count > 2, let last = stretches.last, last.stretch.direction > 0 else {
      return nil
    }
    let (low, first) = (stretches[stretches.count - 2], stretches[stretches.count - 3])
    guard low.stretch.direction < 0, last.stretch.share.high >= first.stretch.share.low else {
      return nil
    }
    return low.first
  }

  private func say(_ move: Move, to w: inout HTMLWriter) {
    w.element("code", text: VisibleText.line(view.name(move.key)))
    if let dip = move.dippedAt {
      w.text(" has been ")
      w.element("span", .class("good"), text: "fixed since \(move.since)")
      w.text(
        ": \(move.now.percent) of attempts have passed since then, up from "
          + "\(move.before.percent) in the dip that began with \(dip). ")
      return
    }
    w.text(" has been ")
    w.element(
      "span", .class(move.isWorse ? "bad" : "good"),
      text: "\(move.isWorse ? "worse" : "better") since \(move.since)")
    w.text(
      ": \(move.now.percent) of attempts have passed since then, \(move.before.percent) before. ")
  }

  private static func capital(_ text: String) -> String {
    (text.first.map { String($0).uppercased() } ?? "") + text.dropFirst()
  }

  private static func words(_ count: Int) -> String {
    let names = [
      "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
      "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen",
      "nineteen", "twenty",
    ]
    return names.indices.contains(count) ? names[count] : NumberText.grouped(count)
  }
}
