/// Cosines and sines of the rotary position embedding: one row for each position reached so far.
///
/// All functions are computed here, by operations whose rounding IEEE 754 fixes: the C library's
/// may differ in the last bit from machine to machine.
///
/// Source: Su et al., RoFormer, 2021.
struct RotationTable: Sendable {
  private(set) var cosines: [Float] = []
  private(set) var sines: [Float] = []
  private let frequencies: [Double]
  private let magnitude: Double
  /// The number of rows.
  private var positions = 0

  /// - Parameters:
  ///   - rule: How positions become angles.
  ///   - count: The rotated elements of a head.
  ///   - factors: What each frequency is divided by.
  init(_ rule: RotationRule, count: Int, factors: WeightVector?) {
    frequencies = rule.frequencies(count: count, factors: factors)
    magnitude = rule.magnitude
  }

  /// The number of pairs.
  var pairs: Int { frequencies.count }

  /// Makes so many rows, where there are not as many yet.
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

  /// A whole power, by squaring.
  static func power(_ x: Double, _ exponent: Int) -> Double {
    var (result, square, rest) = (1.0, x, exponent)
    while rest > 0 {
      if rest & 1 == 1 { result *= square }
      square *= square
      rest >>= 1
    }
    return result
  }

  /// The root of a number from 0 to 1, by Newton's method from above.
  static func root(_ x: Double, _ degree: Int) -> Double {
    guard degree > 1 else { return x }
    var root = 1.0
    // From above the steps only fall; about −ln x of them come near, six more are exact.
    for _ in 0..<200 {
      let next = root - (root - x / power(root, degree - 1)) / Double(degree)
      guard next < root else { break }
      root = next
    }
    return root
  }

  /// Sine and cosine of an angle below 2^20 to about the last bit of a double.
  ///
  /// The angle is brought to ±π/4 by whole quarter turns, π/2 in three parts so that nothing is
  /// lost; there the series to r^17 and r^18 leave less than 10^-19.
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
    // Horner: 1 − r²/(2·3) (1 − r²/(4·5) (…)), and 1 − r²/(1·2) (1 − r²/(3·4) (…)).
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
