import GuidedGeneration

extension LanguageModelSession {
  /// Creates a session with the system's model and instructions from a closure.
  ///
  /// - Parameters:
  ///   - model: The system's model.
  ///   - tools: The tools that the model may call.
  ///   - instructions: A closure with the instructions for the model.
  /// - Throws: The error that the instructions closure throws.
  public convenience init(
    model: SystemLanguageModel = .default, tools: [any Tool] = [],
    @InstructionsBuilder instructions: () throws -> Instructions
  ) rethrows {
    self.init(
      model: ModelRunner(model), tools: tools, instructions: try instructions())
  }

  /// Creates a session with the system's model.
  ///
  /// - Parameters:
  ///   - model: The system's model.
  ///   - tools: The tools that the model may call.
  ///   - instructions: The instructions for the model, or `nil` for none.
  public convenience init(
    model: SystemLanguageModel = .default, tools: [any Tool] = [],
    instructions: Instructions? = nil
  ) {
    self.init(model: ModelRunner(model), tools: tools, instructions: instructions)
  }

  /// Creates a session with the system's model and instructions as text.
  ///
  /// - Parameters:
  ///   - model: The system's model.
  ///   - tools: The tools that the model may call.
  ///   - instructions: The instructions for the model, or `nil` for none.
  @_disfavoredOverload
  public convenience init(
    model: SystemLanguageModel = .default, tools: [any Tool] = [], instructions: String? = nil
  ) {
    self.init(
      model: ModelRunner(model), tools: tools,
      instructions: instructions.map { Instructions(text: $0) })
  }

  /// Creates a session that continues a conversation with the system's model.
  ///
  /// - Parameters:
  ///   - model: The system's model.
  ///   - tools: The tools that the model may call.
  ///   - transcript: The conversation so far, including its instructions.
  public convenience init(
    model: SystemLanguageModel = .default, tools: [any Tool] = [], transcript: Transcript
  ) {
    self.init(model: ModelRunner(model), tools: tools, transcript: transcript)
  }

  /// Creates a session with a model and instructions from a closure.
  ///
  /// - Parameters:
  ///   - model: The model.
  ///   - tools: The tools that the model may call.
  ///   - instructions: A closure with the instructions for the model.
  /// - Throws: The error that the instructions closure throws.
  public convenience init<Failure: Swift.Error>(
    model: some LanguageModel, tools: [any Tool] = [],
    @InstructionsBuilder instructions: () throws(Failure) -> Instructions
  ) throws(Failure) {
    self.init(model: ModelRunner(model), tools: tools, instructions: try instructions())
  }

  /// Creates a session with a model.
  ///
  /// - Parameters:
  ///   - model: The model.
  ///   - tools: The tools that the model may call.
  ///   - instructions: The instructions for the model, or `nil` for none.
  public convenience init(
    model: some LanguageModel, tools: [any Tool] = [], instructions: Instructions? = nil
  ) {
    self.init(model: ModelRunner(model), tools: tools, instructions: instructions)
  }

  /// Creates a session with a model and instructions as text.
  ///
  /// - Parameters:
  ///   - model: The model.
  ///   - tools: The tools that the model may call.
  ///   - instructions: The instructions for the model, or `nil` for none.
  @_disfavoredOverload
  public convenience init(
    model: some LanguageModel, tools: [any Tool] = [], instructions: String? = nil
  ) {
    self.init(
      model: ModelRunner(model), tools: tools,
      instructions: instructions.map { Instructions(text: $0) })
  }

  /// Creates a session that continues a conversation with a model.
  ///
  /// - Parameters:
  ///   - model: The model.
  ///   - tools: The tools that the model may call.
  ///   - transcript: The conversation so far, including its instructions.
  public convenience init(
    model: some LanguageModel, tools: [any Tool] = [], transcript: Transcript
  ) {
    self.init(model: ModelRunner(model), tools: tools, transcript: transcript)
  }
}
