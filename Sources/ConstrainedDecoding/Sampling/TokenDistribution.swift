import CKernels
import Tokenization

/// The three distributions at one step: raw (the model's own), masked (raw, renormalized over the
/// legal tokens), and sampled (after temperature and truncation).
///
/// Each automaton has one instance, which its sessions refill at each step, so a step allocates
/// memory only for sorting (truncation and traces). Each distribution is a list of weights, indexed
/// by token, and their sum. A probability is a weight divided by the sum, computed on demand:
///
/// ```
/// raw      exp(logit − largest)                 of all tokens      / their sum
/// masked   the same                             of the legal ones  / their sum
/// sampled  the same, or recomputed with the temperature; 0 if truncated
///          (greedy: no list, but one token)
/// ```
///
/// The *mass* that the mask keeps, Z, is the total raw probability of the legal tokens. The raw
/// probability of a legal token is Z times its masked probability. The kernels add the weights in a
/// fixed order (`ck_sums`), so the sums depend neither on the machine nor on the representation of
/// a mask.
final class TokenDistribution {
  /// The mass that the mask keeps, from 0 to 1, and its natural logarithm.
  private(set) var keptMass = 1.0
  private(set) var logKeptMass = 0.0

  private let tokenCount: Int
  private let set = ck_best()
  /// The legal tokens as bits, 64 per word.
  let legal: UnsafeMutableBufferPointer<UInt64>
  /// Buffers for comparing masks.
  private let larger: UnsafeMutableBufferPointer<UInt64>
  private let smaller: UnsafeMutableBufferPointer<UInt64>
  /// The largest logit in each stretch of the vocabulary: of all tokens, and of the legal tokens.
  private let peaks: UnsafeMutableBufferPointer<Float>
  private let legalPeaks: UnsafeMutableBufferPointer<Float>
  /// Buffers for weights, indexed by token.
  private let raw: UnsafeMutablePointer<Double>
  private let distantLegal: UnsafeMutablePointer<Double>
  let chosenFrom: UnsafeMutablePointer<Double>
  /// The weights of the masked and the sampled distribution; each points to one of the buffers
  /// above.
  private var masked: UnsafeMutablePointer<Double>
  private var sampled: UnsafeMutablePointer<Double>
  private var rawSums = ck_sums()
  private var maskedSums = ck_sums()
  var sampledTotal = 1.0
  /// The only token of the sampled distribution, if sampling is greedy.
  private var onlyChoice: TokenID?

  init(tokenCount: Int) {
    func weights() -> UnsafeMutablePointer<Double> { .allocate(capacity: tokenCount) }
    self.tokenCount = tokenCount
    legal = .allocate(capacity: (tokenCount + 63) / 64)
    legal.initialize(repeating: 0)
    larger = .allocate(capacity: legal.count)
    larger.initialize(repeating: 0)
    smaller = .allocate(capacity: legal.count)
    smaller.initialize(repeating: 0)
    let stretches = (tokenCount + Int(CK_STRETCH) - 1) / Int(CK_STRETCH)
    peaks = .allocate(capacity: stretches)
    peaks.initialize(repeating: -.infinity)
    legalPeaks = .allocate(capacity: stretches)
    legalPeaks.initialize(repeating: -.infinity)
    (raw, distantLegal, chosenFrom) = (weights(), weights(), weights())
    (masked, sampled) = (raw, raw)
  }

  deinit {
    legal.deallocate()
    larger.deallocate()
    smaller.deallocate()
    peaks.deallocate()
    legalPeaks.deallocate()
    for weights in [raw, distantLegal, chosenFrom] { weights.deallocate() }
  }

  // Here and below, accesses stay in bounds: the buffers have room for all tokens of the
  // vocabulary, token numbers are within the vocabulary, and callers check the number of logits
  // before `fill`.

  func isLegal(_ token: TokenID) -> Bool { legal[Int(token) >> 6] >> UInt64(token & 63) & 1 != 0 }

