/// How wide the batches of a local backend are, and how much memory their keys and values may take.
struct LocalLimits: Sendable {
  /// The maximum number of tokens of a prompt and its answer together.
  let contextLength: Int
  /// Prompts without a user that a worker keeps.
  let idlePrompts = 4
  /// The most attempts that decode together in a worker.
  let width: Int
  /// The most bytes of keys and values in a worker; a single attempt may take what it needs.
  let bytes: Int
  /// The bytes of a token's keys and values.
  let bytesPerToken: Int

  /// - Parameters:
  ///   - contextLength: The most tokens of a prompt with its answer.
  ///   - width: The most attempts that decode together in a worker.
  ///   - bytes: The most bytes of keys and values in a worker.
  ///   - bytesPerToken: The bytes of a token's keys and values.
  init(contextLength: Int, width: Int, bytes: Int, bytesPerToken: Int) {
    self.contextLength = contextLength
    self.width = max(1, width)
    self.bytes = bytes
    self.bytesPerToken = max(1, bytesPerToken)
  }

  /// The slots of a worker's predictor: two for each attempt, one of its own and one for looking
  /// aside,
  /// and one for each prompt, of which there are at most as many as attempts, and the kept ones.
  var slots: Int { 3 * width + idlePrompts + 2 }

  /// Whether so many positions, beside bytes that are taken, stay within the budget.
  func hasRoom(for positions: Int, beside used: Int) -> Bool {
    let (bytes, isOver) = positions.multipliedReportingOverflow(by: bytesPerToken)
    return !isOver && bytes <= self.bytes - used
  }
}
