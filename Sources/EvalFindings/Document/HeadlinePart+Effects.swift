import EvalRecords
import EvalStatistics

extension HeadlinePart {
  private static let maximumEffects = 3
  private static let maximumObstacles = 3
  /// The maximum size, in bytes, of the reasons why comparisons are impossible.
  private static let maximumReasons = 220
  /// The maximum size, in bytes, of a side's name in these reasons.
  private static let maximumSide = 40

  /// The reasons why comparisons are impossible or broken; the sentence is empty if none is.
  static func obstacles(of comparisons: [ComparisonRecord]) -> Sentence {
    var sentence = Sentence()
    let impossible = [ComparisonVerdict.broken, .notComparable].flatMap { verdict in
      comparisons.filter { !$0.differences.isEmpty && $0.verdict == verdict }
    }
    for comparison in impossible.prefix(maximumObstacles) {
      sentence.space()
      let sides = [comparison.baseline, comparison.candidate].map {
        ClippedText.line($0.words, limit: maximumSide)
      }
      let reasons = comparison.obstacles.prefix(3).map(\.words).joined(separator: "; ")
      let room = maximumReasons / min(impossible.count, maximumObstacles)
      sentence.text(
        "\(sides.joined(separator: " and ")): "
          + Self.ended(ClippedText.line(reasons, limit: room)))
    }
    let more = impossible.count - maximumObstacles
    if more > 0 { sentence.text(" \(more.counted("other suite")) can't be compared either.") }
    return sentence
  }

  /// The most telling effects of the comparisons, followed by a summary of the others.
  ///
  /// If comparisons are impossible, and that decides the headline's state, the obstacles lead, and
  /// the effects are details. The run may have more attempts than were compared.
  package static func effects(
    of comparisons: [ComparisonRecord], after obstacles: Sentence = Sentence(),
    summary: RunSummary? = nil
  ) -> HeadlinePart {
    var part = HeadlinePart(lead: obstacles)
    let all = comparisons.flatMap(\.effects)
    let telling = Self.telling(all)
    let deciding = telling.filter(\.isGating)
    let places = PlaceNames(all.map(\.place))
    if let first = deciding.first {
      let scope = CountedScope(first, among: all, summary)
      var clause = Sentence()
      clause.effect(first, in: places.name(first.place), of: scope)
      let others = Set(deciding.filter { $0.verdict == first.verdict }.map(\.place)).count - 1
      if others > 0 {
        let word = first.verdict == .regressed ? "worse" : "better"
        clause.text(", and \(NumberText.count(others, "more suite")) got \(word)")
      }
      clause.text(".")
      if part.lead.isEmpty { part.lead = clause } else { part.rest = clause }
      part.rest.space()
      if first.isPossible {
        let difference = Self.difference(first)
        part.rest.text("A \(difference)." + (scope.map { " " + $0.sentence } ?? ""))
      }
    }
    var last = deciding.first?.place
    // If a quantity was compared with the baseline and with the pooled history, one sentence is
    // enough. The tables show both.
    let others = telling.enumerated().filter { number, effect in
      (number > 0 || deciding.isEmpty) && effect.isPossible
        && !telling.enumerated().contains { other, same in
          same.place == effect.place && same.quantity == effect.quantity
            && same.evidence == effect.evidence && same.reference != effect.reference
            && (same.reference == .baseline || other == 0)
        }
    }.map(\.element)
    for effect in others.prefix(maximumEffects - 1) {
      part.rest.space()
      if effect.place != last {
        part.rest.text(
          "In \(ClippedText.line(places.name(effect.place), limit: maximumName)), ")
      }
      last = effect.place
      part.rest.name(effect.title)
      let isHigher = effect.candidate.value >= effect.baseline.value
      let isGood = effect.verdict == .improved
      part.rest.text(isHigher ? " rose from " : " fell from ")
      part.rest.text("\(effect.baseline.percent) to ")
      part.rest.finding(effect.candidate.percent, "comparison", isGood: isGood)
      var notes: [String?] = [Self.numbers(effect)]
      // After a regression, readers expect another regression, so say that this change is for the
      // better.
      if isGood, deciding.first?.verdict == .regressed { notes.append("better") }
      if !effect.isGating { notes.append("doesn’t decide the verdict") }
      let words = notes.compactMap(\.self).joined(separator: ", ")
      part.rest.text(words.isEmpty ? "." : " (\(words)).")
    }
    part.passRate(beside: deciding.first, all)
    part.others(comparisons, beyond: telling, summary)
    return part
  }

