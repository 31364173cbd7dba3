/// The hash function SHA-256 (FIPS 180-4), with incremental input.
public struct SHA256: Sendable {
  private var state: [UInt32] = [
    0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a,
    0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
  ]
  /// The input bytes that don't fill a block yet; always fewer than 64.
  private var pending: [UInt8] = []
  private var byteCount: UInt64 = 0
  private var schedule = [UInt32](repeating: 0, count: 64)

  /// Creates a hash with no input yet.
  public init() {}

  /// Returns the SHA-256 of bytes as 64 lowercase hexadecimal digits.
  public static func hexDigest(of bytes: [UInt8]) -> String {
    var hash = SHA256()
    hash.update(bytes)
    return hash.hexDigest()
  }

  /// Returns the SHA-256 of a text in UTF-8 as 64 lowercase hexadecimal digits.
  public static func hexDigest(of text: String) -> String { hexDigest(of: Array(text.utf8)) }

  /// Adds bytes to the input.
  public mutating func update(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { update($0) }
  }

  /// Adds the bytes of a buffer, such as part of a file, to the input.
  public mutating func update(_ bytes: UnsafeRawBufferPointer) {
    byteCount &+= UInt64(bytes.count)
    var rest = bytes[...]
    if !pending.isEmpty {
      let taken = min(64 - pending.count, rest.count)
      pending.append(contentsOf: rest.prefix(taken))
      rest = rest.dropFirst(taken)
      guard pending.count == 64 else { return }
      let block = pending
      pending.removeAll(keepingCapacity: true)
      block.withUnsafeBytes { compress($0) }
    }
    let whole = rest.count & ~63
    compress(UnsafeRawBufferPointer(rebasing: rest.prefix(whole)))
    pending.append(contentsOf: rest.dropFirst(whole))
  }

  /// Returns the 32 bytes of the hash of everything added so far.
  public func digest() -> [UInt8] {
    var last = self
    var padding: [UInt8] = [0x80]
    let used = (pending.count + 1) % 64
    padding.append(contentsOf: repeatElement(0, count: used <= 56 ? 56 - used : 120 - used))
    let bitCount = byteCount &* 8
    for shift in stride(from: UInt64(56), through: 0, by: -8) {
      padding.append(UInt8(truncatingIfNeeded: bitCount >> shift))
    }
    last.update(padding)
    return last.state.flatMap { word in
      [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: word >> UInt32($0)) }
    }
  }

  /// Returns the hash of everything added so far as 64 lowercase hexadecimal digits.
  public func hexDigest() -> String {
    let digits = Array("0123456789abcdef".utf8)
    let text = digest().flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
    return String(decoding: text, as: UTF8.self)
  }

  /// Runs the compression function over complete blocks of 64 bytes.
  private mutating func compress(_ blocks: UnsafeRawBufferPointer) {
    Self.roundConstants.withUnsafeBufferPointer { k in
      schedule.withUnsafeMutableBufferPointer { w in
        state.withUnsafeMutableBufferPointer { h in
          for start in stride(from: 0, to: blocks.count, by: 64) {
            Self.compressBlock(blocks, at: start, h, w, k)
          }
        }
      }
    }
  }

  @inline(__always)
  private static func compressBlock(
    _ blocks: UnsafeRawBufferPointer, at start: Int, _ h: UnsafeMutableBufferPointer<UInt32>,
    _ w: UnsafeMutableBufferPointer<UInt32>, _ k: UnsafeBufferPointer<UInt32>
  ) {
    for t in 0..<16 {
      let word = blocks.loadUnaligned(fromByteOffset: start &+ 4 &* t, as: UInt32.self)
      w[t] = UInt32(bigEndian: word)
    }
    for t in 16..<64 {
      let early = w[t &- 15]
      let late = w[t &- 2]
      let small0 = rotate(early, 7) ^ rotate(early, 18) ^ (early &>> 3)
      let small1 = rotate(late, 17) ^ rotate(late, 19) ^ (late &>> 10)
      w[t] = w[t &- 16] &+ small0 &+ w[t &- 7] &+ small1
    }
    var (a, b, c, d) = (h[0], h[1], h[2], h[3])
    var (e, f, g, last) = (h[4], h[5], h[6], h[7])
    for t in 0..<64 {
      let big1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)
      let choice = (e & f) ^ (~e & g)
      let first = last &+ big1 &+ choice &+ k[t] &+ w[t]
      let big0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)
      let majority = (a & b) ^ (a & c) ^ (b & c)
      (last, g, f, e) = (g, f, e, d &+ first)
      (d, c, b, a) = (c, b, a, first &+ big0 &+ majority)
    }
    h[0] &+= a
    h[1] &+= b
    h[2] &+= c
    h[3] &+= d
    h[4] &+= e
    h[5] &+= f
    h[6] &+= g
    h[7] &+= last
  }

  @inline(__always)
  private static func rotate(_ word: UInt32, _ count: UInt32) -> UInt32 {
    (word &>> count) | (word &<< (32 &- count))
  }

  /// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
  private static let roundConstants: [UInt32] = [
    0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5,
    0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
    0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3,
    0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
    0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc,
    0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
    0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7,
    0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
    0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13,
    0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
    0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3,
    0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
    0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5,
    0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
    0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208,
    0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
  ]
}
