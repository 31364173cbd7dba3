/// Converts byte offsets in a UTF-8 text to lines and columns.
///
/// Lines end with `\n`, `\r\n` or a lone `\r`; columns count Unicode scalars. For a series of
/// increasing offsets, the counter makes only one pass over the text, but if an offset is smaller
/// than the previous one, the counter starts again at the beginning.
struct LocationCounter {
  private let bytes: UnsafeBufferPointer<UInt8>
  private var offset: Int
  private var current = SourceLocation(line: 1, column: 1)
  private let first: Int

  /// Creates a counter.
  ///
  /// - Parameters:
  ///   - bytes: The text.
  ///   - first: The offset of line 1, column 1, for example after a byte order mark.
  init(_ bytes: UnsafeBufferPointer<UInt8>, first: Int = 0) {
    self.bytes = bytes
    self.first = first
    self.offset = first
  }

  /// Returns the line and column of the byte at an offset.
  mutating func location(of target: Int) -> SourceLocation {
    if target < offset {
      offset = first
      current = SourceLocation(line: 1, column: 1)
    }
    let end = min(target, bytes.count)
    while offset < end {
      let byte = bytes[offset]
      offset += 1
      if byte == 0x0A || (byte == 0x0D && !(offset < bytes.count && bytes[offset] == 0x0A)) {
        current.line += 1
        current.column = 1
      } else if byte & 0xC0 != 0x80 && byte != 0x0D {
        current.column += 1
      }
    }
    return current
  }
}
