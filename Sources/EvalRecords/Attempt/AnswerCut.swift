/// The place where an answer was cut off, and the limit that it reached.
public struct AnswerCut: Sendable, Hashable, Codable {
  /// The limits at which an answer can be cut off.
  public enum Limit: String, Sendable, Hashable, Codable, CaseIterable {
    /// The maximum number of tokens in an answer.
    case tokens
    /// The length of the model's context.
    case context
  }

  /// The limit that the answer reached.
  public var limit: Limit
  /// The number of tokens in the answer when it was cut off; 0 if the backend doesn't count them.
  public var tokens: Int
  /// The path of the innermost value that the model was writing; `$` if the path is unknown.
  public var path: String
  /// The text that the answer kept repeating at its end, or `nil` if the end doesn't repeat itself.
  public var loop: String?

  /// Creates a cut.
  public init(limit: Limit, tokens: Int, path: String, loop: String? = nil) {
    self.limit = limit
    self.tokens = tokens
    self.path = path
    self.loop = loop
  }

  /// Returns the part that a text repeats at its end, or `nil` if the end doesn't repeat anything.
  ///
  /// The text must contain the part at least three times in a row, over at least 48 bytes in total.
  ///
  /// ```
  /// ["x","ab","ab", … "ab","ab",   ──►   "ab",
  /// ```
  ///
  /// - Returns: The first 80 characters of the part.
  /// - Complexity: Linear in the last 4,096 bytes.
  public static func loop(atEndOf text: String) -> String? {
    // A reversed text has the same periods. So the prefix function of the reversed tail finds the
    // shortest period of each suffix of the text.
    let tail = Array(text.utf8.suffix(4096).reversed())
    guard tail.count >= minimumLoop else { return nil }
    var borders = [Int](repeating: 0, count: tail.count)
    var best: (length: Int, period: Int)?
    for end in 1..<tail.count {
      var border = borders[end - 1]
      while border > 0, tail[end] != tail[border] { border = borders[border - 1] }
      if tail[end] == tail[border] { border += 1 }
      borders[end] = border
      let (length, period) = (end + 1, end + 1 - border)
      if length >= minimumLoop, length >= 3 * period { best = (length, period) }
    }
    guard let best else { return nil }
    let loop = tail[..<best.period].reversed()
    return String(String(decoding: loop, as: UTF8.self).prefix(80))
  }

  private static let minimumLoop = 48
}

extension AttemptFailure {
  /// Creates a failure for an answer that was cut off.
  public init(_ cut: AnswerCut) {
    let place =
      switch cut.limit {
      case .tokens: cut.tokens > 0 ? "cut off at \(cut.tokens) tokens" : "cut off"
      case .context where cut.tokens > 0:
        "cut off at \(cut.tokens) tokens, when the context was full"
      case .context: "cut off when the context was full"
      }
    let addition = cut.loop == nil ? "" : "; the answer repeats itself"
    self.init(kind: .truncated, message: place + addition)
  }
}
