import StructuredText
import Tokenization

/// The ways in which a given beginning of a value can continue.
package struct PrefixInquiry {
  /// The path in the value at the end of the given text.
  package let path: String
  /// The legal tokens.
  package let mask: TokenMask
  /// The bytes that must come next, at most 4096; empty if several bytes can follow or the value
  /// may end.
  package let forced: [UInt8]
  /// Whether the value is complete.
  package let isComplete: Bool

  /// The error for a text that is not the beginning of any value.
  package struct Mismatch: Error, Sendable, Hashable, CustomStringConvertible {
    /// The offset of the first byte that doesn't fit.
    package var offset: Int
    /// The byte at that offset.
    package var byte: UInt8
    /// The bytes that would fit at that offset, in ascending order.
    package var allowed: [UInt8]
    /// The path in the value at that byte.
    package var path: String

    /// The path, the byte and the allowed bytes in one line.
    package var description: String {
      let what = allowed.isEmpty ? "nothing" : Self.list(allowed)
      return "byte \(offset), at \(path): \(Self.name(byte)) is not allowed here; allowed: \(what)"
    }

    private static func name(_ byte: UInt8) -> String {
      (0x21...0x7E).contains(byte)
        ? String(UnicodeScalar(byte)) : byte == 0x20 ? "a space" : "the byte \(byte)"
    }

    /// Lists bytes, with runs of three or more as ranges.
    private static func list(_ bytes: [UInt8]) -> String {
      var parts: [String] = []
      var start = 0
      while start < bytes.count {
        var end = start
        while end + 1 < bytes.count, bytes[end + 1] == bytes[end] + 1 { end += 1 }
        if end - start >= 2 {
          parts.append("\(name(bytes[start])) to \(name(bytes[end]))")
        } else {
          parts += bytes[start...end].map(name)
        }
        start = end + 1
      }
      return parts.joined(separator: ", ")
    }
  }

  /// Creates an inquiry by feeding a text to the automaton byte by byte; tokens play no role.
  ///
  /// - Parameters:
  ///   - prefix: The beginning of a value.
  ///   - automaton: The schema's automaton.
  /// - Throws: `Mismatch` if no value begins with the text, or `AutomatonLimit` if the automaton
  ///   exceeds a limit.
  package init(after prefix: some Sequence<UInt8>, in automaton: TokenAutomaton) throws {
    var place = Matcher(automaton)
    var tracker = JSONPlaceTracker()
    for (offset, byte) in prefix.enumerated() {
      if !place.accept(bytes: CollectionOfOne(byte)) {
        let allowed = place.legalBytes
        if let limit = place.exceeded { throw limit }
        throw Mismatch(offset: offset, byte: byte, allowed: allowed, path: tracker.path)
      }
      tracker.feed(byte)
    }
    path = tracker.path
    mask = place.mask
    isComplete = place.isComplete
    var forced: [UInt8] = []
    while forced.count < 4096, let byte = place.forcedByte, place.accept(bytes: [byte]) {
      forced.append(byte)
    }
    self.forced = forced
    if let limit = place.exceeded { throw limit }
  }
}
