import CKernels
import Testing

@testable import ConstrainedDecoding

@Suite("Probabilities of a whole vocabulary")
struct ProbabilityKernelTests {
  static let sets = [CK_SCALAR, CK_AVX2, CK_AVX512, CK_NEON].filter { ck_is_supported($0) != 0 }

  /// Logits that are close together, far apart, infinite, NaN, or so small that their exponential
  /// is zero.
  static let logits: [Float] = {
    var random = RandomStream.mix(5)
    var logits: [Float] = (0..<4099).map { index in
      random = RandomStream.mix(random &+ 1)
      let unit = Float(random >> 40) / 0x1p24
      return -unit * [1, 20, 750, 1e-3, 1e30][index % 5]
    }
    logits += [
      0, -0.0, .nan, -.infinity, -.greatestFiniteMagnitude, -745, -744.99,
      Float(bitPattern: 71_362), -87.5, .infinity, 79,
    ]
    // Numbers whose product with log2(e) is a multiple of one half, or close to such a multiple.
    logits += (0..<600).map { -Float(Double($0) * 0.346_573_590_279_972_65) }
    return logits
  }()

  /// A pseudorandom set of legal tokens.
  static let legal = words(logits.indices.map { RandomStream.mix(UInt64($0)) % 3 != 0 })

  static func words(_ bits: [Bool]) -> [UInt64] {
    var words = [UInt64](repeating: 0, count: (bits.count + 63) / 64)
    for (index, bit) in bits.enumerated() where bit { words[index / 64] |= 1 << (index % 64) }
    return words
  }

  static func isLegal(_ index: Int) -> Bool { legal[index / 64] >> (index % 64) & 1 != 0 }

  /// Returns the sum of numbers, computed in eight lanes in the order that `ck_sums` documents.
  static func sum(_ numbers: [Double]) -> Double {
    var lanes = [Double](repeating: 0, count: 8)
    for (index, number) in numbers.enumerated() { lanes[index % 8] += number }
    return ((lanes[0] + lanes[4]) + (lanes[2] + lanes[6]))
      + ((lanes[1] + lanes[5]) + (lanes[3] + lanes[7]))
  }

  @Test(
    "every instruction set computes the same bits as the exponential function in Swift",
    arguments: sets.indices)
  func exponentials(_ index: Int) {
    let set = Self.sets[index]
    for (largest, divisor) in [(1e-40, 1.0), (0.25, 0.7), (3, 1.3), (80, 0.01)] {
      var weights = [Double](repeating: -1, count: Self.logits.count + 1)
      var sums = ck_sums()
      ck_weights(
        set, Self.logits, Self.logits.count, Self.legal, largest, divisor, &weights, &sums)
      #expect(weights.last == -1, "the kernel writes nothing beyond the end")
      var spreads: [Double] = []
      for (logit, weight) in zip(Self.logits, weights) {
        let distance = min(0, Double(logit) - largest) / divisor
        let expected = logit.isNaN ? 0 : ExactMath.exp(distance)
        #expect(weight.bitPattern == expected.bitPattern, "\(logit) \(largest) \(divisor)")
        spreads.append(expected > 0 ? expected * distance : 0)
      }
      weights.removeLast()
      func ofLegal(_ numbers: [Double]) -> [Double] {
        numbers.indices.map { Self.isLegal($0) ? numbers[$0] : 0 }
      }
      #expect(sums.total == Self.sum(weights))
      #expect(sums.spread == Self.sum(spreads))
      #expect(sums.legal_total == Self.sum(ofLegal(weights)))
      #expect(sums.legal_spread == Self.sum(ofLegal(spreads)))
    }
  }

  @Test(
    "the weights of legal tokens are the same when other tokens are skipped",
    arguments: sets.indices)
  func legalWeights(_ index: Int) {
    let set = Self.sets[index]
    let count = Self.logits.count
    let masks = [
      Self.legal, Self.words(Self.logits.indices.map { $0 / 70 % 3 == 0 }),
      Self.words(Self.logits.indices.map { $0 == count - 1 }),
    ]
    for mask in masks {
      var (all, some) = (
        [Double](repeating: -1, count: count), [Double](repeating: -1, count: count)
      )
      var (sums, legalSums) = (ck_sums(), ck_sums())
      ck_weights(set, Self.logits, count, mask, 0.25, 0.7, &all, &sums)
      ck_legal_weights(set, Self.logits, count, mask, 0.25, 0.7, &some, &legalSums)
      #expect(legalSums.legal_total == sums.legal_total)
      #expect(legalSums.legal_spread == sums.legal_spread)
      for token in 0..<count where mask[token / 64] >> (token % 64) & 1 != 0 {
        #expect(some[token].bitPattern == all[token].bitPattern)
      }
    }
  }

