/// The keys that the open objects of a text have so far, so that none comes twice.
///
/// It reads bytes that the grammar accepts, so it is no parser: it keeps the open arrays and
/// objects, and for an object its keys, unescaped.
struct UsedKeys {
  /// The most keys of one object.
  static let limit = 4096

  private struct Frame {
    var isObject: Bool
    var keys: Set<[UInt8]> = []
    /// Whether a key comes next, as far as the object does not end.
    var expectsKey = false
  }

  private var frames: [Frame] = []
  private var key: [UInt8] = []
  private var isInString = false
  private(set) var isInKey = false
  private var isEscaped = false
  /// Whether an object has more keys than the limit.
  private(set) var isExceeded = false

  /// Whether a key may come twice: the innermost object, or one around it, has a key already.
  var hasKeys: Bool { frames.contains { !$0.keys.isEmpty } }

  /// Reads a byte.
  ///
  /// - Returns: False if the byte ends a key that its object has already.
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
      let plain = isEscapedKey ? Array(JSONText.unescaped(key).utf8) : key
      return frames[last].keys.insert(plain).inserted
    }
    isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
    if isInKey { key.append(byte) }
    return true
  }

  /// Whether bytes can follow without a key that comes twice.
  func allows(_ bytes: some Sequence<UInt8>) -> Bool {
    var copy = self
    for byte in bytes where !copy.feed(byte) { return false }
    return true
  }
}
