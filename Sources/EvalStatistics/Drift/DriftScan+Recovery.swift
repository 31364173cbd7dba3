import SystemBasics

extension DriftScan {
  /// Draws of some nights, with the number of bad draws that the rates before a worsening let
  /// expect.
  private struct Sums {
    var count = 0.0
    var hits = 0.0
    var expected = 0.0

    /// The mean rise of the rate since the worsening began.
    var rise: Double { count > 0 ? (hits - expected) / count : 0 }

    static func + (left: Sums, right: Sums) -> Sums {
      Sums(
        count: left.count + right.count, hits: left.hits + right.hits,
        expected: left.expected + right.expected)
    }
  }

  /// How many times as likely the newest nights must be without the worsening as with it, so that
  /// the worsening counts as over.
  private static let evidenceOfRecovery = 10.0

  /// The p-value of a past worsening, adjusted for the number of nights, from which on its nights
  /// are left out.
  private static let levelOfPast = 0.01

  /// Returns the indices of the nights without those of clear worsenings that are over.
  ///
  /// Such nights say nothing about tonight. If they stayed in the history, an ordinary night would
  /// look better than the history, and another worsening would be harder to see.
  static func withoutPastWorsenings(_ nights: [Night]) -> [Int] {
    var kept = Array(nights.indices)
    while kept.count > 2 {
      let own = kept.map { nights[$0] }
      let past = rises(own).prefix(triedNights).lazy.compactMap { start -> Range<Int>? in
        guard let end = recovery(own, since: start) else { return nil }
        let bad = stretches(Array(own[..<end]), from: start)
        return test(bad).p * Double(own.count - 2) <= levelOfPast ? start..<end : nil
      }.first
      guard let past else { break }
      kept.removeSubrange(past)
    }
    return kept
  }

  /// Returns the night with which a worsening that began on an earlier night ended, or `nil` if it
  /// lasts until tonight.
  ///
  /// It is over if tonight is as good as the nights before the worsening, or if the newest nights
  /// (any number of them, including tonight) are ten times as likely at the rates before the
  /// worsening as at rates in the middle between those and the rates of the bad nights. The bad
  /// nights were picked because they are bad, so their own rates would be too high for the nights
  /// of a worsening that lasts.
  ///
  /// ```
  /// nights   1  2  3  4  5  6
  /// failed   0  0  0 36  0  1     night 4 was bad; nights 5 and 6 are as before, so it is over
  /// ```
  ///
  /// - Parameters:
  ///   - nights: The nights, oldest first and tonight last.
  ///   - start: The first night of the worsening, which is before tonight.
  static func recovery(_ nights: [Night], since start: Int) -> Int? {
    var before: Night = [:]
    for night in nights[..<start] {
      for (id, count) in night {
        before[id, default: CaseCount()].hits += count.hits
        before[id, default: CaseCount()].count += count.count
      }
    }
    let sums = nights[start...].map { night in
      night.sorted { $0.key < $1.key }.reduce(into: Sums()) { sums, entry in
        guard let early = before[entry.key], early.count > 0 else { return }
        sums.count += Double(entry.value.count)
        sums.hits += Double(entry.value.hits)
        sums.expected += Double(entry.value.count) * early.rate
      }
    }
    var newest = Sums()
    var best = (place: sums.count - 1, evidence: log(evidenceOfRecovery))
    var isOver = (sums.last?.rise ?? 0) <= 0
    for place in sums.indices.dropFirst().reversed() {
      newest = newest + sums[place]
      let bad = sums[..<place].reduce(Sums(), +)
      guard newest.count > 0, bad.rise > 0 else { continue }
      let ratio = evidence(ofRecoveryIn: newest, from: bad.rise / 2)
      if ratio > best.evidence {
        best = (place, ratio)
        isOver = true
      }
    }
    return isOver ? start + best.place : nil
  }

  /// Returns the log likelihood ratio of the counts: the rates before the worsening against rates
  /// that are higher by `rise`.
  private static func evidence(ofRecoveryIn newest: Sums, from rise: Double) -> Double {
    // Rates of 0 and 1 would make one bad draw infinitely telling.
    let least = 0.5 / (newest.count + 1)
    func possible(_ rate: Double) -> Double { min(max(rate, least), 1 - least) }
    let usual = possible(newest.expected / newest.count)
    let bad = possible(newest.expected / newest.count + rise)
    return newest.hits * log(usual / bad) + (newest.count - newest.hits)
      * log((1 - usual) / (1 - bad))
  }
}
