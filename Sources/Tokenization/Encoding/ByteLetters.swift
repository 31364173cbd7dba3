/// The alphabet of byte-level tokenizers: each byte is written as one visible letter.
///
/// A byte that is a printable character in Latin-1 is written as that character. The 68 other bytes
/// are written as the characters from U+0100 on, in ascending order. A space (32), for example, is
/// written as `Ġ` (U+0120).
///
/// The alphabet is `bytes_to_unicode` of the GPT-2 encoder (Radford et al., 2019).
struct ByteLetters: Sendable {
  /// The letter of each byte.
  let letters: [Unicode.Scalar]
  /// The byte of each letter, indexed by the letter's scalar value; -1 for other scalars.
  private let values: [Int16]

  init() {
    var letters: [Unicode.Scalar] = []
    var values = [Int16](repeating: -1, count: 0x144)
    var next: UInt32 = 0x100
    for byte in UInt8.min...UInt8.max {
      let printable = (33...126).contains(byte) || (161...172).contains(byte) || byte >= 174
      let number = printable ? UInt32(byte) : next
      if !printable { next += 1 }
      letters.append(Unicode.Scalar(number) ?? "?")
      values[Int(number)] = Int16(byte)
    }
    self.letters = letters
    self.values = values
  }

  /// Decodes letters to bytes.
  ///
  /// - Parameters:
  ///   - written: The letters in UTF-8.
  ///   - output: A buffer for the bytes, at least as long as `written`.
  /// - Returns: The number of bytes, or nil if a letter is not in the alphabet.
  func decode(
    _ written: UnsafeBufferPointer<UInt8>, into output: UnsafeMutableBufferPointer<UInt8>
  ) -> Int? {
    var (place, count) = (0, 0)
    while place < written.count {
      var letter = Int(written[place])
      place += 1
      if letter >= 0x80 {
        // The alphabet ends at U+0143, so its two-byte letters begin with C2 to C5.
        guard (0xC2...0xC5).contains(letter), place < written.count,
          written[place] & 0xC0 == 0x80
        else { return nil }
        letter = (letter & 0x1F) << 6 | Int(written[place] & 0x3F)
        place += 1
      }
      guard letter < 0x144, values[letter] >= 0 else { return nil }
      output[count] = UInt8(truncatingIfNeeded: values[letter])
      count += 1
    }
    return count
  }

  /// Returns a byte's letter, encoded in UTF-8.
  func written(_ byte: UInt8) -> [UInt8] { Array(String(letters[Int(byte)]).utf8) }
}