  /// Says what happened to the pass rate if the headline's regression is about something else.
  ///
  /// Without this sentence, readers would wonder why a run is worse although its pass rate rose.
  private mutating func passRate(beside first: EffectRecord?, _ all: [EffectRecord]) {
    guard let first, first.verdict == .regressed, first.isGating,
      let rate = all.first(where: {
        $0.quantity == .passRate && $0.place == first.place && $0.reference == .baseline
      }), rate.verdict != .regressed, rate.isPossible
    else { return }
    let (before, after) = (rate.baseline.percent, rate.candidate.percent)
    let words =
      before == after
      ? "The pass rate stayed at \(after)"
      : "The pass rate went from \(before) to \(after) (\(rate.verdict.word))"
    rest.add("\(words), but a suite is worse if any of its quantities is.")
  }

  private static let maximumLeftOut = 160

  /// Names what changed by itself in served models, for example the version behind a name.
  static func servedChanges(in comparisons: [ComparisonRecord]) -> Sentence {
    var sentence = Sentence()
    let changes = comparisons.flatMap(\.differences).compactMap { difference -> String? in
      guard case .servedChange = difference.fact else { return nil }
      let backend = difference.place?.candidate.backend ?? ""
      return "On \(VisibleText.line(backend)), \(difference.fact.words)"
    }
    for words in changes.distinct.prefix(maximumObstacles) {
      sentence.add(ended(ClippedText.line(words, limit: maximumLeftOut)))
    }
    return sentence
  }

  /// Says what the comparisons leave out, for example `2 new cases, 1 gone`.
  package static func leftOut(of comparisons: [ComparisonRecord]) -> Sentence {
    var sentence = Sentence()
    // A suite that only one side has belongs to no comparison of a suite.
    let suites = comparisons.flatMap(\.unmatchedSuites)
    let all = comparisons.compactMap { record in
      record.leftOutWords(besides: []).map { (record.candidate.suite, $0) }
    }
    guard !all.isEmpty || !suites.isEmpty else { return sentence }
    let parts =
      (suites.isEmpty ? [] : [ComparisonRecord.listed(suites).joined(separator: ", ")])
      + all.prefix(3).map { suite, words in
        comparisons.count > 1
          ? "\(words)\(suite.map { " in \(VisibleText.line($0))" } ?? "")" : words
      }
    let more = all.count > 3 ? "; and more in \((all.count - 3).counted("suite"))" : ""
    let words = ClippedText.line(parts.joined(separator: "; "), limit: maximumLeftOut)
    sentence.text(ended("Left out: \(words)\(more)"))
    return sentence
  }

  /// Returns a text with a full stop added, unless the text was cut and ends in `…`.
  private static func ended(_ text: String) -> String { text.hasSuffix("…") ? text : text + "." }

  /// Summarizes the quantities that the headline doesn't name.
  private mutating func others(
    _ comparisons: [ComparisonRecord], beyond telling: [EffectRecord], _ summary: RunSummary?
  ) {
    let all = comparisons.flatMap(\.effects)
    let isDecided = telling.contains(where: \.isGating)
    let moved =
      telling.count - min(telling.count, isDecided ? Self.maximumEffects : Self.maximumEffects - 1)
    let unknown = all.count { $0.verdict == .inconclusive }
    var words = Sentence()
    if moved > 0 {
      let names = NumberText.count(moved, "other quantity", plural: "other quantities")
      words.text("\(names) clearly changed.")
    } else if !all.contains(where: { $0.isGating && $0.verdict == .regressed }),
      let suspect = all.lazy.compactMap(\.suspicion).first
    {
      words.text(suspect)
    } else if unknown > 0 {
      let names = NumberText.count(unknown, "quantity", plural: "quantities")
      words.text("\(names) \(unknown == 1 ? "has" : "have") too little data to judge.")
    } else if comparisons.contains(where: { [.broken, .notComparable].contains($0.verdict) }) {
      // What can't be compared may have changed.
    } else if all.count(where: \.isPossible) > telling.count(where: \.isPossible) {
      let isAll = telling.isEmpty && all.allSatisfy(\.isPossible)
      words.text(
        isAll
          ? "Nothing clearly changed."
          : isDecided
            ? "No other quantity clearly changed."
            : "No quantity that decides the verdict clearly changed.")
      if !isDecided, let excluded = Self.excluded(comparisons, summary) {
        words.add(excluded)
      }
    }
    if lead.isEmpty { lead = words } else { rest.append(words) }
  }