  func maskedProbability(of token: TokenID) -> Double {
    isLegal(token) ? masked[Int(token)] / maskedSums.legal_total : 0
  }

  func sampledProbability(of token: TokenID) -> Double {
    if let onlyChoice { return token == onlyChoice ? 1 : 0 }
    return isLegal(token) ? sampled[Int(token)] / sampledTotal : 0
  }

  /// Returns the probability of any token under the model's own distribution.
  func rawProbability(of token: TokenID) -> Double { raw[Int(token)] / rawSums.total }

  /// Returns the total raw probability of the tokens that are in one mask but not in another.
  ///
  /// The method visits one word per 64 tokens of the vocabulary, plus each token that it counts.
  func rawProbability(of mask: TokenMask, without other: TokenMask) -> Double {
    if mask === other { return 0 }
    mask.fill(larger)
    other.fill(smaller)
    var sum = 0.0
    for index in larger.indices {
      var word = larger[index] & ~smaller[index]
      while word != 0 {
        sum += raw[index << 6 | word.trailingZeroBitCount]
        word &= word &- 1
      }
    }
    return sum / rawSums.total
  }

  /// The entropies of the step in bits, before and after the mask.
  ///
  /// With weights w = exp(l − c) that sum to W, H = ln W − Σ w·(l − c) / W, so one logarithm is
  /// enough for a whole vocabulary.
  var entropies: TracedStep.Entropies {
    func bits(_ total: Double, _ spread: Double) -> Double {
      max(0, ExactMath.log(total) - spread / total) * 1.442695040888963407
    }
    return TracedStep.Entropies(
      raw: bits(rawSums.total, rawSums.spread),
      masked: bits(maskedSums.legal_total, maskedSums.legal_spread))
  }

  /// The maximum difference between the largest logit and the largest legal logit at which the raw
  /// and the masked distribution share their weights.
  ///
  /// Up to this difference, the weights of legal tokens are relative to the weight of the most
  /// likely token. Beyond it, they are relative to the weight of the most likely legal token.
  ///
  /// Up to this difference, a legal weight that is too small to represent is below e^-680 times the
  /// weight of the most likely legal token.
  private static let nearby = 64.0

  /// Fills all three distributions.
  ///
  /// - Parameters:
  ///   - logits: The model's logits, as many as the vocabulary has tokens.
  ///   - mask: The legal tokens.
  ///   - settings: The settings for the sampled distribution.
  /// - Returns: False if no legal token has a finite logit.
  func fill(
    logits: UnsafeBufferPointer<Float>, mask: TokenMask, settings: SamplingSettings
  ) -> Bool {
    guard let base = logits.baseAddress, let words = legal.baseAddress else { return false }
    mask.fill(legal)
    var ofLegal: Float = 0
    let largest = Self.finite(
      ck_largest_logits(
        set, base, tokenCount, words, &ofLegal, peaks.baseAddress, legalPeaks.baseAddress))
    let largestLegal = Self.finite(ofLegal)
    guard largestLegal > -.infinity else { return false }
    // Both functions stay in bounds, because the caller has checked that there are as many logits
    // as tokens in the vocabulary.
    func fillLegal(_ weights: UnsafeMutablePointer<Double>, divisor: Double) -> ck_sums {
      var sums = ck_sums()
      ck_legal_weights(set, base, tokenCount, words, largestLegal, divisor, weights, &sums)
      return sums
    }
    ck_weights(set, base, tokenCount, words, largest, 1, raw, &rawSums)
    let isNearby = largest - largestLegal <= Self.nearby
    masked = isNearby ? raw : distantLegal
    maskedSums = isNearby ? rawSums : fillLegal(distantLegal, divisor: 1)
    logKeptMass = min(
      0,
      (isNearby ? 0 : largestLegal - largest) + ExactMath.log(maskedSums.legal_total)
        - ExactMath.log(rawSums.total))
    keptMass = ExactMath.exp(logKeptMass)
    onlyChoice = settings.picksLikeliest ? likeliestLegal(base, ofLegal) : nil
    if onlyChoice != nil { return true }
    if settings.temperature != 1 || settings.truncates {
      sampled = chosenFrom
      sampledTotal = fillLegal(chosenFrom, divisor: settings.temperature).legal_total
      if settings.truncates { truncate(settings) }
    } else {
      sampled = masked
      sampledTotal = maskedSums.legal_total
    }
    return true
  }

