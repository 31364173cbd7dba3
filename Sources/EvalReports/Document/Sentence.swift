import EvalRecords

/// Builds the sentence of a headline.
struct Sentence {
  private(set) var phrases: [ReportHeadline.Phrase] = []

  private static let maximumFindings = 2

  mutating func text(_ text: String) { phrases.append(.text(text)) }

  private mutating func finding(_ text: String, _ target: String?) {
    phrases.append(.finding(VisibleText.line(text), target: target))
  }

  private mutating func code(_ text: String) { phrases.append(.code(VisibleText.line(text))) }

  private mutating func space() { if !phrases.isEmpty { text(" ") } }

  /// How far an interrupted run came.
  mutating func interruption(_ summary: RunSummary) {
    let made = summary.tally.attempts
    // A merge knows the cases of the shares that it has, and not of those that are missing.
    guard summary.missing > 0 else {
      text(
        "The run was not ended, or a share of it is missing; what ran is kept and is never a "
          + "baseline.")
      return
    }
    text(
      "The run stopped after \(NumberText.grouped(made)) of "
        + "\(NumberText.count(made + summary.missing, "planned attempt"));"
        + " what ran is kept and is never a baseline.")
  }

  /// What the gates say: all reached, or which were missed and by how much.
  mutating func gates(_ gates: [GateResultRecord], summary: RunSummary) {
    space()
    let missed = gates.filter { !$0.isPassed }
    guard let first = missed.first else {
      let passed = gates.reduce(0) { $0 + $1.passed }
      let attempts = gates.reduce(0) { $0 + $1.attempts }
      let share =
        gates.isEmpty
        ? Share(summary.tally.passed, of: summary.tally.attempts) : Share(passed, of: attempts)
      let reached =
        gates.count == 1 ? "The gate is reached: " : "All \(gates.count) gates are reached: "
      text(
        (gates.isEmpty ? "" : reached)
          + "\(NumberText.grouped(share.hits)) of \(NumberText.count(share.count, "attempt")) pass"
          + " (\(share.percent), 95\u{A0}% interval \(share.interval)).")
      return
    }
    code(Self.name(of: first, summary))
    let share = Share(first.passed, of: first.attempts)
    text(" passes ")
    finding("\(share.counts)", "suites")
    text(
      " attempts (\(share.percent), 95\u{A0}% interval \(share.interval); needs "
        + NumberText.percent(first.neededRate, decimals: Self.decimals(first.neededRate)) + ")")
    for hit in first.guardrailHits.prefix(2) {
      text("; its guardrail ")
      code(hit.assertion)
      text(" failed \(NumberText.count(hit.count, "time"))")
    }
    for miss in first.misses.prefix(2) { text("; \(VisibleText.line(miss))") }
    let others = missed.count - 1
    text(
      others == 0
        ? missed.count == gates.count ? "." : ". The other gates are reached."
        : ". \(NumberText.count(others, "more gate")) of \(gates.count)"
          + " \(others == 1 ? "is" : "are") missed.")
  }

  private static func name(of gate: GateResultRecord, _ summary: RunSummary) -> String {
    let key = SliceKey(suite: gate.suite, variant: gate.variant, backend: gate.backend)
    return summary.slice(key)?.name ?? "\(gate.suite):\(gate.variant) on \(gate.backend)"
  }

  static func decimals(_ rate: Double) -> Int {
    let percent = rate * 100
    return abs(percent - percent.rounded()) < 1e-9 ? 0 : 1
  }

  /// The most telling failures: empty arrays first, then wrong branches, then bounds.
  mutating func findings(summary: RunSummary, baseline: RunSummary?) {
    let hasGates = summary.slices.contains { $0.gate != nil }
    let judged = Set(
      summary.slices.filter { hasGates ? $0.gate != nil : true }.map(\.key))
    let clusters = summary.clusters.filter { judged.contains($0.slice) }
      .enumerated().sorted { Self.rank($0) < Self.rank($1) }
      .map(\.element)
    for cluster in clusters.prefix(Self.maximumFindings) {
      space()
      describe(cluster, summary: summary, baseline: baseline)
    }
    let rest = clusters.dropFirst(Self.maximumFindings)
    if !rest.isEmpty {
      let attempts = rest.reduce(0) { $0 + $1.attempts.count }
      text(
        " \(NumberText.count(attempts, "more attempt")) did not pass.")
    }
  }

  /// What happened once tells less than what happens again and again.
  private static func rank(_ entry: (offset: Int, element: FailureCluster)) -> (Int, Int, Int) {
    (entry.element.attempts.count > 1 ? 0 : 1, entry.element.kind.rawValue, entry.offset)
  }

