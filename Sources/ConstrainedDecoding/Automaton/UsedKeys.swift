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
    /// The keys in ascending order.
    var keys: [[UInt8]] = []
    /// Whether a key comes next, unless the object ends.
    var expectsKey = false
  }

  private var frames: [Frame] = []
  /// The bytes of the current key, with escapes replaced.
  private var key: [UInt8] = []
  private var prefix = KeyPrefix(usedCount: 0)
  private var lexer = JSONByteLexer()
  private(set) var isInKey = false
  /// Whether an object has more keys than the limit.
  private(set) var isExceeded = false

  /// Whether the position is inside a key or another string.
  var isInString: Bool { lexer.isInString }

  /// Whether a duplicate key is possible, because some unclosed object already has a key.
  var hasKeys: Bool { frames.contains { !$0.keys.isEmpty } }

  /// Whether the current key may become one that its object already has.
  var mayRepeat: Bool { isInKey && !prefix.matches.isEmpty }

  /// Reads a byte.
  ///
  /// - Returns: False if the byte completes a key that its object already has.
  mutating func feed(_ byte: UInt8) -> Bool {
    switch lexer.feed(byte) {
    case .inString:
      if isInKey, let last = frames.last { key += prefix.feed(byte, last.keys) }
    case .endString: return endString()
    case .beginObject: frames.append(Frame(isObject: true, expectsKey: true))
    case .beginArray: frames.append(Frame(isObject: false))
    case .end: _ = frames.popLast()
    case .comma:
      if let last = frames.indices.last { frames[last].expectsKey = frames[last].isObject }
    case .beginString:
      if let last = frames.last, last.expectsKey {
        isInKey = true
        key.removeAll(keepingCapacity: true)
        prefix = KeyPrefix(usedCount: last.keys.count)
      }
    case .colon, .space, .scalar: break
    }
    return true
  }

  private mutating func endString() -> Bool {
    guard isInKey, let last = frames.indices.last else { return true }
    isInKey = false
    frames[last].expectsKey = false
    if prefix.isComplete(in: frames[last].keys) { return false }
    if frames[last].keys.count >= Self.limit { isExceeded = true }
    let place = frames[last].keys.partitioningIndex { !$0.lexicographicallyPrecedes(key) }
    frames[last].keys.insert(key, at: place)
    return true
  }

  /// Returns whether a key that the object doesn't have yet continues from a state.
  func hasUnusedKey(from state: UInt32, in states: ByteStates) -> Bool {
    states.hasUnusedKey(from: state, after: prefix, used: frames.last?.keys ?? [])
  }
}

extension Array {
  /// Returns the index of the first element that meets a condition, which all elements after it
  /// meet too.
  fileprivate func partitioningIndex(_ isAfter: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if isAfter(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
