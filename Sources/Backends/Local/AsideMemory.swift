import Tokenization

/// The logits after some texts that were evaluated aside, for repeats that ask for the same.
///
/// The repeats of a case begin alike, so that their first decisions leave the same paths open.
struct AsideMemory {
  /// The most bytes that are kept.
  private static let byteLimit = 8 << 20

  private let capacity: Int
  private var known: [[TokenID]: [Float]] = [:]

  /// - Parameter vocabularySize: The number of logits of a text.
  init(vocabularySize: Int) {
    capacity = Self.byteLimit / max(1, vocabularySize * MemoryLayout<Float>.size)
  }

  /// The logits after the tokens, where they are kept.
  func logits(after tokens: [TokenID]) -> [Float]? { known[tokens] }

  /// Keeps logits while there is room; the first are those that most repeats ask for.
  mutating func keep(_ logits: UnsafeBufferPointer<Float>, after tokens: [TokenID]) {
    if known.count < capacity { known[tokens] = Array(logits) }
  }
}