  private mutating func describe(
    _ cluster: FailureCluster, summary: RunSummary, baseline: RunSummary?
  ) {
    let hits = cluster.attempts.count
    let count = summary.slice(cluster.slice)?.tally.attempts ?? hits
    let counts = "\(NumberText.grouped(hits)) of \(NumberText.grouped(count))"
    let was =
      baseline.map { run in
        let before = run.clusters.first { $0.identity == cluster.identity }
        return "; baseline \(NumberText.grouped(before?.attempts.count ?? 0))"
      } ?? ""
    switch cluster.kind {
    case .emptyArray:
      code(cluster.path)
      text(" of \(VisibleText.line(cluster.sliceName)) came back ")
      finding(
        "empty " + (NumberText.oneTimeIn(hits, of: count) ?? NumberText.count(hits, "time")),
        cluster.id)
      text(" (\(counts)\(was)).")
    case .wrongBranch where !cluster.actual.isEmpty:
      let confusion = summary.confusions.first {
        $0.slice == cluster.slice && $0.path == cluster.path
      }
      let row = confusion.flatMap { $0.branches.firstIndex(of: cluster.expected) }
      let expected = row.flatMap { confusion?.recall($0).count } ?? count
      let counts = "\(NumberText.grouped(hits)) of \(NumberText.grouped(expected))"
      text("In \(VisibleText.line(cluster.sliceName)), ")
      code(cluster.expected)
      text(" was ")
      finding("read as \(cluster.actual)", cluster.id)
      text(" (\(counts)\(was)).")
    case .error:
      text("In \(VisibleText.line(cluster.sliceName)), ")
      finding("\(NumberText.count(hits, "attempt")) ended in \(cluster.type)", cluster.id)
      text(" (\(counts)\(was)).")
    case .bounds where !cluster.actual.isEmpty:
      text("In \(VisibleText.line(cluster.sliceName)), ")
      code(cluster.path)
      text(" had ")
      finding(cluster.actual, cluster.id)
      text(" (\(counts)\(was)).")
    default:
      text("In \(VisibleText.line(cluster.sliceName)), ")
      finding(
        cluster.kind == .vacuous ? "there was nothing to check" : "“\(cluster.assertion)” failed",
        cluster.id)
      text(" (\(counts)\(was)).")
    }
  }

  /// The two most telling effects of the comparisons, and what became of the others.
  mutating func effects(of comparisons: [ComparisonRecord]) {
    for comparison in comparisons where !comparison.differences.isEmpty {
      guard comparison.verdict == .notComparable || comparison.verdict == .broken else { continue }
      space()
      text(
        VisibleText.line(
          "\(comparison.baseline) and \(comparison.candidate): "
            + comparison.differences.prefix(3).joined(separator: "; ") + "."))
    }
    let all = comparisons.flatMap(\.effects)
    let telling = all.enumerated()
      .filter { $0.element.verdict == .regressed || $0.element.verdict == .improved }
      .sorted { Self.precedes($0, $1) }.map(\.element)
    var scope: String?
    for effect in telling.prefix(Self.maximumFindings) {
      space()
      describe(effect, isNewScope: effect.scope != scope)
      scope = effect.scope
    }
    let rest = all.count - min(telling.count, Self.maximumFindings)
    let moved = telling.count - min(telling.count, Self.maximumFindings)
    let unknown = all.count { $0.verdict == .inconclusive }
    guard rest > 0 else { return }
    space()
    if moved > 0 {
      text("\(NumberText.count(moved, "more quantity", plural: "more quantities")) moved.")
    } else if unknown > 0 {
      let names = NumberText.count(unknown, "quantity", plural: "quantities")
      text("For \(names) the sample is too small to tell.")
    } else {
      text(telling.isEmpty ? "No change was shown." : "Everything else moved within noise.")
    }
  }

  private static func precedes(
    _ left: (offset: Int, element: EffectRecord), _ right: (offset: Int, element: EffectRecord)
  ) -> Bool {
    func rank(_ effect: EffectRecord) -> Int {
      let isWorse = effect.verdict == .regressed ? 0 : 10
      switch effect.kind {
      case .emptyArrays: return isWorse
      case .wrongBranch: return isWorse + 1
      case .probabilityEmpty: return isWorse + 2
      case .probabilityWrongBranch, .missedBranch: return isWorse + 3
      case .probabilityMissedBranch: return isWorse + 4
      case .passRate, .pooledPassRate: return isWorse + 5
      case .probabilityBelow: return isWorse + 6
      case .assertionFailures: return isWorse + 7
      }
    }
    return (rank(left.element), left.offset) < (rank(right.element), right.offset)
  }

  private mutating func describe(_ effect: EffectRecord, isNewScope: Bool) {
    let (before, after) = (effect.baseline, effect.candidate)
    if isNewScope { text("In \(VisibleText.line(effect.scope)), ") }
    func was() -> String {
      guard let hits = before.hits else {
        return "; baseline \(NumberText.percent(before.value))"
      }
      return "; baseline \(NumberText.grouped(hits)) of \(NumberText.grouped(before.count))"
    }
    let counts = after.hits.map {
      "\(NumberText.grouped($0)) of \(NumberText.grouped(after.count))"
    }
    let p = effect.adjustedP ?? effect.pValue
    let significance = p.map { ", p \(Self.withSign(NumberText.pValue($0)))" } ?? ""
    switch (effect.kind, after.hits, counts) {
    case (.emptyArrays, let hits?, let counts?):
      let often = NumberText.oneTimeIn(hits, of: after.count)
      text(isNewScope ? "arrays came back " : "Arrays came back ")
      finding("empty " + (often ?? NumberText.count(hits, "time")), "comparison")
      text(" (\(counts)\(was())\(significance)).")
    case (.wrongBranch, _, let counts?):
      finding("\(isNewScope ? "the" : "The") wrong branch was taken \(counts) times", "comparison")
      text(" (\(was().dropFirst(2))\(significance)).")
    case (.passRate, _, let counts?):
      finding("\(counts) attempts pass", "comparison")
      text(" (\(was().dropFirst(2))\(significance)).")
    case (.pooledPassRate, _, let counts?):
      finding("\(counts) attempts pass", "comparison")
      text(" (with earlier runs as the baseline \(NumberText.grouped(before.hits ?? 0)) of ")
      text("\(NumberText.grouped(before.count))\(significance)).")
    default:
      code(effect.title)
      text(after.value >= before.value ? " rose from " : " fell from ")
      text(NumberText.percent(before.value) + " to ")
      finding(NumberText.percent(after.value), "comparison")
      text(" (\(NumberText.points(effect.change)) points\(significance)).")
    }
  }

  private static func withSign(_ p: String) -> String { p.hasPrefix("<") ? p : "= " + p }
}
