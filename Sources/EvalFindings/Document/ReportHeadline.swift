import EvalRecords
import EvalStatistics

extension RunState {
  /// The state in words.
  public var word: String {
    switch self {
    case .passed: "Passed"
    case .gateMissed: "Gate missed"
    case .regressed: "Regressed"
    case .improved: "Improved"
    case .unchanged: "No change"
    case .inconclusive: "Inconclusive"
    case .acknowledged: "Acknowledged"
    case .notComparable: "Not comparable"
    case .broken: "Broken"
    case .interrupted: "Interrupted"
    case .notJudged: "Not judged"
    case .empty: "Nothing ran"
    case .lab: "Lab"
    }
  }

  /// A symbol for the state, so that its meaning doesn't depend on color.
  public var glyph: String {
    switch self {
    case .passed: "✓"
    case .gateMissed, .regressed, .broken: "✗"
    case .improved: "▲"
    case .unchanged: "≈"
    case .inconclusive: "?"
    case .notComparable, .interrupted, .empty, .lab: "!"
    case .notJudged, .acknowledged: "•"
    }
  }
}

/// The headline of a report: a state, and a sentence with counts.
///
/// The page, its title, the Markdown summary, JUnit's properties and the terminal all use the same
/// words.
public struct ReportHeadline: Sendable, Hashable {
  /// A piece of the sentence.
  public enum Phrase: Sendable, Hashable {
    /// Plain words.
    case text(String)
    /// A name or path, which reports set in code type.
    case code(String)
    /// A problem or an improvement, with a link to the part of the page that explains it.
    case finding(String, target: String?, isGood: Bool)
  }

  /// The state.
  public let state: RunState
  /// The sentence about what happened, followed by notes on what was left out or is missing.
  public private(set) var phrases: [Phrase]
  /// The details below the sentence: intervals, p-values, other changes and problems.
  public private(set) var details: [Phrase]

  /// A symbol for the state, so that its meaning doesn't depend on color.
  public var glyph: String { state.glyph }

  /// The state in words, with the day since when the findings are acknowledged.
  public var word: String { since.map { "\(state.word), since \($0)" } ?? state.word }
  /// The day since when the findings are acknowledged, or `nil` in any other state.
  package let since: String?

  /// Whether the state is neither good news nor bad news.
  package var isOpen: Bool { !isBad && ![.passed, .improved, .unchanged].contains(state) }

  /// Whether the state is bad news.
  public var isBad: Bool {
    switch state {
    case .gateMissed, .regressed, .broken: true
    default: false
    }
  }

  /// The sentence as plain text, without the glyph and the word of the state.
  public var sentence: String { Self.plain(phrases) }

  /// The details as plain text, or an empty string if there are none.
  public var detailText: String { Self.plain(details) }

  private static func plain(_ phrases: [Phrase]) -> String {
    phrases.map { phrase in
      switch phrase {
      case .text(let text), .code(let text), .finding(let text, _, _): text
      }
    }.joined()
  }

  /// The state and the sentence as plain text: `✓ Passed. The gate passed: 9 of 10 attempts …`.
  public var text: String { "\(glyph) \(word). \(sentence)" }

