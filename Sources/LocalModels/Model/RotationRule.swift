/// The rule that converts positions to angles: at position p, pair j is rotated by p · f_j.
///
/// Based on Su et al., RoFormer, 2021, and Peng et al., YaRN, 2023.
struct RotationRule: Sendable, Hashable {
  /// The base of the frequencies: f_j = base^(−2j/n), before any stretching.
  var base: Double
  var stretching: Stretching = .none
  /// The factor for cosines and sines.
  var magnitude = 1.0

  /// The method for texts that are longer than those in training.
  enum Stretching: Sendable, Hashable {
    case none
    /// Divides positions by a number.
    case linear(Double)
    /// Keeps the frequencies of fast pairs and lowers the frequencies of slow pairs, with a ramp in
    /// between.
    case yarn(Yarn)
  }

  /// YaRN's parameters.
  struct Yarn: Sendable, Hashable {
    /// The ratio of the new length to the original length.
    var factor: Double
    /// The length of the texts in training, in tokens.
    var originalLength: Double
    /// Pairs that make more turns than this over the original length keep their frequency.
    var fastTurns = 32.0
    /// The frequency of pairs that make fewer turns than this is divided by `factor`.
    var slowTurns = 1.0

    /// Returns the pairs at which the ramp begins and ends, for `count` rotated elements.
    ///
    /// Over L tokens, pair j makes L · base^(−2j/n) / 2π turns. The method solves this for j.
    func ramp(base: Double, count: Int) -> (low: Double, high: Double) {
      func pair(_ turns: Double) -> Double {
        Double(count) * Logarithm.natural(originalLength / (turns * 2 * .pi))
          / (2 * Logarithm.natural(base))
      }
      return (
        max(0, pair(fastTurns).rounded(.down)),
        min(Double(count - 1), pair(slowTurns).rounded(.up))
      )
    }

    /// Returns the factor for queries and keys that sharpens attention.
    ///
    /// `multiplier` is 1, as in the paper, unless the model file contains another value.
    func magnitude(multiplier: Double = 1) -> Double {
      factor <= 1 ? 1 : 0.1 * multiplier * Logarithm.natural(factor) + 1
    }
  }

  /// Returns the frequencies of `count` rotated elements, one per pair.
  ///
  /// - Parameter factors: The divisor of each frequency, applied before any stretching.
  func frequencies(count: Int, factors: WeightVector?) -> [Double] {
    let pairs = count / 2
    let ratio = RotationTable.root(1 / base, pairs)
    let plain = (0..<pairs).map { pair in
      RotationTable.power(ratio, pair) / (factors.map { Double($0.data[pair]) } ?? 1)
    }
    switch stretching {
    case .none: return plain
    case .linear(let factor): return plain.map { $0 / factor }
    case .yarn(let yarn):
      let (low, high) = yarn.ramp(base: base, count: count)
      return plain.enumerated().map { pair, frequency in
        let kept = 1 - min(1, max(0, (Double(pair) - low) / max(0.001, high - low)))
        return frequency / yarn.factor * (1 - kept) + frequency * kept
      }
    }
  }
}

/// The natural logarithm, with the same bits on every machine.
///
/// It uses only operations whose rounding is defined by IEEE 754. The C library's result may differ
/// in the last bit between machines.
enum Logarithm {
  /// Returns ln x for a positive, finite x, to about the last bit of a double.
  ///
  /// x = m · 2^e with m from √½ to √2, and ln m = 2 (s + s³/3 + s⁵/5 + …) with s = (m−1)/(m+1).
  /// Each term is at least 33 times smaller than the previous term.
  static func natural(_ x: Double) -> Double {
    guard x > 0, x.isFinite else { return .nan }
    var (mantissa, exponent) = (x.significand, Double(x.exponent))
    if mantissa > 1.4142135623730951 { (mantissa, exponent) = (mantissa / 2, exponent + 1) }
    let s = (mantissa - 1) / (mantissa + 1)
    let square = s * s
    var series = 0.0
    for k in stride(from: 23, through: 1, by: -2) { series = series * square + 1 / Double(k) }
    return exponent * 0.6931471805599453 + 2 * s * series
  }
}