  /// Returns a sentence with an upper limit on how far any pass rate fell, or `nil` if the
  /// comparisons give no limit.
  ///
  /// If they can exclude less of another quantity, the sentence names that limit as well, because
  /// readers would otherwise take the limit for that of every quantity.
  private static func excluded(
    _ comparisons: [ComparisonRecord], _ summary: RunSummary?
  ) -> String? {
    let gating = comparisons.flatMap(\.effects).filter {
      $0.isGating && $0.reference == .baseline
    }
    let rates = gating.filter { $0.quantity == .passRate }
    guard let largest = rates.compactMap(\.excludedWorsening).max(),
      let alpha = comparisons.first?.alpha
    else { return nil }
    let points = NumberText.fixed(largest * 100, 1)
    let isPart = rates.contains { CountedScope($0, among: rates, summary) != nil }
    let scope = isPart ? " over the compared attempts" : ""
    let words =
      "With \(NumberText.percent(1 - alpha, decimals: 0)) confidence, "
      + (rates.count == 1
        ? "the pass rate\(scope) fell by at most \(points) points"
        : "no suite’s pass rate\(scope) fell by more than \(points) points")
    let other = gating.filter { $0.quantity != .passRate && $0.excludedWorsening ?? 0 > largest }
      .max { $0.excludedWorsening ?? 0 < $1.excludedWorsening ?? 0 }
    guard let other, let worsening = other.excludedWorsening else { return words + "." }
    let place = rates.count == 1 ? "" : " in \(ClippedText.line(other.scope, limit: maximumName))"
    return words + ", and \(ClippedText.line(other.title, limit: maximumName))\(place) rose by at "
      + "most \(NumberText.fixed(worsening * 100, 1)) points."
  }

  /// The change in words: `drop of 33.3 points (95 % CI 21.1–45.9, p < 0.001)`.
  private static func difference(_ effect: EffectRecord) -> String {
    let size = NumberText.fixed(abs(effect.change) * 100, 1)
    let ends = [effect.changeLow, effect.changeHigh]
    // If the interval crosses zero, its ends need signs.
    let interval =
      effect.changeLow >= 0 || effect.changeHigh <= 0
      ? ends.map(abs).sorted().map { NumberText.fixed($0 * 100, 1) }.joined(separator: "–")
      : ends.map { NumberText.points($0) }.joined(separator: " to ")
    let certainty = certainty(of: effect).map { ", \($0)" } ?? ""
    return "\(effect.change < 0 ? "drop" : "rise") of \(size) points "
      + "(95\u{A0}% CI \(interval)\(certainty))"
  }

  /// The change in numbers: `−33.3 points, p < 0.001`.
  private static func numbers(_ effect: EffectRecord) -> String {
    "\(NumberText.points(effect.change)) points" + (certainty(of: effect).map { ", \($0)" } ?? "")
  }

  /// Returns the p-value of a change or, without a p-value, the number of test cases in which the
  /// change is concentrated.
  ///
  /// The result is `nil` if neither is known.
  private static func certainty(of effect: EffectRecord) -> String? {
    if let p = effect.adjustedP ?? effect.pValue { return NumberText.namedPValue(p) }
    return effect.notes.lazy.compactMap { note -> String? in
      guard case .concentrated(let cases) = note else { return nil }
      // The note names at most ten test cases.
      return cases.count < 10
        ? "concentrated in \(NumberText.count(cases.count, "test case"))"
        : "in ten test cases or more"
    }.first
  }

