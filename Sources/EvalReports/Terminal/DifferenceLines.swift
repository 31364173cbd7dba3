import EvalFindings
import EvalRecords
import EvalStatistics

/// Writes the difference between two runs for a terminal: a line for each suite, and a line for
/// each test case with a different result.
public enum DifferenceLines {
  private static let maximumCases = 12

  /// Writes the difference.
  ///
  /// - Parameters:
  ///   - difference: The difference.
  ///   - color: Whether to write control sequences for colors.
  /// - Returns: The lines, each ending in a line feed.
  public static func render(_ difference: RunDifference, color: Bool) -> String {
    let style = TextStyle(isOn: color)
    return difference.places.flatMap { place in
      ["  " + summary(place)] + cases(place, style)
    }.map { $0 + "\n" }.joined()
  }

  private static func summary(_ place: RunDifference.Place) -> String {
    let name = VisibleText.line(place.name)
    let after = Share(place.after.passed, of: place.after.attempts)
    guard let before = place.before else {
      return "\(name): \(after.counts) attempts passed; new in this run"
    }
    let answers =
      switch place.changedAnswers {
      case 0: "no answer changed"
      case let count: "\(count.counted("answer")) changed"
      }
    let rate =
      before == place.after
      ? "\(after.counts) attempts passed, as before"
      : "\(Share(before.passed, of: before.attempts).counts) attempts passed, now \(after.counts)"
    return "\(name): \(rate); \(answers)"
  }

  private static func cases(_ place: RunDifference.Place, _ style: TextStyle) -> [String] {
    let lines = place.cases.prefix(maximumCases).map { line($0, style) }
    let rest = place.cases.count - lines.count
    return lines + (rest > 0 ? ["    and \(rest.counted("more test case"))"] : [])
  }

  private static func line(_ change: RunDifference.CaseChange, _ style: TextStyle) -> String {
    let id = VisibleText.line(change.id)
    guard let after = change.after else { return "    removed  \(id)" }
    let now = Share(after.passed, of: after.attempts)
    guard let before = change.before else { return "    new      \(id): \(now.counts) passed" }
    let was = Share(before.passed, of: before.attempts)
    let counts = "\(id): \(was.counts) → \(now.counts)"
    let isWorse = now.value < was.value
    guard now.value != was.value else { return "    same     \(counts)" }
    let word = isWorse ? style.worse("worse ") : style.better("better")
    let failed = isWorse ? change.failed : nil
    let reason = failed.map { "  " + ClippedText.line($0.failureWords, limit: 160) } ?? ""
    return "    \(word)   \(counts)\(reason)"
  }
}
