import GuidedGeneration

/// The values that a dynamic profile evaluates to.
///
/// A session uses a resolved profile in only one request at a time. The session calls each closure
/// of the profile in the same actor isolation in which it received the closure.
struct ResolvedProfile: @unchecked Sendable {
  var instructions = Instructions(text: "")
  var tools: [any Tool] = []
  var model: (any LanguageModel)?
  var options = GenerationOptions()
  var reasoningLevel: ContextOptions.ReasoningLevel?
  var historyTransforms: [([Transcript.Entry]) -> [Transcript.Entry]] = []
  var errorHandlingPolicy: TranscriptErrorHandlingPolicy?
  var events = ProfileEvents()

  /// The branches and types that lead to the part that is being resolved.
  private var path: [String] = []
  private var placeCount = 0

  init(_ profile: some LanguageModelSession.DynamicProfile) { add(profile) }

  /// A name for the next part of the profile that has activation or deactivation actions.
  ///
  /// The same branches of the same types always lead to the same name.
  var nextPlace: String {
    mutating get {
      placeCount += 1
      return path.joined(separator: "/") + "#\(placeCount)"
    }
  }

  mutating func add(_ profile: some LanguageModelSession.DynamicProfile, step: String? = nil) {
    if let step { path.append(step) }
    if let primitive = profile as? any PrimitiveDynamicProfile {
      primitive.add(to: &self)
    } else {
      path.append("\(type(of: profile))")
      add(profile.body)
    }
  }
}

/// A dynamic profile that has no body.
protocol PrimitiveDynamicProfile {
  func add(to resolved: inout ResolvedProfile)
}