  /// Returns the regressions and improvements, the most telling one first.
  ///
  /// Effects that decide the verdict come before those that don't. Regressions come before
  /// improvements. In each group, counted arrays and branches come first, then pass rates,
  /// then measured probabilities and other quantities. If the same quantity changed from the
  /// baseline and from the pooled history, the comparison with more attempts comes first.
  package static func telling(_ effects: [EffectRecord]) -> [EffectRecord] {
    let sorted = effects.filter { $0.verdict == .regressed || $0.verdict == .improved }
      .sorted { precedes($0, $1) }
    var telling: [EffectRecord] = []
    for effect in sorted {
      let weaker = telling.firstIndex { other in
        other.place == effect.place && other.quantity == effect.quantity
          && other.evidence == effect.evidence && other.verdict == effect.verdict
          && other.isGating == effect.isGating && other.candidate.count < effect.candidate.count
      }
      telling.insert(effect, at: weaker ?? telling.endIndex)
    }
    return telling
  }

  private static func precedes(_ left: EffectRecord, _ right: EffectRecord) -> Bool {
    func rank(_ effect: EffectRecord) -> Int {
      // Effects with impossible numbers come last.
      let isWorse =
        (effect.verdict == .regressed ? 0 : 10) + (effect.isPossible ? 0 : 20)
        + (effect.isGating ? 0 : 40)
      // Counted arrays and branches come before their measured probabilities, because users
      // see attempts and not probabilities.
      switch (effect.evidence, effect.quantity) {
      case (.counted, .emptyArray), (_, .missingArray): return isWorse
      case (.counted, .wrongBranch): return isWorse + 1
      case (.counted, .missedBranch): return isWorse + 2
      case (_, .passRate): return isWorse + 3
      case (.measured, .emptyArray): return isWorse + 4
      case (.measured, .wrongBranch): return isWorse + 5
      case (.measured, .missedBranch): return isWorse + 5
      case (_, .shortArray): return isWorse + 6
      case (_, .failedAssertion), (_, .validOutput), (_, .arrayLength): return isWorse + 7
      }
    }
    // Put the larger change of measured branches first: one branch may have changed much more than
    // all branches together.
    func size(_ effect: EffectRecord) -> Double {
      switch (effect.evidence, effect.quantity) {
      case (.measured, .wrongBranch), (.measured, .missedBranch): abs(effect.change)
      default: 0
      }
    }
    return (rank(left), -size(left)) < (rank(right), -size(right))
  }
}

extension Sentence {
  /// Adds a clause about an effect: `In flashcards, 40 of 60 attempts pass (baseline 60 of 60)`.
  ///
  /// `scope` is `nil` if the comparison counts all attempts.
  fileprivate mutating func effect(
    _ effect: EffectRecord, in place: String, of scope: CountedScope?
  ) {
    let (before, after) = (effect.baseline, effect.candidate)
    text("In \(ClippedText.line(place, limit: HeadlinePart.maximumName)), ")
    let isGood = effect.verdict == .improved
    func found(_ words: String) { finding(words, "comparison", isGood: isGood) }
    guard effect.isPossible else {
      name(effect.title)
      text(isGood ? " got better" : " got worse")
      return text(", but its recorded numbers are impossible")
    }
    guard effect.evidence == .counted, let hits = after.hits else {
      chance(of: effect.quantity)
      text(after.value >= before.value ? " rose from " : " fell from ")
      text(NumberText.percent(before.value) + " to ")
      found(NumberText.percent(after.value))
      text(" (")
      name(effect.title)
      return text(", mean of \(NumberText.count(after.count, "test case")))")
    }
    let now = Share(hits, of: after.count)
    let counts = now.counts
    let attempts = scope == nil ? "attempts" : "compared attempts"
    // A rate with the weights of tonight's attempts has no counts.
    let was =
      before.hits.map { Share($0, of: before.count).counts } ?? NumberText.percent(before.value)
    switch effect.quantity {
    case .emptyArray:
      text("arrays were ")
      found("empty in \(counts)")
      return text(" \(attempts) (\(now.percent); baseline \(was))")
    case .missingArray(let path):
      name(path)
      text(" was ")
      found("missing in \(counts)")
      return text(" \(attempts) (\(now.percent); baseline \(was))")
    case .wrongBranch:
      found("the wrong branch was taken \(counts) times")
    case .missedBranch(let branch, _):
      name(branch)
      text(" was ")
      found("missed \(counts) times")
    case .passRate:
      let nights = effect.nightsSinceFall.map { " of the last \($0.counted("night"))" } ?? ""
      found("\(counts) \(attempts)\(nights) pass")
    case .failedAssertion(let name, _):
      text("“\(ClippedText.line(name, limit: HeadlinePart.maximumName))” ")
      found("failed \(counts) times")
    case .shortArray(let minimum, let path):
      name(path)
      text(" had ")
      found("fewer than \(minimum) elements \(counts) times")
    case .validOutput:
      found("\(counts) \(attempts) returned a valid value")
    case .arrayLength(let path):
      name(path)
      text(" had ")
      found("a length within its bounds \(counts) times")
    }
    text(
      effect.reference == .pooledHistory
        ? " (baseline and earlier runs \(was))" : " (baseline \(was))")
  }

