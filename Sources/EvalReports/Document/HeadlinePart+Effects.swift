import EvalRecords

extension HeadlinePart {
  private static let maximumEffects = 3
  private static let maximumObstacles = 3

  /// The most telling effects of the comparisons, followed by a summary of the others.
  ///
  /// If comparisons are impossible or broken, the reasons come first.
  static func effects(of comparisons: [ComparisonRecord]) -> HeadlinePart {
    var part = HeadlinePart()
    let impossible = comparisons.filter {
      !$0.differences.isEmpty && ($0.verdict == .notComparable || $0.verdict == .broken)
    }
    for comparison in impossible.prefix(maximumObstacles) {
      part.lead.space()
      part.lead.text(
        VisibleText.line(
          "\(comparison.baseline.words) and \(comparison.candidate.words): "
            + comparison.obstacles.prefix(3).map(\.words).joined(separator: "; ") + "."))
    }
    let more = impossible.count - maximumObstacles
    if more > 0 { part.lead.text(" \(more.counted("other suite")) can't be compared either.") }
    let all = comparisons.flatMap(\.effects)
    let telling = Self.telling(all)
    let places = PlaceNames(all.map(\.place))
    if let first = telling.first {
      var clause = Sentence()
      clause.effect(first, in: places.name(first.place))
      let others = Set(telling.filter { $0.verdict == first.verdict }.map(\.place)).count - 1
      if others > 0 {
        let word = first.verdict == .regressed ? "worse" : "better"
        clause.text(", and \(NumberText.count(others, "more suite")) got \(word)")
      }
      clause.text(".")
      // If a comparison is impossible or broken, the lead says so, and the effects become details.
      if part.lead.isEmpty { part.lead = clause } else { part.rest = clause }
      part.rest.space()
      part.rest.text("That is \(Self.numbers(first, hasInterval: true)).")
    }
    var last = telling.first?.place
    for effect in telling.dropFirst().prefix(maximumEffects - 1) {
      part.rest.space()
      if effect.place != last {
        part.rest.text("In \(VisibleText.line(places.name(effect.place))), ")
      }
      last = effect.place
      part.rest.code(effect.title)
      part.rest.text(
        effect.candidate.value >= effect.baseline.value ? " rose from " : " fell from ")
      part.rest.text("\(Self.percent(effect.baseline)) to ")
      part.rest.finding(
        Self.percent(effect.candidate), "comparison", isGood: effect.verdict == .improved)
      part.rest.text(" (\(Self.numbers(effect, hasInterval: false))).")
    }
    part.others(comparisons, beyond: telling)
    return part
  }

  /// Says what the comparisons leave out, for example `2 new cases, 1 gone`.
  static func leftOut(of comparisons: [ComparisonRecord]) -> Sentence {
    var sentence = Sentence()
    let all = comparisons.compactMap { record in
      record.leftOutWords.map { (record.candidate.suite, $0) }
    }
    guard !all.isEmpty else { return sentence }
    let parts = all.prefix(3).map { suite, words in
      comparisons.count > 1 ? "\(words)\(suite.map { " in \(VisibleText.line($0))" } ?? "")" : words
    }
    let more = all.count > 3 ? "; and more in \((all.count - 3).counted("suite"))" : ""
    sentence.text("Left out: \(parts.joined(separator: "; "))\(more).")
    return sentence
  }

  /// Summarizes the quantities that the headline doesn't name.
  private mutating func others(
    _ comparisons: [ComparisonRecord], beyond telling: [EffectRecord]
  ) {
    let all = comparisons.flatMap(\.effects)
    let moved = telling.count - min(telling.count, Self.maximumEffects)
    let unknown = all.count { $0.verdict == .inconclusive }
    var words = Sentence()
    if moved > 0 {
      let names = NumberText.count(moved, "more quantity", plural: "more quantities")
      words.text("\(names) clearly changed.")
    } else if !all.contains(where: { $0.verdict == .regressed }),
      let suspect = all.lazy.compactMap(\.suspicion).first
    {
      words.text(suspect)
    } else if unknown > 0 {
      let names = NumberText.count(unknown, "quantity", plural: "quantities")
      words.text("For \(names) the sample is too small to tell.")
    } else if all.count > telling.count {
      words.text(
        telling.isEmpty ? "Nothing clearly changed." : "Nothing else clearly changed.")
      if telling.isEmpty, let excluded = Self.excluded(comparisons) {
        words.space()
        words.text(excluded)
      }
    }
    if lead.isEmpty { lead = words } else { rest.append(words) }
  }

  /// The largest fall of a pass rate that the comparisons don't exclude; nil if nothing differs.
  private static func excluded(_ comparisons: [ComparisonRecord]) -> String? {
    let rates = comparisons.flatMap(\.effects).filter {
      $0.isGating && $0.quantity == .passRate && $0.reference == .baseline
    }
    let bounds = rates.flatMap(\.notes).compactMap { note in
      if case .excluded(let worsening) = note { worsening } else { nil }
    }
    guard let largest = bounds.max(), let alpha = comparisons.first?.alpha else { return nil }
    let points = NumberText.fixed(largest * 100, 1)
    return "With \(NumberText.percent(1 - alpha, decimals: 0)) confidence, "
      + (rates.count == 1
        ? "the pass rate fell by at most \(points) points."
        : "no suite’s pass rate fell by more than \(points) points.")
  }