  /// Returns a logit as a double, with NaN and infinity replaced.
  ///
  /// The model's output is untrusted data: NaN counts as impossible, and infinity as the largest
  /// number.
  private static func finite(_ logit: Float) -> Double {
    logit.isNaN ? -.infinity : Double(min(logit, .greatestFiniteMagnitude))
  }

  /// Returns the tokens with the largest logits; tokens with equal logits are in ascending order.
  ///
  /// If the n-th largest peak of the stretches is p, at least n tokens have a logit of p or more.
  /// So the method reads only the stretches with a peak of at least p.
  ///
  /// - Parameters:
  ///   - count: The maximum number of tokens.
  ///   - logits: The logits with which the distributions were filled.
  ///   - isLegal: Whether only legal tokens count.
  func likeliest(
    _ count: Int, _ logits: UnsafeBufferPointer<Float>, isLegal: Bool
  ) -> [TokenID] {
    guard let base = logits.baseAddress, count > 0 else { return [] }
    let peaks = isLegal ? legalPeaks : peaks
    let least = Self.nthLargest(count, of: peaks)
    var best: [TokenID] = []
    func insert(_ token: Int) {
      let place = best.firstIndex { base[Int($0)] < base[token] } ?? best.count
      best.insert(TokenID(token), at: place)
      if best.count > count { best.removeLast() }
    }
    for (stretch, peak) in peaks.enumerated() where peak >= least {
      var next = stretch * Int(CK_STRETCH)
      let end = min(next + Int(CK_STRETCH), tokenCount)
      if least == -.infinity {
        // `ck_next_above` can't find logits of minus infinity, which count if there are no others.
        while best.count < count, next < end {
          if !base[next].isNaN, !isLegal || self.isLegal(TokenID(next)) { insert(next) }
          next += 1
        }
      }
      while next < end {
        let bound = best.count < count ? least.nextDown : base[Int(best[count - 1])]
        next = ck_next_above(set, base, next, end, isLegal ? legal.baseAddress : nil, bound)
        if next < end { insert(next) }
        next += 1
      }
    }
    return best
  }

  /// Returns the n-th largest peak, or minus infinity if there are fewer than n peaks.
  private static func nthLargest(_ n: Int, of peaks: UnsafeMutableBufferPointer<Float>) -> Float {
    var largest: [Float] = []
    largest.reserveCapacity(n + 1)
    for peak in peaks where largest.count < n || peak > largest[n - 1] {
      largest.insert(peak, at: largest.firstIndex { $0 < peak } ?? largest.count)
      if largest.count > n { largest.removeLast() }
    }
    return largest.count < n ? -.infinity : largest[n - 1]
  }

  /// Returns the first legal token with the largest logit; infinity counts as the largest number.
  private func likeliestLegal(_ logits: UnsafePointer<Float>, _ largest: Float) -> TokenID {
    let bound = min(largest, .greatestFiniteMagnitude).nextDown
    return TokenID(ck_next_above(set, logits, 0, tokenCount, legal.baseAddress, bound))
  }

  // MARK: Truncation

  /// Calls a closure for each legal token, in ascending order.
  func forEachLegal(_ body: (TokenID) -> Void) {
    for index in legal.indices {
      var word = legal[index]
      while word != 0 {
        body(TokenID(truncatingIfNeeded: index << 6 | word.trailingZeroBitCount))
        word &= word &- 1
      }
    }
  }

