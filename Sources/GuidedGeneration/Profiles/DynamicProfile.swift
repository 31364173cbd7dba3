extension LanguageModelSession {
  /// What a session works with, chosen again before every request to a model.
  ///
  /// The body comes to one `Profile`: instructions and tools, with modifiers that say which model
  /// reads them and how.
  @_typeEraser(AnyDynamicProfile)
  public protocol DynamicProfile {
    /// What the profile is made of.
    associatedtype Body: DynamicProfile

    /// The profile as the app's state has it now.
    @DynamicProfileBuilder var body: Body { get }
  }

  /// Instructions and tools.
  public struct Profile: DynamicProfile, PrimitiveDynamicProfile {
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

  /// A profile of any type.
  public struct AnyDynamicProfile: DynamicProfile, PrimitiveDynamicProfile {
    public typealias Body = Never

    private let profile: any DynamicProfile

    /// Creates an instance of a profile.
    ///
    /// - Parameter dynamicProfile: The profile.
    public init(_ dynamicProfile: any DynamicProfile) { profile = dynamicProfile }

    /// Creates an instance of a profile.
    ///
    /// - Parameter dynamicProfile: The profile.
    public init(erasing dynamicProfile: some DynamicProfile) { self.init(dynamicProfile) }

    func add(to resolved: inout ResolvedProfile) { resolved.add(profile) }
  }

  /// One or the other profile.
  public struct ConditionalDynamicProfile<
    TrueContent: DynamicProfile, FalseContent: DynamicProfile
  >: DynamicProfile, PrimitiveDynamicProfile {
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

  /// Chooses a profile with the statements of a closure.
  @resultBuilder
  public struct DynamicProfileBuilder {
    public static func buildBlock<T: DynamicProfile>(_ content: T) -> T { content }

    @available(*, unavailable, message: "the body of a DynamicProfile must come to one profile")
    public static func buildBlock<each Content: DynamicProfile>(
      _ contents: repeat each Content
    ) -> Never {
      fatalError("unavailable: no program that calls it compiles")
    }

    public static func buildEither<TrueContent, FalseContent>(
      first content: TrueContent
    ) -> ConditionalDynamicProfile<TrueContent, FalseContent> {
      ConditionalDynamicProfile(branch: .trueContent(content))
    }

    public static func buildEither<TrueContent, FalseContent>(
      second content: FalseContent
    ) -> ConditionalDynamicProfile<TrueContent, FalseContent> {
      ConditionalDynamicProfile(branch: .falseContent(content))
    }

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