  /// The change in numbers: `−33.3 points [−45.9, −21.1], p < 0.001`.
  private static func numbers(_ effect: EffectRecord, hasInterval: Bool) -> String {
    let interval =
      " [\(NumberText.points(effect.changeLow)), \(NumberText.points(effect.changeHigh))]"
    let p = (effect.adjustedP ?? effect.pValue).map(NumberText.namedPValue)
    // If a few test cases alone decide, there is no p-value.
    let few = effect.notes.lazy.compactMap { note -> String? in
      guard case .concentrated(let cases) = note else { return nil }
      // The note names at most ten test cases.
      return cases.count < 10
        ? "concentrated in \(NumberText.count(cases.count, "test case"))"
        : "in ten test cases or more"
    }.first
    return "\(NumberText.points(effect.change)) points" + (hasInterval ? interval : "")
      + ((p ?? few).map { ", \($0)" } ?? "")
  }

  private static func percent(_ estimate: EstimateRecord) -> String {
    estimate.hits.map { NumberText.rate($0, of: estimate.count) }
      ?? NumberText.percent(estimate.value)
  }

  /// Returns the regressions and improvements, the most telling one first.
  static func telling(_ effects: [EffectRecord]) -> [EffectRecord] {
    effects.enumerated()
      .filter { $0.element.verdict == .regressed || $0.element.verdict == .improved }
      .sorted { precedes($0, $1) }.map(\.element)
  }

  private static func precedes(
    _ left: (offset: Int, element: EffectRecord), _ right: (offset: Int, element: EffectRecord)
  ) -> Bool {
    func rank(_ effect: EffectRecord) -> Int {
      let isWorse = effect.verdict == .regressed ? 0 : 10
      // Counted empty arrays and branches come before measured probabilities of them, because users
      // see attempts and not probabilities.
      switch (effect.evidence, effect.quantity) {
      case (.counted, .emptyArray): return isWorse
      case (.counted, .wrongBranch): return isWorse + 1
      case (.counted, .missedBranch): return isWorse + 2
      case (_, .passRate): return isWorse + 3
      case (.measured, .emptyArray): return isWorse + 4
      case (.measured, .wrongBranch): return isWorse + 5
      case (.measured, .missedBranch): return isWorse + 5
      case (_, .shortArray): return isWorse + 6
      case (_, .failedAssertion): return isWorse + 7
      }
    }
    // A loss of one branch can be much larger than the change over all branches.
    func size(_ effect: EffectRecord) -> Double {
      switch (effect.evidence, effect.quantity) {
      case (.measured, .wrongBranch), (.measured, .missedBranch): abs(effect.change)
      default: 0
      }
    }
    return (rank(left.element), -size(left.element), left.offset)
      < (rank(right.element), -size(right.element), right.offset)
  }
}

extension Sentence {
  /// Adds a clause about an effect: `In flashcards, 40 of 60 attempts pass (baseline 60 of 60)`.
  fileprivate mutating func effect(_ effect: EffectRecord, in place: String) {
    let (before, after) = (effect.baseline, effect.candidate)
    text("In \(VisibleText.line(place)), ")
    let isGood = effect.verdict == .improved
    func found(_ words: String) { finding(words, "comparison", isGood: isGood) }
    guard let hits = after.hits, let hitsBefore = before.hits else {
      code(effect.title)
      text(after.value >= before.value ? " rose from " : " fell from ")
      text(NumberText.percent(before.value) + " to ")
      return found(NumberText.percent(after.value))
    }
    let counts = "\(NumberText.grouped(hits)) of \(NumberText.grouped(after.count))"
    let was = "\(NumberText.grouped(hitsBefore)) of \(NumberText.grouped(before.count))"
    switch effect.quantity {
    case .emptyArray:
      text("arrays came back ")
      let often = NumberText.oneTimeIn(hits, of: after.count)
      found("empty " + (often ?? NumberText.count(hits, "time")))
      return text(" (\(counts); baseline \(was))")
    case .wrongBranch:
      found("the wrong branch was taken \(counts) times")
    case .missedBranch(let branch, _):
      code(branch)
      text(" was ")
      found("missed \(counts) times")
    case .passRate:
      found("\(counts) attempts pass")
    case .failedAssertion(let name, _):
      text("“\(VisibleText.line(name))” ")
      found("failed \(counts) times")
    case .shortArray(let minimum, let path):
      code(path)
      text(" had ")
      found("fewer than \(minimum) elements \(counts) times")
    }
    text(
      effect.reference == .pooledHistory
        ? " (baseline and earlier runs \(was))" : " (baseline \(was))")
  }
}

extension ComparisonRecord {
  /// The differences that prevent or limit a verdict; if none of them does, all differences.
  fileprivate var obstacles: [ComparisonDifference] {
    let obstacles = differences.filter { $0.fact.consequence != .leftOut }
    return obstacles.isEmpty ? differences : obstacles
  }
}

extension EffectRecord {
  /// The sentence about a suspected effect; nil if the effect isn't suspected or doesn't count for
  /// the overall verdict.
  fileprivate var suspicion: String? {
    guard isGating else { return nil }
    return notes.lazy.compactMap { note in
      guard case .suspected(let pValue) = note else { return nil }
      let suite = VisibleText.line(place.candidate.suite)
      return "A regression of \(suite) is suspected (\(NumberText.namedPValue(pValue)), not "
        + "adjusted for the other tests); more draws are needed to confirm it."
    }.first
  }
}
