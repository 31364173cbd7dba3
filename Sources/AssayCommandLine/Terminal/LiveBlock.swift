import EvalFindings
import EvalRecords
import EvalReports
import EvalRunner
import EvalStatistics

/// The live view of a run: at most six lines, which are rebuilt each time the view is drawn.
///
/// ```
///  Running  [04:12]  ━━━━━━━━━━────────  742/1220  60 %  about 2 min 40 s left
///           699 ✓  43 ✗  passing 94.2 %  1 of 5 gates is already missed
///    flashcards  400/400  92.3 %  gate already missed
///    insight     148/240  93.9 %
///    slowest  cocktail/drink-04#3  2.1 s
///    Ctrl-C stops the run and keeps finished attempts
/// ```
struct LiveBlock {
  /// One variant of a suite on one backend, with its numbers of planned, finished and passed
  /// attempts.
  private struct Slice {
    let name: String
    let planned: Int
    /// The share of passes that the gate requires, or `nil` if no gate judges the slice.
    let needed: Double?
    let guardrails: Set<String>
    var made = 0
    var passed = 0
    var hitsGuardrail = false

    /// Whether the gate requires passes.
    ///
    /// If it doesn't, only its other requirements can miss it.
    var requiresPasses: Bool { (needed ?? 0) > 0 }

    /// Whether the required share of passes can't be reached anymore or a guardrail failed.
    var cannotPass: Bool {
      guard let needed else { return false }
      let best = planned - (made - passed)
      return hitsGuardrail || Double(best) / Double(max(planned, 1)) < needed
    }

    /// Whether the gate will be reached even if all remaining attempts fail.
    ///
    /// The value is always false if there are guardrails.
    var isSafe: Bool {
      guard let needed, guardrails.isEmpty else { return false }
      return Double(passed) / Double(max(planned, 1)) >= needed
    }
  }

  private var slices: [SliceKey: Slice] = [:]
  private var order: [SliceKey] = []
  private var recent: [SliceKey] = []
  private(set) var total = 0
  private(set) var done = 0
  private(set) var passed = 0
  private let isJudged: Bool
  private var slowest: (address: String, seconds: Double)?

  private static let shownSlices = 2
  private static let slowSeconds = 1.0

  /// Creates a view for a plan.
  ///
  /// - Parameters:
  ///   - plan: The plan.
  ///   - isGated: Whether gates judge the run; they don't judge a comparison of variants or a lab.
  ///   - isJudged: Whether attempts pass or fail.
  ///   - unjudged: The suites whose gates were written for other models.
  init(
    _ plan: RunPlan, isGated: Bool = true, isJudged: Bool = true, unjudged: [UnjudgedSuite] = []
  ) {
    self.isJudged = isJudged
    var planned: [SliceKey: Int] = [:]
    for job in plan.jobs {
      let key = SliceKey(
        suite: job.request.suite, variant: job.request.variant, backend: job.backend)
      if planned[key] == nil { order.append(key) }
      planned[key, default: 0] += job.repeats.count
    }
    let hasBackends = Set(order.map(\.backend)).count > 1
    for key in order {
      let suite = plan.suites.first { $0.id == key.suite }
      let isDefault =
        isGated && suite?.variants.first?.id == key.variant
        && !unjudged.contains { $0.suite == key.suite && $0.backend == key.backend }
      var name = key.suite
      if suite?.variants.count ?? 1 > 1 { name += ":" + key.variant }
      if hasBackends { name += " on " + key.backend }
      let count = planned[key] ?? 0
      total += count
      slices[key] = Slice(
        name: VisibleText.line(name), planned: count,
        needed: isDefault ? suite?.gate.passRate(for: key.backend) : nil,
        guardrails: isDefault ? Set(suite?.gate.guardrails ?? []) : [])
    }
  }

  /// Adds a finished attempt.
  mutating func add(_ attempt: AttemptRecord) {
    guard attempt.outcome != .skipped else { return }
    done += 1
    let isPass = attempt.outcome == .pass
    if isPass { passed += 1 }
    let key = attempt.key.slice
    slices[key]?.made += 1
    if isPass { slices[key]?.passed += 1 }
    if let guardrails = slices[key]?.guardrails, !guardrails.isEmpty,
      attempt.verdicts.contains(where: {
        $0.verdict == .fail && guardrails.contains($0.assertion)
      })
    {
      slices[key]?.hitsGuardrail = true
    }
    recent.removeAll { $0 == key }
    recent.append(key)
    if attempt.duration > max(slowest?.seconds ?? 0, Self.slowSeconds) {
      slowest = (VisibleText.line(attempt.key.address), attempt.duration)
    }
  }

  /// A description of the gates, such as `2 of 5 gates are already missed`, or an empty string if
  /// no gate requires passes or is missed.
  var gates: String {
    let gated = order.compactMap { slices[$0] }.filter { $0.requiresPasses || $0.cannotPass }
    guard !gated.isEmpty else { return "" }
    let lost = gated.count(where: \.cannotPass)
    if lost > 0 {
      return gated.count == 1
        ? "the gate is already missed"
        : "\(lost) of \(gated.count) gates \(lost == 1 ? "is" : "are") already missed"
    }
    let safe = gated.count(where: \.isSafe)
    if safe == gated.count {
      return gated.count == 1 ? "the gate is reached" : "all gates are reached"
    }
    return gated.count == 1 ? "the gate can be reached" : "all \(gated.count) gates can be reached"
  }

