import EvalRecords

/// A cause of failures beside the same cause in the reference.
package struct CauseNews: Sendable {
  package let cause: FailureCause
  /// The failures with this cause in the reference, or `nil` if nothing was compared.
  package let before: EarlierCount?

  /// The number of failures more than in the reference; all failures if nothing was compared.
  var growth: Int { before.map { $0.compared - $0.before } ?? cause.failed }

  /// Whether the cause is no more frequent than in the reference, so that it is no news.
  var isKnown: Bool { before != nil && growth <= 0 }
}

/// The causes of failures on the first screen.
package struct CauseList: Sendable {
  /// The causes that are new or more frequent than in the reference, or that nothing was compared
  /// with.
  package let news: [CauseNews]
  /// The causes that are no more frequent than in the reference.
  package let known: [CauseNews]
  /// The causes that the list only counts.
  package let rest: [FailureCause]
  /// The number of attempts that the list is about.
  package let attempts: Int

  /// The maximum number of causes on the first screen, not counting guarded causes
  /// (``FailureCause/isGuarded``).
  ///
  /// The tree of failures has the other causes.
  package static let maximum = 4
}

extension ReportDocument {
  /// The causes for the first screen of the page and of the Markdown summary.
  ///
  /// If two variants were compared, the list is about the candidates only: the failures of the
  /// baseline are what they are compared with.
  ///
  /// Guarded causes don't count for the limit.
  package func causeList(_ limit: Int) -> CauseList {
    let (causes, rest) = shownCauses(limit)
    let candidates = comparedVariants
    let news = ofCandidates(causes).map { CauseNews(cause: $0, before: countBefore($0)) }
      .sorted { $0.growth > $1.growth }
    return CauseList(
      news: news.filter { !$0.isKnown }, known: news.filter(\.isKnown), rest: ofCandidates(rest),
      attempts: candidates.isEmpty
        ? summary.tally.attempts : candidates.reduce(0) { $0 + $1.tally.attempts })
  }

  /// Returns the causes without the failures of the baseline if two variants were compared, and
  /// otherwise all of them.
  package func ofCandidates(_ causes: [FailureCause]) -> [FailureCause] {
    let keys = Set(comparedVariants.map(\.key))
    return keys.isEmpty ? causes : causes.compactMap { $0.within(keys) }
  }

  /// The slices that were compared with another variant of the same run.
  private var comparedVariants: [SliceSummary] {
    summary.slices.filter { slice in
      slice.tally.attempts > 0 && counterpart(of: slice.key).map { $0.key != slice.key } ?? false
    }
  }

  /// The first causes that are news, as sentences without a full stop.
  func causeSentences(_ limit: Int) -> [String] {
    let list = causeList(CauseList.maximum)
    return list.news.prefix(limit).map { news in
      let place = news.whereWords(of: list.attempts, since: since(news.cause))
      return news.cause.clause(of: list.attempts) + ", " + place
    }
  }

  /// The failures with a cause in the reference, among the attempts that the two have in common, or
  /// `nil` if a place of the cause has no counterpart, or was judged by other rules.
  private func countBefore(_ cause: FailureCause) -> EarlierCount? {
    var (before, compared) = (0, 0)
    for place in cause.places {
      guard paired.has(place.slice), let other = counterpart(of: place.slice),
        comparisons.allSatisfy({ $0.record.isJudgedAlike(at: place.slice) })
      else { return nil }
      compared += place.clusters.reduce(0) {
        $0 + paired.count(summary.clusters[$1], in: summary, of: place.slice)
      }
      before += other.run.clusters.reduce(0) { sum, cluster in
        cluster.slice == other.key && cluster.cause == cause.identity
          ? sum + paired.count(cluster, in: other.run, of: place.slice) : sum
      }
    }
    return compared == 0
      ? nil : EarlierCount(before: before, compared: compared, all: cause.failed)
  }
}
