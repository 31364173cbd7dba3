import SystemBasics

/// The alternative hypothesis; the null hypothesis is that the sides don't differ.
package enum Alternative: Sendable, Hashable {
  /// The sides differ, in either direction.
  case twoSided
  /// The first side has fewer hits.
  case less
  /// The first side has more hits.
  case greater
}

/// A two-by-two table with a row of hits and misses for each side.
package struct TwoByTwo: Sendable, Hashable {
  /// The first side's hits.
  package var firstHits: Int
  /// The first side's misses.
  package var firstMisses: Int
  /// The second side's hits.
  package var secondHits: Int
  /// The second side's misses.
  package var secondMisses: Int

  package init(_ firstHits: Int, _ firstMisses: Int, _ secondHits: Int, _ secondMisses: Int) {
    self.firstHits = firstHits
    self.firstMisses = firstMisses
    self.secondHits = secondHits
    self.secondMisses = secondMisses
  }

  /// The smallest of the four totals of rows and columns, which bounds the number of tables with
  /// the same totals.
  fileprivate var smallestTotal: Int {
    min(
      firstHits + firstMisses, secondHits + secondMisses, firstHits + secondHits,
      firstMisses + secondMisses)
  }

  /// The null distribution of the first side's hits with fixed row and column totals: the smallest
  /// possible number, and the probabilities from that number upward.
  package var hypergeometric: (lowest: Int, probabilities: [Double]) {
    let row = firstHits + firstMisses
    let hits = firstHits + secondHits
    let total = row + secondHits + secondMisses
    let lowest = max(0, hits - (total - row))
    let highest = min(row, hits)
    let whole = Gamma.logBinomial(total, hits)
    return (
      lowest,
      (lowest...max(lowest, highest)).map {
        exp(Gamma.logBinomial(row, $0) + Gamma.logBinomial(total - row, hits - $0) - whole)
      }
    )
  }
}

/// Fisher's exact test of two independent rates.
package enum FisherExact {
  /// The largest number of tables whose probabilities are added up.
  private static let mostTables = 1 << 17

  /// Returns the p-value of a table.
  ///
  /// The two-sided p-value is the total probability of all tables that are at most as likely as the
  /// observed one. If all totals of the table are above 131,072, the p-value is that of the normal
  /// distribution with the same mean and variance, which then hardly differs.
  package static func pValue(_ table: TwoByTwo, _ alternative: Alternative) -> Double {
    guard table.smallestTotal <= mostTables else { return normalP(table, alternative) }
    let (lowest, probabilities) = table.hypergeometric
    return exactP(probabilities, at: table.firstHits - lowest, alternative)
  }

  private static func normalP(_ table: TwoByTwo, _ alternative: Alternative) -> Double {
    let row = Double(table.firstHits) + Double(table.firstMisses)
    let hits = Double(table.firstHits) + Double(table.secondHits)
    let total = row + Double(table.secondHits) + Double(table.secondMisses)
    let deviation =
      (row / total * hits / total * (total - row) / (total - 1) * (total - hits)).squareRoot()
    // How far the first side's hits are above their mean.
    let excess = Double(table.firstHits) - row * (hits / total)
    switch alternative {
    case .less: return Normal.cumulative((excess + 0.5) / deviation)
    case .greater: return Normal.cumulative((0.5 - excess) / deviation)
    case .twoSided: return min(1, 2 * Normal.cumulative((0.5 - abs(excess)) / deviation))
    }
  }
}

/// Returns the p-value of the observation at index `seen` in a discrete distribution.
///
/// Probabilities that agree to one part in ten million count as equal, as in R and SciPy, because
/// rounding must not decide whether the mirror image of the observation counts.
func exactP(_ probabilities: [Double], at seen: Int, _ alternative: Alternative) -> Double {
  guard probabilities.indices.contains(seen) else { return 1 }
  switch alternative {
  case .less: return min(1, probabilities[...seen].reduce(0, +))
  case .greater: return min(1, probabilities[seen...].reduce(0, +))
  case .twoSided:
    let bound = probabilities[seen] * (1 + 1e-7)
    return min(1, probabilities.reduce(0) { $1 <= bound ? $0 + $1 : $0 })
  }
}
