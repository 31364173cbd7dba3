import Foundation
import GuidedGeneration
import LanguageModelSessions
import StructuredText
import Testing

/// A model whose tokens are words.
private struct WordModel: DescribedLanguageModel {
  struct Executor: LanguageModelExecutor {
    struct Configuration: Hashable, Sendable {}

    init(configuration: Configuration) {}

    func respond(
      to request: LanguageModelExecutorGenerationRequest, model: WordModel,
      streamingInto channel: LanguageModelExecutorGenerationChannel
    ) async throws {
      await channel.send(.response(action: .appendText("word", tokenCount: 1)))
    }
  }

  let contextSize = 77
  let supportedLanguages: Set<Locale.Language>? = [.init(identifier: "nb")]
  let capabilities = LanguageModelCapabilities([])
  let executorConfiguration = Executor.Configuration()

  func tokenCount(of text: String) -> Int { text.split(separator: " ").count }
}

private struct Sum: Tool {
  let name = "sum"
  let description = "Adds two numbers"

  func call(arguments: Int) async throws -> String { "\(arguments)" }
}

@Suite("The system's model", .serialized)
struct SystemModelTests {
  @Test("without a replacement there is no model, and a request's error says how to provide one")
  func unavailable() async throws {
    let model = SystemLanguageModel.default
    #expect(model.availability == .unavailable(.deviceNotEligible))
    #expect(model.contextSize == 4096)
    #expect(!model.supportsLocale(Locale(identifier: "nb_NO")))
    #expect(model.supportedLanguages.isEmpty)
    let session = LanguageModelSession()
    await #expect {
      try await session.respond(to: "Hello")
    } throws: { error in
      error.localizedDescription.contains("SystemLanguageModel.provide")
    }
    await #expect(throws: SystemLanguageModel.Error.self) { try await model.tokenCount(for: "a b") }
    await #expect(throws: PrivateCloudComputeLanguageModel.Error.self) {
      try await LanguageModelSession(model: PrivateCloudComputeLanguageModel()).respond(to: "Hi")
    }
    #expect(throws: SystemLanguageModel.Adapter.AssetError.self) {
      try SystemLanguageModel(adapter: .init(name: "style"))
    }
  }

  @Test("a replacement answers, counts tokens and reports its languages")
  func standIn() async throws {
    SystemLanguageModel.provide(WordModel())
    PrivateCloudComputeLanguageModel.provide(WordModel())
    defer {
      SystemLanguageModel.provide(nil)
      PrivateCloudComputeLanguageModel.provide(nil)
    }
    let model = SystemLanguageModel(useCase: .contentTagging)
    #expect(model.isAvailable)
    #expect(model.contextSize == 77)
    #expect(model.supportsLocale(Locale(identifier: "nb_NO")))
    #expect(model.supportsLocale(Locale(identifier: "nb-Latn-SJ")))
    #expect(!model.supportsLocale(Locale(identifier: "de_DE")))
    #expect(try await model.tokenCount(for: "one two three") == 3)
    #expect(try await model.tokenCount(for: Instructions { "one two" }) == 2)
    #expect(try await model.tokenCount(for: Bool.generationSchema) == 6)
    // The name, the description, and "Answer with JSON of type integer."
    #expect(try await model.tokenCount(for: [Sum()] as [any Tool]) == 1 + 3 + 6)
    let session = LanguageModelSession(instructions: "a b c")
    #expect(try await session.respond(to: "d e").content == "word")
    #expect(try await model.tokenCount(for: session.transcript) == 6)
    let cloud = LanguageModelSession(model: PrivateCloudComputeLanguageModel())
    #expect(try await cloud.respond(to: "d e").content == "word")
    #expect(try await PrivateCloudComputeLanguageModel().contextSize == 77)
  }

  @Test("feedback is a document with the conversation and the desired answer")
  func feedback() async throws {
    let session = LanguageModelSession(
      model: ScriptedModel(ScriptedModel.text("4")), instructions: "Add.")
    _ = try await session.respond(to: "2 + 3")
    let data = session.logFeedbackAttachment(
      sentiment: .negative, issues: [.init(category: .incorrect, explanation: "It is 5.")],
      desiredResponseText: "5")
    let json = try JSONValue(parsing: String(decoding: data, as: UTF8.self))
    #expect(json["sentiment"] == "negative")
    #expect(json["issues"] == [["category": "incorrect", "explanation": "It is 5."]])
    let transcript = try #require(json["transcript"])
    #expect(try Transcript(json: transcript) == session.transcript)
    #expect(
      try Transcript(json: #require(json["desiredOutput"])).map(\.description) == ["(Response) 5"])
  }
}
