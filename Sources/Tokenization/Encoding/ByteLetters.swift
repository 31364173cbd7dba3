/// The alphabet of byte-level tokenizers: each byte as one visible letter.
///
/// Printable bytes of Latin-1 stand for themselves; the 68 others follow from U+0100 on, in the
/// order of their values. A space (32) is so written `Ġ` (U+0120).
///
/// Source: `bytes_to_unicode` of the GPT-2 encoder (Radford et al., 2019).
struct ByteLetters: Sendable {
  /// The letter of each byte.
  let letters: [Unicode.Scalar]
  /// The byte of each letter, by the letter's number; -1 for none.
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

  /// The bytes that letters stand for, or nothing where one is not of the alphabet.
  func bytes(of written: [UInt8]) -> [UInt8]? {
    guard let text = String(validating: written, as: UTF8.self) else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(written.count)
    for letter in text.unicodeScalars {
      guard letter.value < 0x144, values[Int(letter.value)] >= 0 else { return nil }
      bytes.append(UInt8(values[Int(letter.value)]))
    }
    return bytes
  }

  /// A byte as its letter in UTF-8.
  func written(_ byte: UInt8) -> [UInt8] { Array(String(letters[Int(byte)]).utf8) }
}
