import GuidedGeneration

extension LanguageModelSession {
  /// The instructions, tools and model of a session, which the session evaluates again before every
  /// request to a model.
  ///
  /// The body evaluates to one `Profile`: instructions and tools, with modifiers that select the
  /// model and its options. A tool can change the profile for the next request to the model, even
  /// while the session is still answering the same prompt. This timing is Assay's choice, because
  /// Apple's behavior is unknown.
  @_typeEraser(AnyDynamicProfile)
  public protocol DynamicProfile {
    /// The type of the body, or `Never` if there is no body.
    associatedtype Body: DynamicProfile

    /// The profile for the app's current state.
    @DynamicProfileBuilder var body: Body { get }
  }

  /// A profile that consists of instructions and tools.
  public struct Profile: DynamicProfile, PrimitiveDynamicProfile {
    /// The type of the body: `Never`, because this type has no body.
    public typealias Body = Never

    private let instructions: any DynamicInstructions

    /// Creates a profile.
    ///
    /// - Parameter dynamicInstructions: A closure with the instructions and tools.
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
    /// The type of the body: `Never`, because this type has no body.
    public typealias Body = Never

    private let profile: any DynamicProfile

    /// Creates a wrapper.
    ///
    /// - Parameter dynamicProfile: The profile to wrap.
    public init(_ dynamicProfile: any DynamicProfile) { profile = dynamicProfile }

    /// Creates a wrapper; the compiler calls this initializer to erase an opaque type.
    ///
    /// - Parameter dynamicProfile: The profile to wrap.
    public init(erasing dynamicProfile: some DynamicProfile) { self.init(dynamicProfile) }

    func add(to resolved: inout ResolvedProfile) { resolved.add(profile) }
  }

  /// A profile from one of the two branches of a condition.
  public struct ConditionalDynamicProfile<
    TrueContent: DynamicProfile, FalseContent: DynamicProfile
  >: DynamicProfile, PrimitiveDynamicProfile {
    /// The type of the body: `Never`, because this type has no body.
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
    ///
    /// - Parameter content: The profile.
    public static func buildBlock<T: DynamicProfile>(_ content: T) -> T { content }

    /// Rejects several profiles with a compile-time error, because only one can be in use.
    ///
    /// - Parameter contents: The profiles.
    /// - Returns: Nothing, because no program that calls this method compiles.
    @available(*, unavailable, message: "the body of a DynamicProfile must return one profile")
    public static func buildBlock<each Content: DynamicProfile>(
      _ contents: repeat each Content
    ) -> Never {
      fatalError("unavailable: no program that calls it compiles")
    }

    /// Wraps the profile of the first branch of a condition.
    ///
    /// - Parameter content: The profile of the branch.
    /// - Returns: The profile, with the branch that it comes from.
    public static func buildEither<TrueContent, FalseContent>(
      first content: TrueContent
    ) -> ConditionalDynamicProfile<TrueContent, FalseContent> {
      ConditionalDynamicProfile(branch: .trueContent(content))
    }

    /// Wraps the profile of the second branch of a condition.
    ///
    /// - Parameter content: The profile of the branch.
    /// - Returns: The profile, with the branch that it comes from.
    public static func buildEither<TrueContent, FalseContent>(
      second content: FalseContent
    ) -> ConditionalDynamicProfile<TrueContent, FalseContent> {
      ConditionalDynamicProfile(branch: .falseContent(content))
    }

    /// Wraps a profile that is limited to newer systems.
    ///
    /// - Parameter component: The profile.
    /// - Returns: The profile, with its type erased.
    public static func buildLimitedAvailability(
      _ component: some DynamicProfile
    ) -> AnyDynamicProfile {
      AnyDynamicProfile(component)
    }
  }
}

extension LanguageModelSession.DynamicProfile {
  /// A profile that consists of instructions and tools.
  public typealias Profile = LanguageModelSession.Profile
  /// The protocol that profiles conform to.
  public typealias DynamicProfile = LanguageModelSession.DynamicProfile
}

extension LanguageModelSession.DynamicProfile where Body == Never {
  /// Stops the program.
  ///
  /// Assay's own types have no body, and the session never reads this property.
  public var body: Never { fatalError("\(Self.self) has no body") }
}

extension Never: LanguageModelSession.DynamicProfile {}
