import Tokenization

/// A language model in a GGUF file.
///
/// All workers share its weights, which are in read-only mapped memory.
///
/// ```swift
/// let model = try LocalModel(path: "model.gguf")
/// let predictor = model.makePredictor(slots: 2)
/// ```
public struct LocalModel: Sendable {
  /// The tokenizer, which converts text to tokens and back.
  public let tokenizer: Tokenizer

  let file: GGUFFile
  let shape: LlamaConfiguration
  let weights: LlamaWeights

  /// Opens and checks a model file.
  ///
  /// - Parameter path: The file's path.
  /// - Throws: `ModelFileError` if the file is damaged or not supported.
  public init(path: String) throws(ModelFileError) {
    file = try GGUFFile(path: path)
    shape = try LlamaConfiguration(file)
    weights = try LlamaWeights(file, shape)
    tokenizer = Tokenizer(
      try file.tokenizerDefinition(tokenCount: shape.vocabularySize),
      tokenCount: shape.vocabularySize)
  }

  /// The model's tokens.
  public var vocabulary: Vocabulary { tokenizer.vocabulary }

  /// The identity of the file when it was opened.
  public var fileIdentity: FileIdentity { file.file.identity }

  /// Calls a closure with the bytes of the file, which are valid only during the call.
  public func withFile<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
    defer { withExtendedLifetime(file) {} }
    return try body(file.file.bytes)
  }

  /// The upper limit for a model's default context length.
  public static let usualContextLength = 8192

  /// The default context length for this model.
  ///
  /// If the model has separate rotation factors for short and long contexts, the default is at most
  /// the maximum length of a short context.
  public var usualContextLength: Int {
    let hasShort = weights.shortRotationFactors != nil
    return min(
      Self.usualContextLength, shape.contextLength,
      hasShort ? shape.originalContextLength : Int.max)
  }

  /// Creates a predictor over these weights.
  ///
  /// Memory grows with the tokens that are evaluated. Each slot takes at most 8 · layers · key
  /// length · context length bytes.
  ///
  /// - Parameters:
  ///   - slots: The number of independent sequences, at least one.
  ///   - contextLength: The maximum number of tokens in a slot, or `nil` for `usualContextLength`.
  ///     It can't exceed the model's context length.
  ///   - instructionSet: The instruction set to use. All instruction sets give the same bits.
  public func makePredictor(
    slots: Int, contextLength: Int? = nil, instructionSet: InstructionSet = .best
  ) -> LlamaPredictor {
    precondition(slots > 0, "slots must be positive")
    precondition(
      instructionSet.isSupported, "this machine doesn't support \(instructionSet.rawValue)")
    let wanted = contextLength ?? usualContextLength
    return LlamaPredictor(
      model: self, slots: slots, contextLength: max(1, min(wanted, shape.contextLength)),
      instructionSet: instructionSet)
  }
}
