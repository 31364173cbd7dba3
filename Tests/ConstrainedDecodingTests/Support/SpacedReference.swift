import TestSupport

@testable import ConstrainedDecoding

/// A reference that accepts values with white space between their parts, one byte at a time.
///
/// It is independent of the engine: it compares a text with the compact texts of all values, and
/// allows white space only where JSON does.
struct SpacedReference {
  let bound: WhitespaceBound?
  /// The compact texts.
  private let values: [[UInt8]]
  /// For each value, the gap before each of its bytes, or nil if white space isn't allowed there.
  private let gaps: [[Gap?]]

  /// A place at which white space is allowed.
  private enum Gap: Equatable {
    /// On either side of a colon.
    case besideColon
    /// Among the elements or members of a container; the outermost container has depth 1.
    case atDepth(Int)
  }

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

  private static func gaps(_ text: [UInt8]) -> [Gap?] {
    let structural = Set("{}[]:,".utf8)
    var result: [Gap?] = []
    var isInString = false
    var isEscaped = false
    var depth = 0
    for (index, byte) in text.enumerated() {
      let isGap =
        index > 0 && !isInString
        && (structural.contains(byte) || structural.contains(text[index - 1]))
      let isBeside = isGap && [byte, text[index - 1]].contains(UInt8(ascii: ":"))
      result.append(isGap ? isBeside ? .besideColon : .atDepth(depth) : nil)
      if !isInString, "{[".utf8.contains(byte) { depth += 1 }
      if !isInString, "}]".utf8.contains(byte) { depth -= 1 }
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
        place.length < values[$0].count && gaps[$0][place.length] != nil
      }
      if !spaced.isEmpty {
        next.isInRun = true
        if byte == UInt8(ascii: "\n") {
          next.lineEnds += 1
        } else {
          next.blanks += 1
        }
        next.candidates = spaced.filter { allows(next, at: gaps[$0][place.length]) }
        return next.candidates.isEmpty ? nil : next
      }
    }
    next = Place(
      candidates: place.candidates.filter {
        place.length < values[$0].count && values[$0][place.length] == byte
      }, length: place.length + 1)
    return next.candidates.isEmpty ? nil : next
  }

  private func allows(_ place: Place, at gap: Gap?) -> Bool {
    guard let bound else { return true }
    switch gap {
    case nil: return false
    case .besideColon: return place.lineEnds == 0 && place.blanks <= bound.blanksBesideColon
    case .atDepth(let depth):
      let levels = min(depth, bound.indentedLevels)
      return place.lineEnds <= bound.lineEnds
        && place.blanks <= bound.blanks + levels * bound.blanksPerLevel
    }
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
  func samples(_ count: Int, _ random: inout SeededGenerator) -> [String] {
    (0..<count).map { _ in
      let index = Int.random(in: values.indices, using: &random)
      var bytes: [UInt8] = []
      for (byte, gap) in zip(values[index], gaps[index]) {
        if gap != nil {
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
