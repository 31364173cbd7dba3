import StructuredText

/// The keys of all unclosed objects, for preventing duplicate keys.
///
/// The text is known to follow the grammar, so a full parser isn't needed: this type tracks only
/// the unclosed arrays and objects and, for each object, its unescaped keys.
struct UsedKeys {
  /// The maximum number of keys in one object.
  static let limit = 4096

  private struct Frame {
    var isObject: Bool
    var keys: Set<[UInt8]> = []
    /// Whether a key comes next, unless the object ends.
    var expectsKey = false
  }

  private var frames: [Frame] = []
  private var key: [UInt8] = []
  private var isInString = false
  private(set) var isInKey = false
  private var isEscaped = false
  /// Whether an object has more keys than the limit.
  private(set) var isExceeded = false

  /// Whether a duplicate key is possible, because some unclosed object already has a key.
  var hasKeys: Bool { frames.contains { !$0.keys.isEmpty } }

  /// Reads a byte.
  ///
  /// - Returns: False if the byte completes a key that its object already has.
  mutating func feed(_ byte: UInt8) -> Bool {
    if isInString { return feedString(byte) }
    switch byte {
    case UInt8(ascii: "{"): frames.append(Frame(isObject: true, expectsKey: true))
    case UInt8(ascii: "["): frames.append(Frame(isObject: false))
    case UInt8(ascii: "}"), UInt8(ascii: "]"): _ = frames.popLast()
    case UInt8(ascii: ","):
      if let last = frames.indices.last { frames[last].expectsKey = frames[last].isObject }
    case UInt8(ascii: "\""):
      isInString = true
      if let last = frames.last, last.expectsKey {
        isInKey = true
        key.removeAll(keepingCapacity: true)
      }
    default: break
    }
    return true
  }

  private mutating func feedString(_ byte: UInt8) -> Bool {
    if !isEscaped, byte == UInt8(ascii: "\"") {
      isInString = false
      guard isInKey, let last = frames.indices.last else { return true }
      isInKey = false
      frames[last].expectsKey = false
      if frames[last].keys.count >= Self.limit { isExceeded = true }
      let isEscapedKey = key.contains(UInt8(ascii: "\\"))
      let plain = isEscapedKey ? Array(JSONEscapes.unescaped(key).utf8) : key
      return frames[last].keys.insert(plain).inserted
    }
    isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
    if isInKey { key.append(byte) }
    return true
  }

  /// Returns whether the given bytes add no duplicate key.
  func allows(_ bytes: some Sequence<UInt8>) -> Bool {
    var copy = self
    for byte in bytes where !copy.feed(byte) { return false }
    return true
  }
}
