/// The limits of each worker of a local backend: the context length, the width of its batch, and
/// the memory for keys and values.
struct LocalLimits: Sendable {
  /// The maximum number of tokens in a prompt and its answer together.
  let contextLength: Int
  /// The maximum number of unused prompts that a worker keeps.
  let idlePrompts = 4
  /// The maximum number of attempts that a worker decodes together.
  let width: Int
  /// The maximum number of bytes for a worker's keys and values.
  ///
  /// A single attempt may take as much as it needs.
  let bytes: Int
  /// The size of one token's keys and values in bytes.
  let bytesPerToken: Int

  /// Creates limits.
  ///
  /// - Parameters:
  ///   - contextLength: The maximum number of tokens in a prompt and its answer together.
  ///   - width: The maximum number of attempts that a worker decodes together.
  ///   - bytes: The maximum number of bytes for a worker's keys and values.
  ///   - bytesPerToken: The size of one token's keys and values in bytes.
  init(contextLength: Int, width: Int, bytes: Int, bytesPerToken: Int) {
    self.contextLength = contextLength
    self.width = max(1, width)
    self.bytes = bytes
    self.bytesPerToken = max(1, bytesPerToken)
  }

  /// The number of slots in a worker's predictor.
  ///
  /// Each attempt needs a slot for its answer, one for its prompt, one for each aside that is being
  /// evaluated (see `CaseBatch`), and some for earlier asides. Each unused prompt that is kept
  /// needs a slot. Two slots are spare.
  var slots: Int {
    (2 + Self.asidesTogether + Self.asideSlots) * width + idlePrompts + 2
  }

  /// The maximum number of asides that are evaluated for an attempt in one step.
  static let asidesTogether = 1

  /// The maximum number of slots that an attempt keeps for asides.
  static let asideSlots = 3

  /// Returns whether a number of positions fits into the memory limit in addition to the bytes in
  /// use.
  func hasRoom(for positions: Int, beside used: Int) -> Bool {
    let (bytes, isOver) = positions.multipliedReportingOverflow(by: bytesPerToken)
    return !isOver && bytes <= self.bytes - used
  }
}
