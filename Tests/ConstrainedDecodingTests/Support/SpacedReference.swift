@testable import ConstrainedDecoding

/// A reference that accepts values with white space between their parts, one byte at a time.
///
/// It is independent of the engine: it compares a text with the compact texts of all values, and
/// allows white space only where JSON does.
struct SpacedReference {
  let bound: WhitespaceBound?
  /// The compact texts.
  private let values: [[UInt8]]
  /// For each value, whether white space is allowed before each of its bytes.
  private let gaps: [[Bool]]

  /// The values that a text can still become, and the white space at its end.
  struct Place {
    var candidates: [Int]
    var length = 0
    var lineEnds = 0
    var blanks = 0
    var isInRun = false
  }

  init(_ texts: some Sequence<String>, bound: WhitespaceBound?) {
    self.bound = bound
    values = texts.map { Array($0.utf8) }
    gaps = values.map(Self.gaps)
  }

  var start: Place { Place(candidates: Array(values.indices)) }

  private static func gaps(_ text: [UInt8]) -> [Bool] {
    let structural = Set("{}[]:,".utf8)
    var result: [Bool] = []
    var isInString = false
    var isEscaped = false
    for (index, byte) in text.enumerated() {
      let isOutside = !isInString
      result.append(
        index > 0 && isOutside
          && (structural.contains(byte) || structural.contains(text[index - 1])))
      if isInString {
        if !isEscaped, byte == UInt8(ascii: "\"") { isInString = false }
        isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
      } else if byte == UInt8(ascii: "\"") {
        isInString = true
      }
    }
    return result
  }

  /// Returns the place after a byte, or nil if no value continues with that byte or if the byte
  /// exceeds the bound on white space.
  func step(_ place: Place, _ byte: UInt8) -> Place? {
    var next = place
    if " \t\r\n".utf8.contains(byte) {
      let spaced = place.candidates.filter {
        place.length < values[$0].count && gaps[$0][place.length]
      }
      if !spaced.isEmpty {
        next.candidates = spaced
        next.isInRun = true
        if byte == UInt8(ascii: "\n") {
          next.lineEnds += 1
          next.blanks = 0
        } else {
          next.blanks += 1
        }
        if let bound, next.lineEnds > bound.lineEnds || next.blanks > bound.blanks { return nil }
        return next
      }
    }
    next = Place(
      candidates: place.candidates.filter {
        place.length < values[$0].count && values[$0][place.length] == byte
      }, length: place.length + 1)
    return next.candidates.isEmpty ? nil : next
  }

  func place(_ place: Place, after bytes: some Sequence<UInt8>) -> Place? {
    var current = place
    for byte in bytes {
      guard let next = step(current, byte) else { return nil }
      current = next
    }
    return current
  }

  func isComplete(_ place: Place) -> Bool {
    !place.isInRun && place.candidates.contains { values[$0].count == place.length }
  }

  /// Returns texts of random values with random white space.
  func samples(_ count: Int, _ random: inout TestRandom) -> [String] {
    (0..<count).map { _ in
      let index = Int.random(in: values.indices, using: &random)
      var bytes: [UInt8] = []
      for (byte, gap) in zip(values[index], gaps[index]) {
        if gap {
          for _ in 0..<Int.random(in: 0...3, using: &random) {
            bytes +=
              [" ", " ", "\n", "\t", "\r", "    "].randomElement(using: &random)?.utf8 ?? "".utf8
          }
        }
        bytes.append(byte)
      }
      return String(decoding: bytes, as: UTF8.self)
    }
  }
}
