import Tokenization

/// A cache of the logits after texts that are evaluated only to resolve decisions.
///
/// The repeats of a test case begin in the same way, so their first decisions need the same
/// evaluations.
struct AsideMemory {
  /// The maximum size of the cache in bytes.
  private static let byteLimit = 8 << 20

  private let capacity: Int
  private var known: [[TokenID]: [Float]] = [:]

  /// Creates an empty cache.
  ///
  /// - Parameter vocabularySize: The number of logits after a text, one for each token of the
  ///   vocabulary.
  init(vocabularySize: Int) {
    capacity = Self.byteLimit / max(1, vocabularySize * MemoryLayout<Float>.size)
  }

  /// Returns the logits after some tokens; nil if they are not in the cache.
  func logits(after tokens: [TokenID]) -> [Float]? { known[tokens] }

  /// Adds logits while there is room; the first logits are those that most repeats need.
  mutating func keep(_ logits: UnsafeBufferPointer<Float>, after tokens: [TokenID]) {
    if known.count < capacity { known[tokens] = Array(logits) }
  }
}