  /// Adds the phrase for a measured quantity: `the chance of an empty array at $.cards`.
  private mutating func chance(of quantity: Quantity) {
    let (words, subject): (String, String?) =
      switch quantity {
      case .passRate: ("to pass", nil)
      case .emptyArray(let path): ("of an empty array at ", path)
      case .missingArray(let path): ("of a missing array at ", path)
      case .shortArray(let minimum, let path): ("of fewer than \(minimum) elements at ", path)
      case .wrongBranch(let path): ("of a wrong branch at ", path)
      case .missedBranch(let branch, _): ("of missing ", branch)
      case .failedAssertion(let assertion, _):
        ("of failing “\(ClippedText.line(assertion, limit: 60))”", nil)
      case .validOutput: ("of a valid value", nil)
      case .arrayLength(let path): ("of a length within the bounds at ", path)
      }
    text("the chance \(words)")
    if let subject { name(subject) }
  }
}

extension EffectRecord {
  /// The smallest worsening that the data excludes, or `nil` if the effect isn't `ok`.
  fileprivate var excludedWorsening: Double? {
    notes.lazy.compactMap { note in
      if case .excluded(let worsening) = note { worsening } else { nil }
    }.first
  }

  /// The number of nights that a fall has lasted, if the candidate's attempts are those of several
  /// nights.
  fileprivate var nightsSinceFall: Int? {
    notes.lazy.compactMap { note -> Int? in
      if case .since(let nights) = note, nights > 0 { nights + 1 } else { nil }
    }.first
  }

  /// Whether the numbers of both sides are possible for a share.
  ///
  /// A damaged or hostile database can hold any numbers.
  var isPossible: Bool {
    [baseline, candidate].allSatisfy { side in
      (0...1).contains(side.value)
        && (side.hits.map { (0...max(0, side.count)).contains($0) } ?? true)
    }
  }
}

extension ComparisonRecord {
  /// The differences that prevent or limit a verdict or, if there are none, all differences.
  fileprivate var obstacles: [ComparisonDifference] {
    let obstacles = differences.filter { ![.leftOut, .noted].contains($0.fact.consequence) }
    return obstacles.isEmpty ? differences : obstacles
  }
}

extension EffectRecord {
  /// The sentence about a suspected effect, or `nil` if the effect isn't suspected or doesn't count
  /// for the overall verdict.
  fileprivate var suspicion: String? {
    guard isGating else { return nil }
    return notes.lazy.compactMap { note in
      guard case .suspected(let pValue) = note else { return nil }
      let suite = VisibleText.line(place.candidate.suite)
      let move = change < 0 ? "fell" : "rose"
      return "A regression of \(suite) is suspected: \(VisibleText.line(title)) \(move) from "
        + "\(NumberText.percent(baseline.value)) to \(NumberText.percent(candidate.value)) "
        + "(\(NumberText.namedPValue(pValue)), not adjusted for the other tests); more draws are "
        + "needed to confirm it."
    }.first
  }
}
