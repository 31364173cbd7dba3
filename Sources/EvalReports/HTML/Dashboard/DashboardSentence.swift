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
      if let words = Novelty(view.history).words(in: view) { w.text(" " + words) }
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
    // The comparisons of one night can find a change that the rates of all nights don't show.
    let changed = changedTonight.filter { slice in !moved.contains { $0.key == slice.key } }
    for (slice, isNamed) in changed.map({ ($0, isNamedFirst($0)) }).prefix(3) where !isNamed {
      w.element("code", text: VisibleText.line(view.name(slice.key)))
      w.text(" is \(slice.verdict == .regressed ? "worse" : "better") than its baseline. ")
    }
    if moved.count > 3 {
      w.text(
        "\(NumberText.count(moved.count - 3, "more suite")) changed in the last thirty nights.")
    } else {
      let isFirst = moved.isEmpty && changed.isEmpty
      w.text("No \(isFirst ? "" : "other ")suite changed in the last thirty nights.")
    }
  }

  /// The slices of the newest run that its comparisons call worse or better.
  private var changedTonight: [HistoryEntry.Slice] {
    view.history.entries.last?.slices.filter {
      $0.verdict == .regressed || $0.verdict == .improved
    } ?? []
  }

  /// Whether the first line says that a slice of the newest run got worse.
  private func isNamedFirst(_ slice: HistoryEntry.Slice) -> Bool {
    view.history.entries.last?.ending == .failed && slice.verdict == .regressed
  }

  private func gates(
    _ entries: [HistoryEntry], _ newest: HistoryEntry, to w: inout HTMLWriter
  ) {
    let last = view.runName(entries.count - 1)
    let name = Self.capital(view.axis.hasNumbers ? last : "night \(last)")
    let ending = newest.ending
    let streak = entries.reversed().prefix { $0.ending == ending }.count
    let first = view.runName(entries.count - streak)
    switch ending {
    case .passed:
      let before = entries.dropLast(streak).reversed().prefix { $0.ending != .passed }.count
      w.element("b", text: "✓ ")
      w.text(
        streak == 1
          ? "\(name) passed" : "The last \(Self.words(streak)) runs passed, since \(first)")
      w.text(
        streak > 1 || before == 0 ? "." : ", after \(Self.words(before)) that did not.")
    case .open:
      w.element("b", text: "\(newest.state?.glyph ?? "•") ")
      w.text(
        streak == 1
          ? "\(name): \(newest.state?.word.lowercased() ?? "not judged")."
          : "The last \(Self.words(streak)) runs neither passed nor failed, since \(first): "
            + Self.states(entries.suffix(streak)) + ".")
    case .failed:
      let before = entries.dropLast(streak).reversed().prefix { $0.ending == .passed }.count
      w.element("b", .class("bad"), text: "✗ ")
      let isOne = streak == 1
      w.element(
        "span", .class("bad"),
        text: newest.exitStatus != 1
          ? "\(name) ended with status \(newest.exitStatus)"
          : isOne
            ? "\(name) failed"
            : "The last \(Self.words(streak)) runs failed, beginning with \(first)")
      w.text(
        isOne && before > 1 ? "; the \(Self.words(before)) runs before it passed." : ".")
      reasons(newest, to: &w)
    }
  }

  /// Returns the states of some runs with their numbers: `two inconclusive, one not judged`.
  private static func states(_ entries: some Collection<HistoryEntry>) -> String {
    ReportHeadline.State.allCases.compactMap { state in
      let count = entries.count { $0.state == state }
      return count == 0 ? nil : "\(words(count)) \(state.word.lowercased())"
    }.joined(separator: ", ")
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

  /// The newest change of a slice, or `nil` if its rate never changed or the newest fall is over.
  private func latest(_ key: SliceKey) -> Move? {
    let stretches = view.stretches(key)
    guard stretches.count > 1, let last = stretches.last, !last.stretch.isOver else { return nil }
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
