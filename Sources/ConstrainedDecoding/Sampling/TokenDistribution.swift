import CKernels
import Tokenization

/// The three distributions at one step: the model's own (raw), renormalised over the legal tokens
/// (masked), and the one that is sampled from (after temperature and truncation).
///
/// One of these belongs to an automaton and is filled anew at each step, so that a step allocates
/// nothing. Raw probabilities of legal tokens are Z times the masked ones, where Z is the mass
/// that the mask keeps.
final class TokenDistribution {
  /// The legal tokens.
  private(set) var tokens: [TokenID] = []
  /// Masked and sampled probabilities by token number; 0 for tokens that are not legal.
  private var masked: [Double]
  private var sampled: [Double]
  /// Weights of the legal tokens in the order of `tokens`, and scratch space for truncation.
  private var weights: [Double] = []
  private var ranked: [Int32] = []
  private var largestLogit = 0.0
  private var totalWeight = 1.0
  /// The largest logit of a legal token, and the sum of the legal weights relative to it.
  private var largestLegal = 0.0
  private var legalWeight = 1.0
  /// The mass that the mask keeps, from 0 to 1, and its natural logarithm.
  private(set) var keptMass = 1.0
  private(set) var logKeptMass = 0.0

  /// exp(logit − largest) by token number: of the largest logit, and of another one.
  private let exponentials: UnsafeMutablePointer<Double>
  private let others: UnsafeMutablePointer<Double>
  private let set = ck_best()

  init(tokenCount: Int) {
    exponentials = UnsafeMutablePointer<Double>.allocate(capacity: tokenCount)
    others = UnsafeMutablePointer<Double>.allocate(capacity: tokenCount)
    masked = [Double](repeating: 0, count: tokenCount)
    sampled = masked
  }

  deinit {
    exponentials.deallocate()
    others.deallocate()
  }

  func maskedProbability(of token: TokenID) -> Double { masked[Int(token)] }

  func sampledProbability(of token: TokenID) -> Double { sampled[Int(token)] }

  /// The probability of any token under the model's own distribution.
  func rawProbability(of token: TokenID, _ logits: UnsafeBufferPointer<Float>) -> Double {
    ExactMath.exp(Self.finite(logits[Int(token)]) - largestLogit) / totalWeight
  }

  /// The entropies of the step in bits, before and after the mask.
  ///
  /// With weights w = exp(l − c) that sum to W, H = ln W − Σ w·(l − c) / W, so that one logarithm
  /// serves a whole vocabulary.
  func entropies(_ logits: UnsafeBufferPointer<Float>) -> TracedStep.Entropies {
    var raw = 0.0
    let (exponentials, largestLogit) = (exponentials, largestLogit)
    for index in logits.indices where exponentials[index] > 0 {
      raw += exponentials[index] * (Self.finite(logits[index]) - largestLogit)
    }
    var kept = 0.0
    let masked = masked
    for token in tokens where masked[Int(token)] > 0 {
      kept += masked[Int(token)] * (Self.finite(logits[Int(token)]) - largestLegal)
    }
    func bits(_ nats: Double) -> Double { max(0, nats) * 1.442695040888963407 }
    return TracedStep.Entropies(
      raw: bits(ExactMath.log(totalWeight) - raw / totalWeight),
      masked: bits(ExactMath.log(legalWeight) - kept))
  }

  /// The model's output is data: NaN counts as impossible, infinity as the largest number.
  @inline(__always)
  private static func finite(_ logit: Float) -> Double {
    logit.isNaN ? -.infinity : Double(min(logit, .greatestFiniteMagnitude))
  }

  /// Fills all three distributions.
  ///
  /// - Parameters:
  ///   - logits: The model's logits, as many as the vocabulary has tokens.
  ///   - mask: The legal tokens.
  ///   - settings: How the sampled distribution is made.
  /// - Returns: False where no legal token has a finite logit.
  func fill(
    logits: UnsafeBufferPointer<Float>, mask: TokenMask, settings: SamplingSettings
  ) -> Bool {
    Self.set(&masked, of: tokens) { _ in 0 }
    Self.set(&sampled, of: tokens) { _ in 0 }
    Self.refill(&tokens) { tokens in mask.forEach { tokens.append($0) } }
    guard let base = logits.baseAddress else { return false }
    largestLogit = Self.finite(ck_largest_logit(set, base, logits.count))
    let isDense = tokens.count * 8 > logits.count
    largestLegal = tokens.reduce(-.infinity) { max($0, Self.finite(logits[Int($1)])) }
    guard largestLegal > -.infinity else { return false }
    // In bounds: as many as the vocabulary has tokens, as the caller has checked.
    ck_weights(set, base, logits.count, largestLogit, 1, exponentials)
    totalWeight = UnsafeBufferPointer(start: exponentials, count: logits.count).reduce(0, +)
    fillWeights(base, logits.count, isDense: isDense, divisor: 1)
    legalWeight = weights.reduce(0, +)
    Self.set(&masked, of: tokens) { [weights, legalWeight] in weights[$0] / legalWeight }
    logKeptMass = min(
      0,
      (largestLegal - largestLogit) + ExactMath.log(legalWeight) - ExactMath.log(totalWeight))
    keptMass = ExactMath.exp(logKeptMass)
    if settings.picksLikeliest {
      fillLikeliest(logits)
      return true
    }
    if settings.temperature != 1 {
      fillWeights(base, logits.count, isDense: isDense, divisor: settings.temperature)
    }
    truncate(settings)
    let total = weights.reduce(0, +)
    Self.set(&sampled, of: tokens) { [weights] in weights[$0] / total }
    return true
  }

