extension LanguageModelSession {
  /// A reusable modification of a profile.
  public protocol DynamicProfileModifier {
    /// The type of the profile that the modifier receives.
    typealias Content = DynamicProfileModifierContent<Self>
    /// The type of the modified profile.
    associatedtype Body: DynamicProfile

    /// Returns the modified profile.
    ///
    /// - Parameter content: The profile to modify.
    /// - Returns: The modified profile.
    @DynamicProfileBuilder func body(content: Content) -> Body
  }

  /// The profile that a modifier receives.
  public struct DynamicProfileModifierContent<Modifier: DynamicProfileModifier>: DynamicProfile,
    PrimitiveDynamicProfile
  {
    /// The type of the body: `Never`, because this type has no body.
    public typealias Body = Never

    let profile: any DynamicProfile

    func add(to resolved: inout ResolvedProfile) { resolved.add(profile) }
  }

  /// A profile with a modifier applied.
  public struct ModifiedDynamicProfile<
    Content: DynamicProfile, Modifier: DynamicProfileModifier
  >: DynamicProfile, PrimitiveDynamicProfile {
    /// The type of the body: `Never`, because this type has no body.
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
  /// The protocol that profiles conform to.
  public typealias DynamicProfile = LanguageModelSession.DynamicProfile
}

/// A profile with one change to its resolved values.
///
/// The change is applied before the profile itself is resolved, so if two modifiers set the same
/// value, the inner one wins.
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

/// Modifiers that change a profile.
///
/// An option that a request sets takes precedence over the profile's, and an inner modifier takes
/// precedence over an outer one that sets the same value. These rules are Assay's choice, because
/// Apple's behavior is unknown.
extension LanguageModelSession.DynamicProfile {
  func changed(
    _ change: @escaping (inout ResolvedProfile) -> Void
  ) -> some LanguageModelSession.DynamicProfile {
    ChangedProfile(content: self, change: change)
  }

  /// Applies a modifier to the profile.
  ///
  /// - Parameter modifier: The modifier.
  /// - Returns: The modified profile.
  public func modifier<Modifier: LanguageModelSession.DynamicProfileModifier>(
    _ modifier: Modifier
  ) -> some LanguageModelSession.DynamicProfile {
    LanguageModelSession.ModifiedDynamicProfile(content: self, modifier: modifier)
  }

  /// Sets the model that the profile uses.
  ///
  /// - Parameter model: The model. A profile that doesn't set a model uses the system's model.
  /// - Returns: The profile with the model.
  public func model(_ model: any LanguageModel) -> some LanguageModelSession.DynamicProfile {
    changed { $0.model = model }
  }

  /// Sets the model that the profile uses.
  ///
  /// - Parameter model: The model. A profile that doesn't set a model uses the system's model.
  /// - Returns: The profile with the model.
  public func model(_ model: some LanguageModel) -> some LanguageModelSession.DynamicProfile {
    changed { $0.model = model }
  }

  /// Sets the temperature for requests that don't set one.
  ///
  /// - Parameter temperature: The temperature, from 0 to 1, or `nil` for the model's default.
  /// - Returns: The profile with the temperature.
  public func temperature(_ temperature: Double?) -> some LanguageModelSession.DynamicProfile {
    changed { $0.options.temperature = temperature }
  }

  /// Sets the sampling mode for requests that don't set one.
  ///
  /// - Parameter samplingMode: The rule for choosing tokens, or `nil` for the model's default.
  /// - Returns: The profile with the sampling mode.
  public func samplingMode(
    _ samplingMode: GenerationOptions.SamplingMode?
  ) -> some LanguageModelSession.DynamicProfile {
    changed { $0.options.sampling = samplingMode }
  }

  /// Sets the maximum length of a response for requests that don't set one.
  ///
  /// - Parameter maximumResponseTokens: The maximum number of tokens, or `nil` for the model's
  ///   default.
  /// - Returns: The profile with the maximum length.
  public func maximumResponseTokens(
    _ maximumResponseTokens: Int?
  ) -> some LanguageModelSession.DynamicProfile {
    changed { $0.options.maximumResponseTokens = maximumResponseTokens }
  }

  /// Sets the reasoning level for requests that don't set one.
  ///
  /// - Parameter reasoningLevel: The amount of reasoning before the answer, or `nil` for the
  ///   model's default.
  /// - Returns: The profile with the reasoning level.
  public func reasoningLevel(
    _ reasoningLevel: ContextOptions.ReasoningLevel?
  ) -> some LanguageModelSession.DynamicProfile {
    changed { $0.reasoningLevel = reasoningLevel }
  }

  /// Sets the rule for tool calls in requests that don't set one.
  ///
  /// - Parameter toolCallingMode: Whether the model may, must or must not call tools; `nil` means
  ///   that it may.
  /// - Returns: The profile with the rule.
  public func toolCallingMode(
    _ toolCallingMode: GenerationOptions.ToolCallingMode?
  ) -> some LanguageModelSession.DynamicProfile {
    changed { $0.options.toolCallingMode = toolCallingMode }
  }

  /// Transforms the conversation that the model reads; the transcript itself doesn't change.
  ///
  /// If a profile has several transforms, the innermost one is applied first.
  ///
  /// - Parameter transform: A closure that receives the entries that follow the instructions, and
  ///   returns the entries that the model reads instead.
  /// - Returns: The profile with the transform.
  public func historyTransform(
    _ transform: @escaping ([Transcript.Entry]) -> [Transcript.Entry]
  ) -> some LanguageModelSession.DynamicProfile {
    changed { $0.historyTransforms.append(transform) }
  }

  /// Sets how a failed request affects the transcript.
  ///
  /// - Parameter transcriptErrorHandlingPolicy: The policy, or `nil` for the session's policy.
  /// - Returns: The profile with the policy.
  public func transcriptErrorHandlingPolicy(
    _ transcriptErrorHandlingPolicy: TranscriptErrorHandlingPolicy?
  ) -> some LanguageModelSession.DynamicProfile {
    changed { $0.errorHandlingPolicy = transcriptErrorHandlingPolicy }
  }
}
