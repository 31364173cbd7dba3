/// Checks bytes for invalid UTF-8.
package enum UTF8Check {
  /// Returns the position of the first byte that is not well-formed UTF-8, or nil if all bytes are
  /// valid.
  package static func firstInvalidLocation(in bytes: [UInt8]) -> SourceLocation? {
    guard let offset = bytes.withUnsafeBufferPointer(firstInvalidOffset) else { return nil }
    let lines = bytes[..<offset].split(separator: 0x0A, omittingEmptySubsequences: false)
    let before = String(decoding: lines[lines.count - 1], as: UTF8.self)
    return SourceLocation(line: lines.count, column: before.unicodeScalars.count + 1)
  }

  /// Returns the offset of the first byte that is not well-formed UTF-8, or nil if all bytes are
  /// valid.
  ///
  /// The check follows table 3-7 of the Unicode Standard: no overlong forms, no surrogates, nothing
  /// above U+10FFFF.
  static func firstInvalidOffset(in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    let raw = UnsafeRawBufferPointer(bytes)
    var offset = 0
    while offset < bytes.count {
      if offset + 8 <= bytes.count,
        raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
      {
        offset += 8
        continue
      }
      let length = sequenceLength(in: bytes, at: offset)
      if length == 0 { return offset }
      offset += length
    }
    return nil
  }

  /// Returns the length of the well-formed sequence at an offset, or 0 if there is none.
  static func sequenceLength(in bytes: UnsafeBufferPointer<UInt8>, at offset: Int) -> Int {
    let lead = bytes[offset]
    let length: Int
    var second: ClosedRange<UInt8> = 0x80...0xBF
    switch lead {
    case 0x00...0x7F: return 1
    case 0xC2...0xDF: length = 2
    case 0xE0...0xEF:
      length = 3
      if lead == 0xE0 { second = 0xA0...0xBF }
      if lead == 0xED { second = 0x80...0x9F }
    case 0xF0...0xF4:
      length = 4
      if lead == 0xF0 { second = 0x90...0xBF }
      if lead == 0xF4 { second = 0x80...0x8F }
    default: return 0
    }
    guard offset + length <= bytes.count, second.contains(bytes[offset + 1]) else { return 0 }
    for index in 2..<max(2, length) where bytes[offset + index] & 0xC0 != 0x80 { return 0 }
    return length
  }
}
