import EvalFindings
import EvalRecords
import EvalStatistics

/// The first screen: the verdict, the causes of failures with their next steps, the banner for toy
/// models, facts about the run, and the pass rates with their gates.
struct HeadSection {
  let document: ReportDocument

  /// The maximum number of words of the conclusion before its details are folded.
  private static let maximumWords = 60

  func write(to w: inout HTMLWriter) {
    w.element("div", .class("head")) { w in
      w.element("div") { w in
        verdict(to: &w)
        write(document.runStep, "Do next: ", to: &w)
        if let table = ReportTable.glance(document) {
          w.table(table)
          let suites = FewSuites(document)
          w.others(suites)
          let changes = SuiteChanges(document)
          if suites.shown.contains(where: { changes.part($0) != nil }) {
            w.note(
              "The baseline’s rates count the compared attempts: those that both runs have, copies "
                + "only once.")
          }
        }
        if document.lab == nil { CauseSection(document: document).write(to: &w) }
        write(document.alternativeStep, "Or: ", to: &w)
        toyBanner(document.run.backends.filter(\.isToy), to: &w)
        facts(to: &w)
      }
      if let effect = document.headlineEffect {
        figure(of: effect, to: &w)
        return
      }
      let rows = headRows
      if !rows.isEmpty {
        w.figure("Attempts passing", ", \(figureScope), 95\u{A0}% interval") { w in
          IntervalPlots.head(rows, to: &w)
        }
      }
    }
    w.newline()
  }

  /// Plots both sides of the effect that the headline names, because the pass rate of all suites
  /// can move the other way.
  private func figure(of effect: EffectRecord, to w: inout HTMLWriter) {
    let isBad = effect.verdict == .regressed
    let names = document.run.comparison.flatMap { comparison in
      document.lab != nil
        ? (comparison.baseline, "all edits")
        : comparison.candidates.count == 1 ? (comparison.baseline, comparison.candidates[0]) : nil
    }
    let title = ClippedText.line(effect.title, limit: HeadlinePart.maximumName)
    let place = ClippedText.line(effect.place.candidate.suite, limit: HeadlinePart.maximumName)
    w.figure(title, ", \(place), 95\u{A0}% interval") { w in
      IntervalPlots.head(
        [
          .init(name: names?.0 ?? "baseline", effect.baseline, isBaseline: true, isBad: false),
          .init(name: names?.1 ?? "this run", effect.candidate, isBaseline: false, isBad: isBad),
        ], isFromZero: effect.quantity != .passRate, to: &w)
    }
  }

  private func verdict(to w: inout HTMLWriter) {
    let headline = document.headline
    // A long sentence gets smaller type, so that the numbers below it stay on the first screen.
    let length = headline.sentence.count
    w.element(
      "p", .class(length > 320 ? "verdict longest" : length > 160 ? "verdict long" : "verdict")
    ) { w in
      w.element(
        "b", .class(headline.isBad ? "bad" : ""), text: "\(headline.glyph) \(headline.word).")
      w.text(" ")
      phrases(headline.phrases, to: &w)
    }
    guard !headline.details.isEmpty else { return }
    func details(to w: inout HTMLWriter) {
      w.element("p", .class("found")) { w in phrases(headline.details, to: &w) }
    }
    // Whoever reads the first screen needs the conclusion and the next step, not every number.
    let words = (headline.sentence + headline.detailText).split(whereSeparator: \.isWhitespace)
    guard words.count > Self.maximumWords else { return details(to: &w) }
    w.element("details") { w in
      w.element("summary", text: "The numbers behind this")
      details(to: &w)
    }
  }

  private func write(_ step: RunStep?, _ label: String, to w: inout HTMLWriter) {
    guard let step else { return }
    w.element("p", .class("found")) { w in w.step(label, step.words, step.command) }
  }

  private func phrases(_ phrases: [ReportHeadline.Phrase], to w: inout HTMLWriter) {
    for phrase in phrases {
      switch phrase {
      case .text(let text): w.text(text)
      case .code(let text): w.element("code", text: text)
      case .finding(let text, let target, let isGood):
        let mark = isGood ? "good" : "bad"
        if let target = resolved(target) {
          w.element("a", .class(mark), .fragment(target), text: text)
        } else {
          w.element("span", .class(mark), text: text)
        }
      }
    }
  }

  /// The link target, or `nil` if the page doesn't have it.
  private func resolved(_ target: String?) -> String? {
    guard let target else { return nil }
    return target.hasPrefix("f-") && !FailuresSection(document: document).has(cluster: target)
      ? nil : target
  }

  private func toyBanner(_ toys: [BackendRecord], to w: inout HTMLWriter) {
    guard !toys.isEmpty else { return }
    w.element("p", .class("toy")) { w in
      w.element("b", text: toys.count == 1 ? "Toy model: " : "Toy models: ")
      let whose =
        toys.count == document.run.backends.count
        ? "the numbers" : toys.count == 1 ? "its numbers" : "their numbers"
      w.text("\(whose) \(BackendRecord.toyWords).")
      for (number, backend) in toys.enumerated() {
        w.text(number == 0 ? " " : "; ")
        w.element("code", text: backend.model)
        if !backend.facts.isEmpty { w.text(", " + backend.facts) }
      }
    }
  }

