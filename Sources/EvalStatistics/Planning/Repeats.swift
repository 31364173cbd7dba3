import Foundation

/// Reductions of the repeats of one case.
public enum Repeats {
  /// The chance that at least one of `k` repeats passes, from `passes` of `count`.
  ///
  /// The unbiased estimate of Chen and others 2021, arXiv 2107.03374.
  public static func passAtLeastOnce(count: Int, passes: Int, k: Int) -> Double {
    guard k > 0, k <= count else { return 0 }
    if count - passes < k { return 1 }
    return 1 - shareOfDraws(count: count, marked: count - passes, k: k)
  }

  /// The chance that all of `k` repeats pass, from `passes` of `count`, estimated without bias.
  public static func passEveryTime(count: Int, passes: Int, k: Int) -> Double {
    guard k > 0, k <= count, k <= passes else { return 0 }
    return shareOfDraws(count: count, marked: passes, k: k)
  }

  /// The chance that `k` drawn without putting back are all marked.
  private static func shareOfDraws(count: Int, marked: Int, k: Int) -> Double {
    var share = 1.0
    for drawn in 0..<k { share *= Double(marked - drawn) / Double(count - drawn) }
    return share
  }

  /// How often neighbours in a history differ: high for a flake, low for a regression.
  ///
  /// After Kowalczyk and others 2020, "Modeling and Ranking Flaky Tests at Apple".
  public static func flipRate(_ history: [Bool]) -> Double {
    guard history.count > 1 else { return 0 }
    let flips = zip(history, history.dropFirst()).count { $0 != $1 }
    return Double(flips) / Double(history.count - 1)
  }

  /// The entropy of a history's pass rate, in bits.
  public static func entropy(_ history: [Bool]) -> Double {
    guard !history.isEmpty else { return 0 }
    let rate = Double(history.count { $0 }) / Double(history.count)
    guard rate > 0, rate < 1 else { return 0 }
    return -rate * log2(rate) - (1 - rate) * log2(1 - rate)
  }
}
