/// The actions that a profile runs on events of its session.
struct ProfileEvents: @unchecked Sendable {
  var onPrompt: [nonisolated(nonsending) (Transcript.Prompt) async throws -> Void] = []
  var onResponse: [nonisolated(nonsending) (Transcript.Response) async throws -> Void] = []
  var onReasoning: [nonisolated(nonsending) (Transcript.Reasoning) async throws -> Void] = []
  var onToolCall: [nonisolated(nonsending) (Transcript.ToolCall) async throws -> Void] = []
  var onToolOutput:
    [nonisolated(nonsending) (Transcript.ToolCall, Transcript.ToolOutput) async throws -> Void] = []
  /// The activation and deactivation actions of the profile's active parts.
  var lifetimes: [ProfileLifetime] = []
}

/// The actions to run when a part of a profile becomes active or inactive.
///
/// A part is active while the branches of the profile's conditions lead to it.
struct ProfileLifetime: @unchecked Sendable {
  /// The name of the part, derived from the branches that lead to it.
  var place: String
  var onActivate: (@isolated(any) () async -> Void)?
  var onDeactivate: (@isolated(any) () async -> Void)?
}

/// Modifiers that add actions for the events of a session that uses the profile.
///
/// If several modifiers add an action for the same event, the inner modifier's action runs first.
/// If the active part of a profile changes, the actions of `onDeactivate` run before those of
/// `onActivate`. This order is Assay's choice, because Apple's behavior is unknown.
extension LanguageModelSession.DynamicProfile {
  /// Adds an action to run after a prompt has been appended to the transcript.
  ///
  /// - Parameter action: The action. If the action throws an error, the request fails with that
  ///   error.
  /// - Returns: The profile with the action.
  public func onPrompt(
    @_inheritActorContext perform action:
      nonisolated(nonsending) sending @escaping () async throws
      -> Void
  ) -> some LanguageModelSession.DynamicProfile {
    onPrompt { _ in try await action() }
  }

  /// Adds an action to run after a prompt has been appended to the transcript.
  ///
  /// - Parameter action: The action, which receives the prompt. If the action throws an error, the
  ///   request fails with that error.
  /// - Returns: The profile with the action.
  public func onPrompt(
    @_inheritActorContext perform action:
      nonisolated(nonsending) sending @escaping (
        Transcript.Prompt
      ) async throws -> Void
  ) -> some LanguageModelSession.DynamicProfile {
    changed { $0.events.onPrompt.insert(action, at: 0) }
  }

  /// Adds an action to run after a response has been appended to the transcript.
  ///
  /// - Parameter action: The action. If the action throws an error, the request fails with that
  ///   error.
  /// - Returns: The profile with the action.
  public func onResponse(
    @_inheritActorContext perform action:
      nonisolated(nonsending) sending @escaping () async throws
      -> Void
  ) -> some LanguageModelSession.DynamicProfile {
    onResponse { _ in try await action() }
  }

  /// Adds an action to run after a response has been appended to the transcript.
  ///
  /// - Parameter action: The action, which receives the response. If the action throws an error,
  ///   the request fails with that error.
  /// - Returns: The profile with the action.
  public func onResponse(
    @_inheritActorContext perform action:
      nonisolated(nonsending) sending @escaping (
        Transcript.Response
      ) async throws -> Void
  ) -> some LanguageModelSession.DynamicProfile {
    changed { $0.events.onResponse.insert(action, at: 0) }
  }

  /// Adds an action to run after a reasoning entry has been appended to the transcript.
  ///
  /// - Parameter action: The action. If the action throws an error, the request fails with that
  ///   error.
  /// - Returns: The profile with the action.
  public func onReasoning(
    @_inheritActorContext perform action:
      nonisolated(nonsending) sending @escaping () async throws
      -> Void
  ) -> some LanguageModelSession.DynamicProfile {
    onReasoning { _ in try await action() }
  }

  /// Adds an action to run after a reasoning entry has been appended to the transcript.
  ///
  /// - Parameter action: The action, which receives the reasoning entry. If the action throws an
  ///   error, the request fails with that error.
  /// - Returns: The profile with the action.
  public func onReasoning(
    @_inheritActorContext perform action:
      nonisolated(nonsending) sending @escaping (
        Transcript.Reasoning
      ) async throws -> Void
  ) -> some LanguageModelSession.DynamicProfile {
    changed { $0.events.onReasoning.insert(action, at: 0) }
  }

  /// Adds an action to run before a tool is called.
  ///
  /// - Parameter action: The action. If the action throws an error, the request fails with that
  ///   error.
  /// - Returns: The profile with the action.
  public func onToolCall(
    @_inheritActorContext perform action:
      nonisolated(nonsending) sending @escaping () async throws
      -> Void
  ) -> some LanguageModelSession.DynamicProfile {
    onToolCall { _ in try await action() }
  }

  /// Adds an action to run before a tool is called.
  ///
  /// - Parameter action: The action, which receives the call. If the action throws an error, the
  ///   request fails with that error.
  /// - Returns: The profile with the action.
  public func onToolCall(
    @_inheritActorContext perform action:
      nonisolated(nonsending) sending @escaping (
        Transcript.ToolCall
      ) async throws -> Void
  ) -> some LanguageModelSession.DynamicProfile {
    changed { $0.events.onToolCall.insert(action, at: 0) }
  }

  /// Adds an action to run after a tool has returned its output.
  ///
  /// - Parameter action: The action. If the action throws an error, the request fails with that
  ///   error.
  /// - Returns: The profile with the action.
  public func onToolOutput(
    @_inheritActorContext perform action:
      nonisolated(nonsending) sending @escaping () async throws
      -> Void
  ) -> some LanguageModelSession.DynamicProfile {
    onToolOutput { _, _ in try await action() }
  }

  /// Adds an action to run after a tool has returned its output.
  ///
  /// - Parameter action: The action, which receives the call and its output. If the action throws
  ///   an error, the request fails with that error.
  /// - Returns: The profile with the action.
  public func onToolOutput(
    @_inheritActorContext perform action:
      nonisolated(nonsending) sending @escaping (
        Transcript.ToolCall, Transcript.ToolOutput
      ) async throws -> Void
  ) -> some LanguageModelSession.DynamicProfile {
    changed { $0.events.onToolOutput.insert(action, at: 0) }
  }

  /// Adds an action to run when the profile becomes active.
  ///
  /// The session evaluates the profile before each request to a model. The action runs if the
  /// branches that lead to this modifier are taken now, but weren't taken for the previous request.
  ///
  /// - Parameter action: The action.
  /// - Returns: The profile with the action.
  public func onActivate(
    @_inheritActorContext perform action: sending @escaping @isolated(any) () async -> Void
  ) -> some LanguageModelSession.DynamicProfile {
    changed {
      $0.events.lifetimes.insert(.init(place: $0.nextPlace, onActivate: action), at: 0)
    }
  }

  /// Adds an action to run when the profile becomes inactive.
  ///
  /// The session evaluates the profile before each request to a model. The action runs if the
  /// branches that lead to this modifier were taken for the previous request, but aren't taken
  /// anymore.
  ///
  /// - Parameter action: The action.
  /// - Returns: The profile with the action.
  public func onDeactivate(
    @_inheritActorContext perform action: sending @escaping @isolated(any) () async -> Void
  ) -> some LanguageModelSession.DynamicProfile {
    changed {
      $0.events.lifetimes.insert(.init(place: $0.nextPlace, onDeactivate: action), at: 0)
    }
  }
}