  // MARK: Facts

  /// A fact about the run, and the address of the page that has more about it, if there is one.
  private struct Fact {
    let term: String
    let value: String
    var link: HTMLAttribute?
    var isBad = false
  }

  private func facts(to w: inout HTMLWriter) {
    let run = document.run
    func link(_ number: Int) -> HTMLAttribute? {
      document.linkedRuns.contains(number) ? .own("href", "../\(number)/report.html") : nil
    }
    var facts = [
      Fact(term: "run", value: "\(run.id) · \(Self.date(run.startedAt, run.finishedAt))")
    ]
    if run.status != .complete { facts.append(Fact(term: "status", value: run.status.rawValue)) }
    for backend in run.backends {
      facts.append(
        Fact(term: "backend \(backend.id)", value: "\(backend.model); \(backend.engine)"))
    }
    facts.append(Fact(term: "attempts", value: attempts))
    if let commit = run.commit { facts.append(Fact(term: "commit", value: Self.short(commit))) }
    if !sampling.isEmpty { facts.append(Fact(term: "sampling", value: sampling)) }
    if let gate = document.gates.outcome(isComplete: document.run.status == .complete) {
      facts.append(Fact(term: "gate", value: gate.words, isBad: gate.isBad))
    }
    if let baseline = document.baseline?.run {
      // The commit of an accepted baseline may have been rebased or squashed since, and its run may
      // be in another database.
      let isAccepted = run.details.references?.contains { $0.acceptedAt != nil } == true
      facts.append(
        Fact(
          term: "compared with",
          value: "\(isAccepted ? "accepted baseline: " : "")run \(baseline.id) · "
            + Self.date(baseline.startedAt, nil)
            + (isAccepted ? "" : baseline.commit.map { " · \(Self.short($0))" } ?? ""),
          link: link(baseline.id)))
    }
    if let previous = document.previousRun {
      facts.append(
        Fact(
          term: "previous run",
          value: "run \(previous.run) · \(Self.date(previous.startedAt, nil))",
          link: link(previous.run)))
    }
    if document.hasDashboard {
      facts.append(
        Fact(term: "over time", value: "dashboard", link: .own("href", "../index.html")))
    }
    w.element("dl", .class("meta")) { w in
      for fact in facts {
        w.element("div") { w in
          w.element("dt", text: fact.term)
          w.element("dd", .class(fact.isBad ? "bad" : "")) { w in
            if let link = fact.link {
              w.element("a", link, text: fact.value)
            } else {
              w.text(fact.value)
            }
          }
        }
      }
    }
  }

  private var attempts: String {
    let tally = document.summary.tally
    // A test case counts once, regardless of how many backends and variants it ran on.
    func cases(_ isCounted: (CaseSummary) -> Bool) -> Int {
      Set(
        document.summary.slices.flatMap { slice in
          slice.cases.filter(isCounted).map { [slice.key.suite, $0.id] }
        }
      ).count
    }
    let (all, tried) = (cases { _ in true }, cases { $0.tally.attempts > 0 })
    var text =
      "\(NumberText.grouped(tally.attempts)) on "
      + (tried < all && tried > 0 ? "\(NumberText.grouped(tried)) of " : "")
      + NumberText.count(all, "test case")
    // Suites have variants of their own, so their names don't add up.
    let variants =
      Dictionary(grouping: document.summary.slices, by: \.key.suite)
      .mapValues { Set($0.map(\.key.variant)).count }.values.max() ?? 0
    let backends = Set(document.summary.slices.map(\.key.backend)).count
    if variants > 1 { text += ", \(NumberText.count(variants, "variant"))" }
    if backends > 1 { text += ", \(NumberText.count(backends, "backend"))" }
    if tally.errors > 0 { text += ", \(NumberText.count(tally.errors, "error"))" }
    if document.summary.missing > 0 {
      text += ", \(NumberText.grouped(document.summary.missing)) attempts not run"
    }
    return text
  }

  private var sampling: String {
    let texts = document.run.suites.flatMap { suite in
      suite.distinctSettings.map { settings in
        (settings.samplesNothing ? "greedy" : "t = \(NumberText.fixed(settings.temperature, 2))")
          + ", seed \(suite.seed)"
      }
    }.distinct
    return (texts.prefix(2) + (texts.count > 2 ? ["…"] : [])).joined(separator: "; ")
  }

  /// The beginning of a commit's hash; the footer has the whole hash.
  private static func short(_ commit: String) -> String {
    String(VisibleText.line(commit).prefix(9))
  }

