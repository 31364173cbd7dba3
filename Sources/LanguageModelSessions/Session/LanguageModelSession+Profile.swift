extension LanguageModelSession {
  /// Creates a session with a profile, which the session evaluates before every request to a model.
  ///
  /// - Parameters:
  ///   - profile: The profile.
  ///   - history: The conversation so far, without the instructions, which the profile provides.
  public convenience init(
    profile: sending some DynamicProfile, history: some Collection<Transcript.Entry> = []
  ) {
    self.init(
      source: .profile(profile), executors: ExecutorPool(),
      transcript: Transcript(entries: history))
  }

  /// Creates a session with dynamic instructions, which the session evaluates before every request
  /// to a model.
  ///
  /// - Parameters:
  ///   - model: The model.
  ///   - dynamicInstructions: The instructions and tools.
  ///   - history: The conversation so far, without the instructions, which `dynamicInstructions`
  ///     provides.
  public convenience init(
    model: some LanguageModel = SystemLanguageModel.default,
    dynamicInstructions: sending some DynamicInstructions,
    history: some Collection<Transcript.Entry> = []
  ) {
    let profile = Profile { dynamicInstructions }.model(model)
    self.init(
      source: .profile(profile), executors: ExecutorPool(),
      transcript: Transcript(entries: history))
  }
}
