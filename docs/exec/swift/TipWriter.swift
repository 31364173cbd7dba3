import FoundationModels

/// The type that the app generates.
@Generable(description: "Tips about a text")
struct TipList {
  @Guide(description: "Between 3 and 6 tips, no two alike.", .count(3...6))
  var tips: [String]
}

/// The app's own code, which compiles on Apple's systems without a change.
struct TipWriter {
  func tips(about text: String, _ options: GenerationOptions) async throws -> TipList {
    let session = LanguageModelSession(instructions: "You give tips about what you read.")
    return try await session.respond(to: text, generating: TipList.self, options: options).content
  }
}
