import EvalFindings
import EvalRecords
import EvalReports
import EvalRunner

/// Shows the progress of a run, and failures as soon as they happen.
///
/// On a terminal, the reporter shows the progress as a block that it keeps redrawing. Elsewhere, it
/// prints a line after each tenth of the attempts, and after half a minute without a line. For a
/// run of fewer than 20 attempts, it prints a line only each half minute.
struct ProgressReporter {
  /// The failures to show while the run is in progress.
  enum Failures: String, Sendable, CaseIterable {
    /// The first two failures of each kind; further failures are only counted.
    case kind
    case all
    /// No failures; `lab` uses this case because it expects its mutations to cause failures.
    case none
  }

  private let console: Console
  private let failures: Failures
  private let startedAt: Double
  private var block: LiveBlock
  private var forecast: RunForecast?
  /// The ids of the suites that run in several variants.
  private let suitesWithVariants: Set<String>
  private let hasBackends: Bool
  private var seenKinds: [String: Int] = [:]
  private var lastTenth = 0
  private var lastTold: Double
  private var lastDrawn = -1.0
  /// The number of lines of the block on the terminal.
  private var drawnLines = 0

  /// Creates a reporter.
  ///
  /// - Parameters:
  ///   - console: The destination of the text.
  ///   - plan: The plan of the whole run.
  ///   - done: The attempts that a resumed run already has.
  ///   - failures: The failures to show.
  ///   - isGated: Whether gates judge the run.
  ///   - isJudged: Whether attempts pass or fail.
  ///   - unjudged: The suites whose gates were written for other models.
  ///   - forecast: The forecast of the run's time, or `nil` to say nothing about it.
  ///   - now: The time in seconds, on the same clock as in later calls.
  init(
    console: Console, plan: RunPlan, done: [AttemptRecord] = [], failures: Failures = .kind,
    isGated: Bool = true, isJudged: Bool = true, unjudged: [UnjudgedSuite] = [],
    forecast: RunForecast? = nil, now: Double
  ) {
    self.console = console
    self.failures = failures
    startedAt = now
    lastTold = now
    block = LiveBlock(plan, isGated: isGated, isJudged: isJudged, unjudged: unjudged)
    self.forecast = forecast
    suitesWithVariants = Set(plan.suites.filter { $0.variants.count > 1 }.map(\.id))
    hasBackends = Set(plan.jobs.map(\.backend)).count > 1
    for attempt in done { block.add(attempt) }
  }

  /// Adds a finished attempt.
  mutating func finished(_ attempt: AttemptRecord, now: Double) {
    block.add(attempt)
    forecast?.finish(attempt)
    // Don't show skipped attempts: a warning says how many there are.
    if attempt.outcome != .pass, attempt.outcome != .skipped, failures != .none {
      tellFailure(attempt)
    }
    if console.isInteractive { return tick(now: now, isForced: block.done == block.total) }
    let tenth = block.total < 20 ? 0 : block.done * 10 / block.total
    if tenth > lastTenth {
      lastTenth = tenth
      tellLine(now: now)
    } else {
      tick(now: now)
    }
  }

  /// Prints the progress as a line.
  private mutating func tellLine(now: Double) {
    lastTold = now
    let elapsed = now - startedAt
    console.notes(block.line(elapsed: elapsed, left: left(elapsed)) + "\n")
  }

  /// The words about the remaining time, or `nil` if there is no forecast.
  private func left(_ elapsed: Double) -> String? {
    guard let forecast, block.done < block.total else { return nil }
    return ForecastWords.left(forecast.estimate(elapsed: elapsed))
  }

  /// The time after which a log gets a line even if nothing has finished, in seconds.
  private static let longestSilence = 30.0

  /// Redraws the block, at most ten times a second unless `isForced` is true; in a log, prints a
  /// line if there has been none for half a minute.
  mutating func tick(now: Double, isForced: Bool = false) {
    guard console.isInteractive else {
      if now - lastTold >= Self.longestSilence { tellLine(now: now) }
      return
    }
    guard isForced || now - lastDrawn >= 0.1 else { return }
    lastDrawn = now
    let lines = block.lines(
      elapsed: now - startedAt, left: left(now - startedAt), width: console.currentWidth,
      style: console.noteStyle)
    console.notes(erasing + lines.joined(separator: "\n"))
    drawnLines = lines.count
  }

  /// Removes the block.
  mutating func end() {
    guard drawnLines > 0 else { return }
    console.notes(erasing)
    drawnLines = 0
  }

  /// The control sequence that removes the block: it moves the cursor to the first line, and clears
  /// everything from there on.
  private var erasing: String {
    guard drawnLines > 0 else { return "" }
    return "\r" + (drawnLines > 1 ? "\u{1B}[\(drawnLines - 1)A" : "") + "\u{1B}[J"
  }

  /// The number of failures of each kind to show.
  private static let shownOfAKind = 2

  private mutating func tellFailure(_ attempt: AttemptRecord) {
    let what = attempt.headline
    let kind = "\(attempt.key.suite) \(attempt.key.variant) \(attempt.key.backend) \(what)"
    let count = (seenKinds[kind] ?? 0) + 1
    seenKinds[kind] = count
    guard failures == .all || count <= Self.shownOfAKind else { return }
    end()
    let style = console.noteStyle
    let sign = attempt.outcome == .error ? "! error" : "✗ fail "
    let isLast = failures == .kind && count == Self.shownOfAKind
    let more =
      isLast ? style.dim("  (--failures all shows further failures of this kind)") : ""
    let words = ClippedText.line(what, limit: 300)
    console.notes(
      "  \(style.worse(sign))  \(VisibleText.line(name(attempt.key)))  \(words)\(more)\n")
  }

  /// The address of an attempt, with the variant and the backend if the run has several:
  /// `receipt/museum#0 (short on local)`.
  private func name(_ key: AttemptKey) -> String {
    let parts = [
      suitesWithVariants.contains(key.suite) ? key.variant : nil,
      hasBackends ? "on \(key.backend)" : nil,
    ].compactMap(\.self)
    return key.address + (parts.isEmpty ? "" : " (\(parts.joined(separator: " ")))")
  }
}

extension AttemptRecord {
  /// The problem in one line: the failure, the first failed verdict, or the fact that every verdict
  /// is vacuous.
  var headline: String {
    if let failure { return "\(failure.kind.rawValue): \(failure.message)" }
    if let verdict = verdicts.first(where: { $0.verdict == .fail }) {
      return "\(verdict.type) \(verdict.path) is \(verdict.actual), expected \(verdict.expected)"
    }
    if !verdicts.isEmpty, verdicts.allSatisfy({ $0.verdict == .vacuous }) {
      return "every verdict is vacuous"
    }
    return outcome.rawValue
  }
}
