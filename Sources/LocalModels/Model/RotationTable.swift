/// The cosines and sines of the rotary position embedding, with one row per position.
///
/// All functions use only operations whose rounding is defined by IEEE 754, because the C library's
/// results may differ in the last bit between machines.
///
/// Based on Su et al., RoFormer, 2021.
struct RotationTable: Sendable {
  private(set) var cosines: [Float] = []
  private(set) var sines: [Float] = []
  private let frequencies: [Double]
  private let magnitude: Double
  /// The number of rows.
  private var positions = 0

  /// Creates an empty table.
  ///
  /// - Parameters:
  ///   - rule: The rule that converts positions to angles.
  ///   - count: The number of rotated elements in a head.
  ///   - factors: The divisor of each frequency.
  init(_ rule: RotationRule, count: Int, factors: WeightVector?) {
    frequencies = rule.frequencies(count: count, factors: factors)
    magnitude = rule.magnitude
  }

  /// The number of pairs.
  var pairs: Int { frequencies.count }

  /// Adds rows until the table has at least `count` rows.
  mutating func reserve(_ count: Int) {
    while positions < count {
      for frequency in frequencies {
        let (sine, cosine) = Self.sineAndCosine(Double(positions) * frequency)
        cosines.append(Float(cosine * magnitude))
        sines.append(Float(sine * magnitude))
      }
      positions += 1
    }
  }

  /// Computes an integer power by repeated squaring.
  static func power(_ x: Double, _ exponent: Int) -> Double {
    var (result, square, rest) = (1.0, x, exponent)
    while rest > 0 {
      if rest & 1 == 1 { result *= square }
      square *= square
      rest >>= 1
    }
    return result
  }

  /// Computes a root of a number from 0 to 1 by Newton's method, starting at 1.
  static func root(_ x: Double, _ degree: Int) -> Double {
    guard degree > 1 else { return x }
    var root = 1.0
    // The estimate starts above the root, so it only falls. About −ln x steps bring it close to the
    // root, and six more make it exact.
    for _ in 0..<200 {
      let next = root - (root - x / power(root, degree - 1)) / Double(degree)
      guard next < root else { break }
      root = next
    }
    return root
  }

  /// Returns the sine and cosine of an angle below 2^20 to about the last bit of a double.
  ///
  /// The method reduces the angle to ±π/4 by subtracting quarter turns, with π/2 in three parts so
  /// that no precision is lost. In this range, the series up to r^17 and r^18 have an error below
  /// 10^-19.
  static func sineAndCosine(_ angle: Double) -> (sine: Double, cosine: Double) {
    guard abs(angle) < 0x1p20 else { return (.nan, .nan) }
    let quarter = Double.pi / 2
    let high = Double(bitPattern: quarter.bitPattern & ~0xF_FFFF)
    let middle = quarter - high
    let low = 6.123233995736766e-17
    let turns = (angle / quarter).rounded()
    let r = ((angle - turns * high) - turns * middle) - turns * low
    let square = r * r
    var sine = 0.0
    var cosine = 0.0
    // Horner: sin r / r = 1 − r²/(2·3) (1 − r²/(4·5) (…)), cos r = 1 − r²/(1·2) (1 − r²/(3·4) (…)).
    for k in stride(from: 8, through: 1, by: -1) {
      sine = -square / Double(2 * k * (2 * k + 1)) * (1 + sine)
    }
    for k in stride(from: 9, through: 1, by: -1) {
      cosine = -square / Double((2 * k - 1) * 2 * k) * (1 + cosine)
    }
    sine = r + r * sine
    cosine = 1 + cosine
    switch Int(turns) & 3 {
    case 0: return (sine, cosine)
    case 1: return (cosine, -sine)
    case 2: return (-sine, -cosine)
    default: return (-cosine, sine)
    }
  }
}