  init(
    summary: RunSummary, baseline: RunSummary?, gates: [GateResultRecord],
    comparisons: [ReportComparison], conclusion: Conclusion,
    references: ReportReferences? = nil, acknowledged: AcknowledgedFindings? = nil
  ) {
    let records = comparisons.map(\.record)
    state = Self.state(
      conclusion, summary: summary, gates: gates, comparisons: records,
      open: acknowledged?.verdicts)
    since = state == .acknowledged ? acknowledged?.since : nil
    var parts: [HeadlinePart] = []
    // If nothing changed, readers still want to know how many attempts fail.
    let isAboutRates = records.isEmpty || state == .unchanged || gates.contains { !$0.isPassed }
    let unjudged = HeadlinePart.unjudged(summary)
    // The sentence about the models has the rate, too.
    if summary.tally.attempts > 0, isAboutRates, unjudged.isEmpty || !gates.isEmpty {
      let regressed = records.flatMap(\.effects).filter { $0.verdict == .regressed }
      parts.append(
        .gates(
          gates, summary: summary, baseline: baseline, comparisons: records,
          explained: Set(regressed.map(\.place.candidate.suite)),
          first: acknowledged?.missedGates ?? []))
    }
    let obstacles = HeadlinePart.obstacles(of: records)
    let isAboutEffects = state == .regressed
    if !records.isEmpty {
      let effects = HeadlinePart.effects(
        of: records, after: isAboutEffects ? Sentence() : obstacles, summary: summary)
      // Too many backend errors can break a run whose comparison found nothing.
      let isAboutGates =
        state == .gateMissed || state == .broken && !records.contains { $0.verdict == .broken }
      parts.insert(effects, at: isAboutGates ? parts.count : 0)
    }
    let isAboutModels =
      !unjudged.isEmpty
      && (state == .notJudged || state == .notComparable && records.isEmpty)
    if isAboutModels { parts.insert(HeadlinePart(lead: unjudged), at: 0) }
    if state == .interrupted { parts.insert(.interruption(summary), at: 0) }
    if conclusion == .failed, summary.run.details.hasFailedAudit {
      parts.insert(.audit(summary.run), at: 0)
    }
    // Without gates, only a comparison can say that nothing ran.
    let isAboutErrors =
      conclusion == .failed || conclusion == .nothingRan && gates.isEmpty && !records.isEmpty
    if state == .broken, isAboutErrors, Self.isBroken(summary) {
      parts.insert(.backendErrors(summary, gates, records), at: 0)
    }
    if conclusion == .defect { parts.insert(.defects(summary), at: 0) }
    if state == .empty { parts.insert(.emptyRun(summary.run), at: 0) }
    let about = references.map {
      HeadlinePart.references($0, gates: gates, comparisons: records)
    }
    let isAboutReferences =
      state == .notComparable && !isAboutModels
      && !records.contains { $0.verdict == .notComparable }
    if isAboutReferences, let about { parts.insert(HeadlinePart(lead: about.lead), at: 0) }
    var lead = parts.first?.lead ?? Sentence()
    var details = parts.first?.rest ?? Sentence()
    // If nothing changed, the first sentence says how many attempts pass.
    let isAboutBoth = state == .unchanged && parts.count > 1
    if isAboutBoth { lead.append(parts[1].lead) }
    for (number, part) in parts.enumerated().dropFirst() {
      if number > 1 || !isAboutBoth { details.append(part.lead) }
      details.append(part.rest)
    }
    // Everybody reads the lead, so it names every test case that newly fails, and everything that
    // was left out or is missing.
    let flips = HeadlinePart.flips(of: records)
    if state == .inconclusive || lead.isEmpty {
      let rest = lead
      lead = flips
      lead.append(rest)
    } else {
      lead.append(flips)
    }
    if isAboutEffects { lead.append(obstacles) }
    if !isAboutModels { lead.append(unjudged) }
    lead.append(HeadlinePart.contradictions(of: records))
    if let acknowledged {
      let words = HeadlinePart.acknowledged(acknowledged, namesDay: state != .acknowledged)
      if state == .acknowledged {
        var first = words
        first.append(lead)
        lead = first
      } else {
        lead.append(words)
      }
    }
    lead.append(HeadlinePart.servedChanges(in: records))
    lead.append(HeadlinePart.leftOut(of: records))
    lead.append(HeadlinePart.edited(of: records))
    lead.append(HeadlinePart.cached(summary))
    if let about {
      if !isAboutReferences { lead.append(about.lead) }
      details.append(about.rest)
    }
    phrases = lead.phrases
    self.details = details.phrases
  }

  /// Creates a headline from the findings of a lab.
  ///
  /// The state is `passed` if no mutation survived, even if the mutations broke many answers.
  init(_ lab: LabSummary) {
    let isGood = lab.result.question == .survivors && lab.answers == 0
    state = isGood ? .passed : .lab
    since = nil
    let sentence = VisibleText.line(LabWords.headline(of: lab.result))
    // If the lab found no surviving mutation and no edit that explains a change, the sentence has
    // nothing to link to.
    phrases = [
      lab.answers == 0 ? .text(sentence) : .finding(sentence, target: "lab", isGood: false)
    ]
    details = LabWords.details(of: lab.result).map { [.text($0)] } ?? []
  }

  /// Puts what is new, known and fixed before the sentence.
  package mutating func add(novelty words: String) {
    phrases.insert(.text(words + (phrases.isEmpty ? "" : " ")), at: 0)
  }

  /// Returns the state.
  ///
  /// `open` are the verdicts without what is acknowledged, or `nil` if nothing is.
  private static func state(
    _ conclusion: Conclusion, summary: RunSummary, gates: [GateResultRecord],
    comparisons: [ComparisonRecord], open: [ComparisonVerdict]?
  ) -> RunState {
    if summary.tally.attempts == 0, comparisons.isEmpty { return .empty }
    let verdicts = comparisons.map(\.verdict)
    switch conclusion {
    case .interrupted: return .interrupted
    case .defect, .nothingRan: return .broken
    case .failed:
      // What is acknowledged doesn't fail the run, so the first line is about something else.
      let open = open ?? verdicts
      if summary.run.details.hasFailedAudit { return .broken }
      if open.contains(.regressed) { return .regressed }
      return open.contains(.broken) || isBroken(summary) ? .broken : .gateMissed
    case .notComparable: return .notComparable
    case .acknowledged: return .acknowledged
    case .notJudged: return .notJudged
    case .inconclusive, .passed:
      if summary.run.status != .complete { return .interrupted }
      if conclusion == .inconclusive { return .inconclusive }
      if verdicts.contains(.improved) { return .improved }
      if verdicts.contains(.ok) { return .unchanged }
      return gates.isEmpty || gates.areMostlyLenient ? .notJudged : .passed
    }
  }

  /// Returns whether the backend, not the model, failed in more than 1 % of the attempts, so that
  /// a missed gate is called broken.
  private static func isBroken(_ summary: RunSummary) -> Bool {
    let broken = summary.attempts.count(where: \.isBackendError)
    return broken * 100 > summary.tally.attempts
  }
}
