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
    if let old = before.variant, let new = after.variant {
      let edits = GuideText.edits(from: GuideText.texts(old), to: GuideText.texts(new))
      rows += edits.map { ("guide", "\($0.place): \($0.summary)") }
    }
    func add(_ name: String, _ names: [String]) {
      guard !names.isEmpty else { return }
      rows.append((name, names.listed(maximumCases)))
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
