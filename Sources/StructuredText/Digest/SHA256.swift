import CDigest

/// The hash function SHA-256 (FIPS 180-4), with incremental input.
public struct SHA256: Sendable {
  private var state: [UInt32] = [
    0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a,
    0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
  ]
  /// The input bytes that don't fill a block yet; always fewer than 64.
  private var pending: [UInt8] = []
  private var byteCount: UInt64 = 0

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
    var bytes: [UInt8] = []
    bytes.reserveCapacity(32)
    for word in last.state {
      for shift in stride(from: UInt32(24), through: 0, by: -8) {
        bytes.append(UInt8(truncatingIfNeeded: word >> shift))
      }
    }
    return bytes
  }

  /// Returns the hash of everything added so far as 64 lowercase hexadecimal digits.
  public func hexDigest() -> String {
    func digit(_ value: UInt8) -> UInt8 {
      value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") - 10 + value
    }
    var text: [UInt8] = []
    text.reserveCapacity(64)
    for byte in digest() {
      text.append(digit(byte >> 4))
      text.append(digit(byte & 15))
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Runs the compression function over complete blocks of 64 bytes.
  private mutating func compress(_ blocks: UnsafeRawBufferPointer) {
    guard let start = blocks.baseAddress, !blocks.isEmpty else { return }
    cd_sha256(&state, start.assumingMemoryBound(to: UInt8.self), blocks.count / 64)
  }
}