  @Test("every instruction set finds the largest logit wherever it is", arguments: sets.indices)
  func largest(_ index: Int) {
    let set = Self.sets[index]
    for count in [1, 15, 16, 17, 40, 100] {
      for place in 0..<count {
        var logits = [Float](repeating: -7, count: count)
        logits[place] = -2
        logits[(place + 1) % count] = count > 1 ? .nan : -2
        var ofLegal: Float = 0
        let all = Self.words((0..<count).map { _ in true })
        let others = Self.words((0..<count).map { $0 != place })
        var (peak, legalPeak): (Float, Float) = (0, 0)
        func largest(_ mask: [UInt64]) -> Float {
          ck_largest_logits(set, logits, count, mask, &ofLegal, &peak, &legalPeak)
        }
        #expect(largest(all) == -2 && ofLegal == -2 && (peak, legalPeak) == (-2, -2))
        #expect(largest(others) == -2 && (peak, legalPeak) == (-2, ofLegal))
        #expect(ofLegal == (count > 2 ? -7 : -.infinity))
        for start in 0...count {
          let found = ck_next_above(set, logits, start, count, nil, -3)
          #expect(found == (start <= place ? place : count))
          #expect(ck_next_above(set, logits, start, count, others, -3) == count)
        }
      }
    }
    var (ofLegal, peak, legalPeak): (Float, Float, Float) = (0, 0, 0)
    #expect(
      ck_largest_logits(set, [.nan, .nan], 2, [3], &ofLegal, &peak, &legalPeak) == -.infinity)
    #expect(
      ck_largest_logits(set, [1, .infinity], 2, [1], &ofLegal, &peak, &legalPeak) == .infinity)
    #expect(ofLegal == 1)
  }

  @Test("every instruction set finds the largest logit of each stretch", arguments: sets.indices)
  func peaks(_ index: Int) {
    let (logits, length) = (Self.logits, Int(CK_STRETCH))
    let stretches = stride(from: 0, to: logits.count, by: length).map {
      $0..<min($0 + length, logits.count)
    }
    var (ofLegal, largest): (Float, Float) = (0, 0)
    var peaks = [Float](repeating: 0, count: stretches.count)
    var legalPeaks = peaks
    largest = ck_largest_logits(
      Self.sets[index], logits, logits.count, Self.legal, &ofLegal, &peaks, &legalPeaks)
    func peak(_ tokens: some Sequence<Int>) -> Float? {
      tokens.map { logits[$0] }.filter { !$0.isNaN }.max()
    }
    #expect(peaks == stretches.map(peak))
    #expect(legalPeaks == stretches.map { peak($0.filter(Self.isLegal)) })
    #expect(largest == peaks.max() && ofLegal == legalPeaks.max())
  }

  @Test("the most likely tokens are those with the highest logits", arguments: [false, true])
  func likeliest(_ isLegal: Bool) {
    let distribution = TokenDistribution(tokenCount: Self.logits.count)
    let mask = TokenMask(
      base: nil, baseCount: 0,
      listed: Self.logits.indices.filter(Self.isLegal).map { Int32($0) }, endTokens: [],
      allowsEnd: false)
    Self.logits.withUnsafeBufferPointer { logits in
      #expect(distribution.fill(logits: logits, mask: mask, settings: SamplingSettings()))
      let sorted = logits.indices.filter { !logits[$0].isNaN && (!isLegal || Self.isLegal($0)) }
        .sorted { logits[$0] != logits[$1] ? logits[$0] > logits[$1] : $0 < $1 }
      // The logits have five stretches.
      for count in [1, 3, 5, 6, 40] {
        let best = distribution.likeliest(count, logits, isLegal: isLegal)
        #expect(best == sorted.prefix(count).map { Int32($0) })
      }
    }
  }

  @Test(
    "the filter of an exponential race finds exactly the legal tokens that arrive early enough",
    arguments: sets.indices)
  func race(_ index: Int) {
    let set = Self.sets[index]
    let weights = Self.logits.map { $0.isNaN ? 0 : ExactMath.exp(Double(min($0, 0))) }
    let count = weights.count
    func numbers(_ key: UInt64) -> [Double] {
      (0..<count).map { RandomStream.uniform(key: key, token: Int32($0)) }
    }
    for key in (0..<20).map({ RandomStream.mix($0) }) {
      let numbers = numbers(key)
      for bound in [.infinity, 0.5, 1e-3, 1e-5] {
        // If a token is within the filter's margin, the filter may find it or not. None of these
        // tokens is within the margin.
        let early = (0..<count).filter {
          Self.isLegal($0) && weights[$0] > 0 && 1 - numbers[$0] <= bound * weights[$0]
        }
        var found: [Int] = []
        var next = ck_next_early(set, weights, 0, count, Self.legal, key, bound)
        while next < count {
          found.append(next)
          next = ck_next_early(set, weights, next + 1, count, Self.legal, key, bound)
        }
        #expect(found == early)
      }
    }
  }
}