  /// Gives each legal token its weight.
  private func fillWeights(
    _ logits: UnsafePointer<Float>, _ count: Int, isDense: Bool, divisor: Double
  ) {
    let (tokens, largest) = (tokens, largestLegal)
    Self.refill(&weights) { weights in
      // The same numbers, where the likeliest token is legal; few ones are not worth a whole pass.
      if divisor == 1, largest == largestLogit {
        for token in tokens { weights.append(exponentials[Int(token)]) }
      } else if isDense {
        ck_weights(set, logits, count, largest, divisor, others)
        for token in tokens { weights.append(others[Int(token)]) }
      } else {
        for token in tokens {
          weights.append(ExactMath.exp((Self.finite(logits[Int(token)]) - largest) / divisor))
        }
      }
    }
  }

  // MARK: One access for many elements
  //
  // Every access to a stored property of an object is checked while the program runs; for one
  // number of a whole vocabulary that would cost as much as the number.

  /// Fills an array anew in the memory that it has.
  private static func refill<T>(_ array: inout [T], _ fill: (inout [T]) -> Void) {
    array.removeAll(keepingCapacity: true)
    fill(&array)
  }

  /// Sets the elements of tokens, by their positions in the list.
  private static func set(
    _ array: inout [Double], of tokens: [TokenID], _ value: (Int) -> Double
  ) {
    array.withUnsafeMutableBufferPointer { array in
      for (position, token) in tokens.enumerated() { array[Int(token)] = value(position) }
    }
  }

  private func fillLikeliest(_ logits: UnsafeBufferPointer<Float>) {
    let best = tokens.min { left, right in
      let (a, b) = (Self.finite(logits[Int(left)]), Self.finite(logits[Int(right)]))
      return a != b ? a > b : left < right
    }
    if let best { sampled[Int(best)] = 1 }
  }

  // MARK: Truncation

  private func truncate(_ settings: SamplingSettings) {
    let keepsCount = settings.topK > 0 && settings.topK < tokens.count
    if keepsCount || settings.topP < 1 {
      let kept = likeliest(
        atMost: settings.topK > 0 ? settings.topK : tokens.count, share: settings.topP)
      var isKept = [Bool](repeating: false, count: tokens.count)
      for index in kept { isKept[Int(index)] = true }
      for index in weights.indices where !isKept[index] { weights[index] = 0 }
    }
    if settings.minP > 0 {
      // The likeliest token's weight is 1.
      let least = min(settings.minP, 1)
      for index in weights.indices where weights[index] < least { weights[index] = 0 }
    }
  }

  /// Positions of the likeliest tokens: at most a number of them, and no more than are needed for
  /// a share of the mass of that number.
  ///
  /// Only tokens above a falling bound are sorted, since a few of many thousand are enough.
  private func likeliest(atMost count: Int, share: Double) -> ArraySlice<Int32> {
    let total = weights.reduce(0, +)
    var bound = 1.0 / 64
    while true {
      ranked.removeAll(keepingCapacity: true)
      var mass = 0.0
      for index in weights.indices where weights[index] >= bound {
        ranked.append(Int32(index))
        mass += weights[index]
      }
      let isEnough =
        bound == 0 || ranked.count >= count || (count >= tokens.count && mass >= share * total)
      if isEnough { break }
      bound = bound > 1e-300 ? bound * bound : 0
    }
    ranked.sort { left, right in
      let (a, b) = (weights[Int(left)], weights[Int(right)])
      return a != b ? a > b : tokens[Int(left)] < tokens[Int(right)]
    }
    let firstOnes = ranked.prefix(count)
    // Top-p looks at what top-k left; without top-k at everything.
    let mass = count < tokens.count ? firstOnes.reduce(0) { $0 + weights[Int($1)] } : total
    var sum = 0.0
    var kept = 0
    for index in firstOnes {
      if kept > 0, sum >= share * mass { break }
      sum += weights[Int(index)]
      kept += 1
    }
    return firstOnes.prefix(max(kept, 1))
  }

  // MARK: Choosing

  /// Samples a token by an exponential race.
  ///
  /// Token i arrives at time -ln(uᵢ) / pᵢ and the first one wins. The winner is distributed like
  /// p; and because each token has a random number of its own, a small change of p changes the
  /// winner with a small probability only.
  ///
  /// Since -ln u ≥ 1 - u, a token whose 1 - u is late already needs no logarithm; the margin is
  /// far above what rounding can do.
  func choose(key: UInt64) -> TokenID {
    let (tokens, sampled) = (tokens, sampled)
    var best = tokens.first ?? 0
    var earliest = Double.infinity
    for token in tokens {
      let probability = sampled[Int(token)]
      guard probability > 0 else { continue }
      let number = RandomStream.uniform(key: key, token: token)
      if (1 - number) * (1 - 1e-9) > earliest * probability { continue }
      let time = -ExactMath.log(number) / probability
      if time < earliest || (time == earliest && token < best) {
        earliest = time
        best = token
      }
    }
    return best
  }
}
