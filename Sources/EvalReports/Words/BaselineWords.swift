import EvalRecords
import EvalStatistics

/// Describes baselines for reviewers, as plain text.
package enum BaselineWords {
  /// The maximum number of test cases that a line names.
  private static let maximumCases = 8

  /// Returns a description of a baseline and of what it changed.
  ///
  /// ```
  /// tips: run 12, 12 of 20 attempts pass
  ///   accepted  2026-11-28T02:00:00Z: shorter guides
  ///   model     local (SmolLM2 135M Instruct)
  ///   replaces  run 5, 20 of 20 attempts pass, accepted 2026-11-20T02:00:00Z: the first one
  ///   guide     Tips.tips: replaced “Between 3 and 6” with “Between 5 and 7”
  ///   worse     c04 (1 of 1 → 0 of 1), c07 (1 of 1 → 0 of 1)
  /// ```
  ///
  /// - Parameters:
  ///   - suite: The suite's id.
  ///   - summary: The baseline.
  ///   - replaced: The baseline that it replaced, or `nil` if it is the first one.
  ///   - allowed: The reason for accepting a run with problems.
  package static func text(
    _ suite: String, _ summary: BaselineSummary, replaced: BaselineSummary?, allowed: String?
  ) -> String {
    var rows = [
      ("accepted", "\(summary.acceptedAt): \(summary.reason)"),
      ("model", summary.models.joined(separator: ", ")),
    ]
    if let allowed { rows.append(("allowed", "although the run has problems: \(allowed)")) }
    if let replaced {
      rows += self.rows(of: BaselineChange(from: replaced, to: summary))
    } else {
      rows.append(("replaces", "nothing: this is the first baseline"))
    }
    let head = "\(suite): run \(summary.run), \(counts(summary))"
    return ([head] + rows.map { "  \(padded($0)) \($1)" }).map { VisibleText.line($0) + "\n" }
      .joined()
  }

  private static func rows(of change: BaselineChange) -> [(String, String)] {
    let (before, after) = (change.before, change.after)
    var rows = [
      (
        "replaces",
        "run \(before.run), \(counts(before)), accepted \(before.acceptedAt): \(before.reason)"
      )
    ]
    func changed(_ name: String, _ left: String, _ right: String) {
      if left != right { rows.append((name, "\(left) → \(right)")) }
    }
    changed(
      "model", before.models.joined(separator: ", "), after.models.joined(separator: ", "))
    changed("protocol", "\(before.measurementProtocol)", "\(after.measurementProtocol)")
    rows += guides(from: before.variant, to: after.variant).map { ("guide", $0) }
    func add(_ name: String, _ names: [String]) {
      guard !names.isEmpty else { return }
      let more =
        names.count > maximumCases ? " and \(names.count - maximumCases) more" : ""
      rows.append((name, names.prefix(maximumCases).joined(separator: ", ") + more))
    }
    add("worse", change.worse.map(words))
    add("better", change.better.map(words))
    add("new", change.added)
    add("gone", change.removed)
    if change.worse.isEmpty, change.better.isEmpty {
      rows.append(("same", "every test case that both have passes as often as before"))
    }
    return rows
  }

  /// Returns the edits of guides, instructions and prompt between two variants, in words.
  private static func guides(from before: VariantRecord?, to after: VariantRecord?) -> [String] {
    guard let before, let after else { return [] }
    let (old, new) = (GuideText.texts(before), GuideText.texts(after))
    func text(_ place: String, in texts: [GuideText]) -> String? {
      texts.first { $0.place == place }?.text
    }
    let places = new.map(\.place) + old.map(\.place).filter { text($0, in: new) == nil }
    return places.compactMap { place in
      let (left, right) = (text(place, in: old), text(place, in: new))
      return left == right ? nil : "\(place): \(EditWords.summary(from: left, to: right))"
    }
  }

  private static func words(_ change: BaselineChange.CaseChange) -> String {
    "\(change.after.id) (\(change.before.passed) of \(change.before.made) → "
      + "\(change.after.passed) of \(change.after.made))"
  }

  private static func counts(_ summary: BaselineSummary) -> String {
    "\(summary.passed) of \(summary.made.counted("attempt")) pass"
  }

  private static func padded(_ name: String) -> String {
    name + String(repeating: " ", count: max(0, 9 - name.count))
  }
}
