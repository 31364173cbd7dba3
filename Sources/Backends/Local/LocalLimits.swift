/// The limits of each worker of a local backend: the context length, the width of its batch, and
/// the memory for keys and values.
struct LocalLimits: Sendable {
  /// The maximum number of tokens of a prompt and its answer together.
  let contextLength: Int
  /// The maximum number of unused prompts that a worker keeps.
  let idlePrompts = 4
  /// The maximum number of attempts that a worker decodes together.
  let width: Int
  /// The maximum number of bytes for a worker's keys and values; a single attempt may take as much
  /// as it needs.
  let bytes: Int
  /// The size of one token's keys and values in bytes.
  let bytesPerToken: Int

  /// Creates limits.
  ///
  /// - Parameters:
  ///   - contextLength: The maximum number of tokens of a prompt and its answer together.
  ///   - width: The maximum number of attempts that a worker decodes together.
  ///   - bytes: The maximum number of bytes for a worker's keys and values.
  ///   - bytesPerToken: The size of one token's keys and values in bytes.
  init(contextLength: Int, width: Int, bytes: Int, bytesPerToken: Int) {
    self.contextLength = contextLength
    self.width = max(1, width)
    self.bytes = bytes
    self.bytesPerToken = max(1, bytesPerToken)
  }

  /// The number of slots of a worker's predictor: for each attempt, one for its answer and one for
  /// measuring decisions; one for each prompt in use (at most one per attempt); one for each unused
  /// prompt that is kept; and two spare ones.
  var slots: Int { 3 * width + idlePrompts + 2 }

  /// Returns whether this many positions, in addition to the bytes in use, fit into the budget.
  func hasRoom(for positions: Int, beside used: Int) -> Bool {
    let (bytes, isOver) = positions.multipliedReportingOverflow(by: bytesPerToken)
    return !isOver && bytes <= self.bytes - used
  }
}