  /// Returns the progress as one line for a log: counts, elapsed and remaining time, and gates.
  ///
  /// - Parameters:
  ///   - elapsed: Seconds since the run began.
  ///   - left: The words about the remaining time, or `nil` to leave them out.
  func line(elapsed: Double, left: String? = nil) -> String {
    let share = total > 0 ? done * 100 / total : 100
    let width = "\(total)".count
    let count = "\(done)"
    let padding = String(repeating: " ", count: max(0, width - count.count))
    return "[\(padding)\(count)/\(total)] \(share)%  \(Self.clock(elapsed))"
      + (isJudged ? "  \(passed) ok  \(done - passed) not ok" : "")
      + (left.map { "  \($0)" } ?? "") + (gates.isEmpty || done == passed ? "" : "  \(gates)")
  }

  /// Returns the lines of the view.
  ///
  /// - Parameters:
  ///   - elapsed: Seconds since the run began.
  ///   - left: The words about the remaining time, or `nil` to leave them out.
  ///   - width: The maximum width of a line: the terminal's width in columns.
  ///   - style: The style of the text.
  func lines(
    elapsed: Double, left: String? = nil, width: Int, style: TextStyle
  ) -> [String] {
    let percent = total > 0 ? done * 100 / total : 100
    let counts = "  \(done)/\(total)  \(percent) %" + (left.map { "  \($0)" } ?? "")
    let head = " Running  [\(Self.clock(elapsed))]  "
    let bar = max(0, min(40, width - 1 - head.count - counts.count))
    let filled = total > 0 ? bar * done / total : bar
    let (bold, dim, blue, red) = Self.paints(style)
    var first = [Part(head, bold)]
    first.append(Part(String(repeating: "━", count: filled), blue))
    first.append(Part(String(repeating: "─", count: bar - filled), dim))
    first.append(Part(counts))
    var lines: [[Part]] = isJudged ? [first, rates(style)] : [first]
    let shown = recent.suffix(Self.shownSlices).compactMap { slices[$0] }
    let widest = shown.map(\.name.displayWidth).max() ?? 0
    for slice in shown {
      let padding = String(repeating: " ", count: widest - slice.name.displayWidth)
      let share = 100 * Double(slice.passed) / Double(max(slice.made, 1))
      let text =
        "   \(slice.name)\(padding)  \(slice.made)/\(slice.planned)"
        + (isJudged ? "  \(Self.decimal(share)) %" : "")
      var row = [Part(text)]
      if slice.cannotPass { row.append(Part("  gate already missed", red)) }
      lines.append(row)
    }
    if let slowest {
      let text = "   slowest  \(slowest.address)  \(Self.decimal(slowest.seconds)) s"
      let row = [Part(text, dim)]
      lines.append(row)
    }
    let last = [Part("   Ctrl-C stops the run and keeps finished attempts", dim)]
    lines.append(last)
    return lines.map { Self.painted($0, width: width - 1) }
  }

  /// Returns the numbers of passed and failed attempts, the pass rate, and the
  /// state of the gates.
  private func rates(_ style: TextStyle) -> [Part] {
    let share = Self.decimal(100 * Double(passed) / Double(max(done, 1)))
    let isLost = order.contains { slices[$0]?.cannotPass == true }
    let failed = done - passed
    let gates = self.gates
    let (_, dim, _, red) = Self.paints(style)
    var parts = [Part("          ")]
    parts.append(Part("\(passed) ✓") { style.good($0) })
    parts.append(Part("  "))
    parts.append(Part("\(failed) ✗", failed == 0 ? dim : red))
    if done > 0 { parts.append(Part("  passing \(share) %")) }
    if !gates.isEmpty { parts.append(Part("  \(gates)", isLost ? red : dim)) }
    return parts
  }

  private typealias Paint = (String) -> String

  /// Returns functions that make text bold, dim, blue and red.
  private static func paints(_ style: TextStyle) -> (Paint, Paint, Paint, Paint) {
    let bold: Paint = { style.bold($0) }
    let dim: Paint = { style.dim($0) }
    let blue: Paint = { style.better($0) }
    let red: Paint = { style.worse($0) }
    return (bold, dim, blue, red)
  }

  /// A piece of a line, and the function that applies its style.
  private struct Part {
    let text: String
    let paint: (String) -> String

    init(_ text: String, _ paint: @escaping (String) -> String = { $0 }) {
      self.text = text
      self.paint = paint
    }
  }

  /// Joins the pieces of a line, cuts them to a width in columns, and applies their styles.
  private static func painted(_ parts: [Part], width: Int) -> String {
    var line = ""
    var room = width
    for part in parts where !part.text.isEmpty && room > 0 {
      let cut = part.text.cut(toWidth: room)
      line += part.paint(cut)
      room -= cut.displayWidth
    }
    return line
  }

  private static func decimal(_ value: Double) -> String {
    let tenths = Int((min(max(value, 0), 1e9) * 10).rounded())
    return "\(tenths / 10).\(tenths % 10)"
  }

  private static func clock(_ seconds: Double) -> String {
    let whole = Int(min(max(seconds, 0).rounded(.up), 359_999))
    func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
    return "\(two(whole / 60)):\(two(whole % 60))"
  }
}