  /// Returns the sum of the weights of some tokens, added in the same order as in `ck_sums`.
  func sum(
    of weights: UnsafePointer<Double>, over forEach: ((TokenID) -> Void) -> Void
  ) -> Double {
    var lanes = [Double](repeating: 0, count: 8)
    forEach { lanes[Int($0) & 7] += weights[Int($0)] }
    return ((lanes[0] + lanes[4]) + (lanes[2] + lanes[6]))
      + ((lanes[1] + lanes[5]) + (lanes[3] + lanes[7]))
  }

  /// Keeps only the weights of the given tokens.
  func keep(_ tokens: some Sequence<TokenID>) {
    let weights = chosenFrom
    let kept = tokens.sorted().map { (token: $0, weight: weights[Int($0)]) }
    weights.update(repeating: 0, count: tokenCount)
    for (token, weight) in kept { weights[Int(token)] = weight }
    sampledTotal = sum(of: weights) { body in for (token, _) in kept { body(token) } }
  }

  /// Returns the most likely tokens for top-k and top-p: at most `count` tokens, and no more than
  /// needed to reach a share of their total mass.
  ///
  /// The method sorts only the tokens whose weights reach a threshold, because a few out of many
  /// thousand tokens are usually enough. If they are not enough, the method lowers the threshold.
  func likeliest(
    atMost count: Int, of legalCount: Int, share: Double
  ) -> ArraySlice<TokenID> {
    let weights = chosenFrom
    var ranked: [TokenID] = []
    var bound = 1.0 / 64
    while true {
      ranked.removeAll(keepingCapacity: true)
      var mass = 0.0
      forEachLegal { token in
        guard weights[Int(token)] >= bound else { return }
        ranked.append(token)
        mass += weights[Int(token)]
      }
      let isEnough =
        bound == 0 || (count < legalCount ? ranked.count >= count : mass >= share * sampledTotal)
      if isEnough { break }
      bound = bound > 1e-300 ? bound * bound : 0
    }
    ranked.sort { left, right in
      let (a, b) = (weights[Int(left)], weights[Int(right)])
      return a != b ? a > b : left < right
    }
    let firstOnes = ranked.prefix(count)
    // Top-p applies to the tokens that top-k kept or, without top-k, to all tokens.
    let mass =
      count < legalCount ? firstOnes.reduce(0) { $0 + weights[Int($1)] } : sampledTotal
    var sum = 0.0
    var kept = 0
    for token in firstOnes {
      if kept > 0, sum >= share * mass { break }
      sum += weights[Int(token)]
      kept += 1
    }
    return firstOnes.prefix(max(kept, 1))
  }

  // MARK: Choosing

  /// Samples a token by an exponential race.
  ///
  /// Token i arrives at time -ln(uᵢ) / pᵢ, and the first token wins; if several arrive at the same
  /// time, the token with the lowest number wins. The winner is distributed like p. Because each
  /// token has a separate random number, a small change in p changes the winner only with a small
  /// probability.
  ///
  /// Since -ln u ≥ 1 - u, a token loses if even (1 - u) / p is too late, so no logarithm is
  /// computed for it. `ck_next_early` adds a margin that is far larger than any rounding error.
  ///
  /// - Parameter excluded: Tokens that don't take part.
  func choose(key: UInt64, without excluded: BitWords? = nil) -> TokenID {
    if let onlyChoice { return excluded?.contains(onlyChoice) == true ? 0 : onlyChoice }
    var best = 0
    var earliest = Double.infinity
    var token = 0
    while true {
      token = ck_next_early(
        set, sampled, token, tokenCount, legal.baseAddress, key, earliest / sampledTotal)
      if token == tokenCount { return TokenID(best) }
      if let excluded, excluded.contains(TokenID(token)) {
        token += 1
        continue
      }
      let number = RandomStream.uniform(key: key, token: TokenID(token))
      let time = -ExactMath.log(number) / (sampled[token] / sampledTotal)
      if time < earliest { (best, earliest) = (token, time) }
      token += 1
    }
  }
}