  /// A time range in words: `Fri 20 Nov 2026, 02:00–02:11 UTC`.
  ///
  /// If the start isn't an ISO 8601 time, the result is the recorded text of the start.
  static func date(_ start: String, _ end: String?) -> String {
    func parts(_ text: String) -> (day: String, time: String)? {
      let pieces = text.split(separator: "T")
      guard pieces.count == 2, pieces[0].utf8.count == 10, pieces[1].utf8.count >= 5 else {
        return nil
      }
      return (String(pieces[0]), String(pieces[1].prefix(5)))
    }
    func name(_ day: String) -> String { "\(NightAxis.date(day)) \(day.prefix(4)), " }
    guard let (day, time) = parts(start), NightAxis.day(of: start) != nil else { return start }
    guard let end, let (endDay, endTime) = parts(end), NightAxis.day(of: end) != nil,
      (endDay, endTime) != (day, time)
    else { return name(day) + time + " UTC" }
    return name(day) + time + (day == endDay ? "–" : " – " + name(endDay)) + endTime + " UTC"
  }

  // MARK: Rates

  /// The suites, variants and backend that the figure includes: `menu`,
  /// `all 6 suites, first variants`, `all 6 suites on stub`.
  private var figureScope: String {
    let judged = document.judgedSlices.filter { $0.tally.attempts > 0 }
    let scope = document.pooled(judged).scope
    if scope != "all" { return "the \(scope) suites with a baseline" }
    let suites = Set(judged.map(\.key.suite))
    let made = document.summary.slices.filter { $0.tally.attempts > 0 }
    let backends = Set(judged.map(\.key.backend))
    let isPart = made.contains { !backends.contains($0.key.backend) }
    let place = isPart && backends.count == 1 ? " on \(backends.first ?? "")" : ""
    if suites.count == 1, let only = suites.first {
      return ClippedText.line(only, limit: HeadlinePart.maximumName) + place
    }
    let hasOthers = made.contains { slice in
      suites.contains(slice.key.suite) && backends.contains(slice.key.backend)
        && !judged.contains { $0.key == slice.key }
    }
    let count = NumberText.grouped(suites.count)
    return
      (suites.count < document.run.suites.count
      ? "\(count) of \(document.run.suites.count) suites" : "all \(count) suites")
      + place + (hasOthers ? ", first variants" : "")
  }

  /// Returns whether a pooled rate is below the rate that all gates require, or `true` if the gates
  /// require different rates or there are no gates.
  private func isBelow(_ needed: Set<Double>, _ tally: Tally) -> Bool {
    guard needed.count == 1, let gate = needed.first, let rate = tally.rate else { return true }
    return rate < gate
  }

  /// The rows of the figure: for each backend, the pooled rate of the judged suites.
  ///
  /// If there is a baseline, its rate comes before this run's rate.
  ///
  /// If the run compares two variants, the rows have the variants' names. In a lab that compares
  /// two variants, the rows are the base and all edits together. A lab of mutations has no rows,
  /// because no single rate describes all mutations.
  private var headRows: [IntervalPlots.HeadRow] {
    var judged = document.judgedSlices.filter { $0.tally.attempts > 0 }
    var names: (before: String, after: String)?
    if let lab = document.lab {
      guard let together = lab.result.together else { return [] }
      judged = judged.filter { $0.key.variant == together.variant }
      names = (document.run.comparison?.baseline ?? "base", "all edits")
    } else if let comparison = document.run.comparison, comparison.candidates.count == 1 {
      names = (comparison.baseline, comparison.candidates[0])
    }
    let findings = document.sliceFindings
    let hasBackends = Set(judged.map(\.key.backend)).count > 1
    func name(_ variant: String?, _ backend: String) -> String? {
      variant.map { hasBackends ? "\($0) on \(backend)" : $0 }
    }
    return judged.map(\.key.backend).distinct.prefix(6).flatMap { backend in
      let slices = judged.filter { $0.key.backend == backend }
      let needed = Set(slices.compactMap { $0.gate?.neededRate })
      let pooled = document.pooled(slices)
      var rows: [IntervalPlots.HeadRow] = []
      let compared = document.comparedPasses(of: pooled.slices)
      if let before = pooled.before {
        rows.append(
          .init(
            name: name(names?.before, backend) ?? "baseline",
            share: compared?.before ?? before.share, isBaseline: true, isBad: false, needed: nil))
      }
      // The baseline's rate compares with the rate of the same attempts, not with that of all.
      if pooled.before != nil, let compared, compared.now.count != pooled.now.attempts {
        rows.append(
          .init(
            name: "compared", share: compared.now, isBaseline: false, isBad: false, needed: nil))
      }
      rows.append(
        .init(
          name: name(names?.after, backend) ?? (hasBackends ? backend : "this run"),
          share: pooled.now.share, isBaseline: false,
          isBad: (isBelow(needed, pooled.now) && slices.contains { $0.gate?.isPassed == false })
            || slices.count == 1
              && slices.contains { findings[$0.key]?.passRate?.verdict == .regressed },
          needed: needed.count == 1 ? needed.first { $0 > 0 } : nil))
      return rows
    }
  }
}
