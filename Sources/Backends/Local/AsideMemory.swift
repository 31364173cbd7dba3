import Tokenization

/// A cache of logits for alternatives: token sequences that an answer didn't take, and that the
/// model evaluates only to measure the probabilities of decisions.
///
/// The repeats of a test case begin in the same way, so their first decisions need the same logits.
struct AsideMemory {
  /// The maximum size of the cache in bytes.
  private static let byteLimit = 8 << 20

  private let capacity: Int
  private var known: [[TokenID]: [Float]] = [:]

  /// Creates an empty cache.
  ///
  /// - Parameter vocabularySize: The number of logits after each sequence: one for each token of
  ///   the vocabulary.
  init(vocabularySize: Int) {
    capacity = Self.byteLimit / max(1, vocabularySize * MemoryLayout<Float>.size)
  }

  /// Returns the cached logits for the token after a sequence, or `nil` if the cache has none.
  func logits(after tokens: [TokenID]) -> [Float]? { known[tokens] }

  /// Adds logits if the cache has room for them.
  ///
  /// The cache keeps the logits that were added first, because most repeats need them.
  mutating func keep(_ logits: UnsafeBufferPointer<Float>, after tokens: [TokenID]) {
    if known.count < capacity { known[tokens] = Array(logits) }
  }
}
