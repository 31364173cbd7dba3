/// The ranks of a byte-pair encoder's merges, looked up by the two parts of a merge.
///
/// A model file stores a merge as its two parts with a space between them. A part never contains a
/// space, because the byte-level alphabet (`ByteLetters`) writes a space as a different letter. So
/// the only space in a merge separates its parts.
struct MergeIndex: Sendable {
  private let lines: ByteStrings
  private var slots: HashSlots
  /// The length of the longest merge in bytes; longer pairs are not looked up.
  private let longest: Int

  /// Creates an index.
  ///
  /// - Parameter lines: The merges, best first; if several merges have the same pair of parts, the
  ///   first counts.
  init(_ lines: ByteStrings) {
    self.lines = lines
    slots = HashSlots(capacity: lines.count)
    var longest = 0
    for rank in 0..<lines.count {
      let line = lines[rank]
      guard let space = Self.space(line) else { continue }
      longest = max(longest, line.count)
      let left = UnsafeBufferPointer(rebasing: line[..<space])
      let right = UnsafeBufferPointer(rebasing: line[(space + 1)...])
      slots.insert(rank, Self.hash(left, right)) {
        Self.isMerge(lines[$0], of: left, right)
      }
    }
    self.longest = longest
  }

  /// Returns the position of the space between a merge's parts: the first space with at least one
  /// byte before it and one after it.
  package static func space(_ line: UnsafeBufferPointer<UInt8>) -> Int? {
    var place = 1
    while place + 1 < line.count {
      if line[place] == UInt8(ascii: " ") { return place }
      place += 1
    }
    return nil
  }

  private static func hash(
    _ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>
  ) -> UInt64 {
    ByteHash.hash(ByteHash.hash(left), ByteHash.hash(right))
  }

  private static func isMerge(
    _ line: UnsafeBufferPointer<UInt8>, of left: UnsafeBufferPointer<UInt8>,
    _ right: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    line.count == left.count + 1 + right.count && line[left.count] == UInt8(ascii: " ")
      && line.prefix(left.count).elementsEqual(left)
      && line.suffix(right.count).elementsEqual(right)
  }

  /// Returns the rank of the merge of two parts, or nil if the encoder never merges them.
  ///
  /// - Parameters:
  ///   - left: The left part, which must not contain a space.
  ///   - right: The right part.
  func rank(
    _ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>
  ) -> Int? {
    guard left.count + 1 + right.count <= longest else { return nil }
    return slots.find(Self.hash(left, right)) { Self.isMerge(lines[$0], of: left, right) }
  }
}
