extension LanguageModelSession {
  /// The instructions, tools and model of a session, evaluated again before every request to a
  /// model.
  ///
  /// The body evaluates to one `Profile`: instructions and tools, with modifiers that select the
  /// model and its options.
  @_typeEraser(AnyDynamicProfile)
  public protocol DynamicProfile {
    /// The type of the body.
    associatedtype Body: DynamicProfile

    /// The profile for the app's current state.
    @DynamicProfileBuilder var body: Body { get }
  }

  /// Instructions and tools.
  public struct Profile: DynamicProfile, PrimitiveDynamicProfile {
    /// Never, because the session resolves this type without a body.
    public typealias Body = Never

    private let instructions: any DynamicInstructions

    /// Creates a profile.
    ///
    /// - Parameter dynamicInstructions: Its instructions and tools.
    public init(@DynamicInstructionsBuilder _ dynamicInstructions: () -> some DynamicInstructions) {
      instructions = dynamicInstructions()
    }

    func add(to resolved: inout ResolvedProfile) {
      let instructions = ResolvedInstructions(instructions)
      resolved.instructions = Instructions(joining: instructions.parts)
      resolved.tools = instructions.tools
    }
  }

  /// A type-erased wrapper for profiles.
  public struct AnyDynamicProfile: DynamicProfile, PrimitiveDynamicProfile {
    /// Never, because the session resolves this type without a body.
    public typealias Body = Never

    private let profile: any DynamicProfile

    /// Creates a wrapper.
    ///
    /// - Parameter dynamicProfile: The profile.
    public init(_ dynamicProfile: any DynamicProfile) { profile = dynamicProfile }

    /// Creates a wrapper.
    ///
    /// - Parameter dynamicProfile: The profile.
    public init(erasing dynamicProfile: some DynamicProfile) { self.init(dynamicProfile) }

    func add(to resolved: inout ResolvedProfile) { resolved.add(profile) }
  }

  /// One of two alternative profiles.
  public struct ConditionalDynamicProfile<
    TrueContent: DynamicProfile, FalseContent: DynamicProfile
  >: DynamicProfile, PrimitiveDynamicProfile {
    /// Never, because the session resolves this type without a body.
    public typealias Body = Never

    enum Branch {
      case trueContent(TrueContent)
      case falseContent(FalseContent)
    }

    let branch: Branch

    func add(to resolved: inout ResolvedProfile) {
      switch branch {
      case .trueContent(let content): resolved.add(content, step: "true")
      case .falseContent(let content): resolved.add(content, step: "false")
      }
    }
  }

  /// Builds a profile from the statements of a closure.
  @resultBuilder
  public struct DynamicProfileBuilder {
    /// Returns a single profile unchanged.
    public static func buildBlock<T: DynamicProfile>(_ content: T) -> T { content }

    /// Reports a closure with several profiles as an error: only one can be in use.
    @available(*, unavailable, message: "the body of a DynamicProfile must return one profile")
    public static func buildBlock<each Content: DynamicProfile>(
      _ contents: repeat each Content
    ) -> Never {
      fatalError("unavailable: no program that calls it compiles")
    }

    /// Wraps the profile of the first branch of a condition.
    public static func buildEither<TrueContent, FalseContent>(
      first content: TrueContent
    ) -> ConditionalDynamicProfile<TrueContent, FalseContent> {
      ConditionalDynamicProfile(branch: .trueContent(content))
    }

    /// Wraps the profile of the second branch of a condition.
    public static func buildEither<TrueContent, FalseContent>(
      second content: FalseContent
    ) -> ConditionalDynamicProfile<TrueContent, FalseContent> {
      ConditionalDynamicProfile(branch: .falseContent(content))
    }

    /// Wraps a profile that is limited to newer systems.
    public static func buildLimitedAvailability(
      _ component: some DynamicProfile
    ) -> AnyDynamicProfile {
      AnyDynamicProfile(component)
    }
  }
}

extension LanguageModelSession.DynamicProfile {
  /// Instructions and tools.
  public typealias Profile = LanguageModelSession.Profile
  /// The instructions, tools and model that a session uses.
  public typealias DynamicProfile = LanguageModelSession.DynamicProfile
}

extension LanguageModelSession.DynamicProfile where Body == Never {
  /// Never called: a type without a body is resolved through its parts.
  public var body: Never { fatalError("\(Self.self) has no body") }
}

extension Never: LanguageModelSession.DynamicProfile {}
