extension LanguageModelSession {
  /// A change of a profile that can be applied to any.
  public protocol DynamicProfileModifier {
    /// The profile that is changed.
    typealias Content = DynamicProfileModifierContent<Self>
    /// What the change comes to.
    associatedtype Body: DynamicProfile

    /// The changed profile.
    ///
    /// - Parameter content: The profile that is changed.
    @DynamicProfileBuilder func body(content: Content) -> Body
  }

  /// The profile that a modifier changes.
  public struct DynamicProfileModifierContent<Modifier: DynamicProfileModifier>: DynamicProfile,
    PrimitiveDynamicProfile
  {
    public typealias Body = Never

    let profile: any DynamicProfile

    func add(to resolved: inout ResolvedProfile) { resolved.add(profile) }
  }

  /// A profile with a modifier.
  public struct ModifiedDynamicProfile<
    Content: DynamicProfile, Modifier: DynamicProfileModifier
  >: DynamicProfile, PrimitiveDynamicProfile {
    public typealias Body = Never

    let content: Content
    let modifier: Modifier

    func add(to resolved: inout ResolvedProfile) {
      resolved.add(
        modifier.body(content: DynamicProfileModifierContent(profile: content)),
        step: "\(Modifier.self)")
    }
  }
}

extension LanguageModelSession.DynamicProfileModifier {
  /// The instructions, tools and model that a session uses.
  public typealias DynamicProfile = LanguageModelSession.DynamicProfile
}

/// A profile with one change to what it comes to.
///
/// The change is made before the profile itself is read, so that of two that set the same value the
/// inner one is the last.
struct ChangedProfile<Content: LanguageModelSession.DynamicProfile>:
  LanguageModelSession.DynamicProfile, PrimitiveDynamicProfile
{
  typealias Body = Never

  let content: Content
  let change: (inout ResolvedProfile) -> Void

  func add(to resolved: inout ResolvedProfile) {
    change(&resolved)
    resolved.add(content)
  }
}

extension LanguageModelSession.DynamicProfile {
  func changed(
    _ change: @escaping (inout ResolvedProfile) -> Void
  ) -> some LanguageModelSession.DynamicProfile {
    ChangedProfile(content: self, change: change)
  }

  /// The profile as a modifier changes it.
  ///
  /// - Parameter modifier: The modifier.
  public func modifier<Modifier: LanguageModelSession.DynamicProfileModifier>(
    _ modifier: Modifier
  ) -> some LanguageModelSession.DynamicProfile {
    LanguageModelSession.ModifiedDynamicProfile(content: self, modifier: modifier)
  }

  /// Sets the model that the profile uses.
  ///
  /// - Parameter model: The model. A profile that sets none uses the system's model.
  public func model(_ model: any LanguageModel) -> some LanguageModelSession.DynamicProfile {
    changed { $0.model = model }
  }

  /// Sets the model that the profile uses.
  ///
  /// - Parameter model: The model. A profile that sets none uses the system's model.
  public func model(_ model: some LanguageModel) -> some LanguageModelSession.DynamicProfile {
    changed { $0.model = model }
  }

  /// The profile with a temperature, where the request says none.
  ///
  /// - Parameter temperature: The temperature.
  public func temperature(_ temperature: Double?) -> some LanguageModelSession.DynamicProfile {
    changed { $0.options.temperature = temperature }
  }

  /// The profile with a way of choosing tokens, where the request says none.
  ///
  /// - Parameter samplingMode: How tokens are chosen.
  public func samplingMode(
    _ samplingMode: GenerationOptions.SamplingMode?
  ) -> some LanguageModelSession.DynamicProfile {
    changed { $0.options.sampling = samplingMode }
  }

  /// The profile with a limit of a response, where the request says none.
  ///
  /// - Parameter maximumResponseTokens: The maximum number of tokens.
  public func maximumResponseTokens(
    _ maximumResponseTokens: Int?
  ) -> some LanguageModelSession.DynamicProfile {
    changed { $0.options.maximumResponseTokens = maximumResponseTokens }
  }

  /// The profile with a length of thinking, where the request says none.
  ///
  /// - Parameter reasoningLevel: How long the model thinks.
  public func reasoningLevel(
    _ reasoningLevel: ContextOptions.ReasoningLevel?
  ) -> some LanguageModelSession.DynamicProfile {
    changed { $0.reasoningLevel = reasoningLevel }
  }

  /// The profile with a word on tools, where the request says none.
  ///
  /// - Parameter toolCallingMode: Whether tools may be called.
  public func toolCallingMode(
    _ toolCallingMode: GenerationOptions.ToolCallingMode?
  ) -> some LanguageModelSession.DynamicProfile {
    changed { $0.options.toolCallingMode = toolCallingMode }
  }

  /// The profile with a view of the conversation: the model reads what the transform gives, the
  /// transcript stays as it is.
  ///
  /// - Parameter transform: Makes what the model reads of the entries after the instructions.
  public func historyTransform(
    _ transform: @escaping ([Transcript.Entry]) -> [Transcript.Entry]
  ) -> some LanguageModelSession.DynamicProfile {
    changed { $0.historyTransforms.append(transform) }
  }

  /// The profile with a word on what becomes of the transcript when a request fails.
  ///
  /// - Parameter transcriptErrorHandlingPolicy: What becomes of it; nil as the session says.
  public func transcriptErrorHandlingPolicy(
    _ transcriptErrorHandlingPolicy: TranscriptErrorHandlingPolicy?
  ) -> some LanguageModelSession.DynamicProfile {
    changed { $0.errorHandlingPolicy = transcriptErrorHandlingPolicy }
  }
}
