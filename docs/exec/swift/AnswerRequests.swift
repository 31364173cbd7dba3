import Backends
import Foundation
import FoundationModels

/// Lets Assay ask the app's code, over lines of JSON.
///
///     swift build --product tips-example
///     assay run evals/tips -b "exec:.build/debug/tips-example model.gguf"
@main
struct AnswerRequests {
  /// The members of a request that this program reads.
  struct Request: Decodable {
    struct Options: Decodable {
      var temperature: Double
      var maximumTokens: Int
    }
    var id: Int
    var prompt: String
    var seed: UInt64
    var options: Options
  }

  static func main() async throws {
    // On Apple's systems, the app uses the system's model, and this line isn't necessary.
    SystemLanguageModel.provide(try LocalLanguageModel(path: CommandLine.arguments[1]))
    while let line = readLine() {
      let request = try JSONDecoder().decode(Request.self, from: Data(line.utf8))
      print(await reply(to: request))
      fflush(nil)
    }
  }

  private static func reply(to request: Request) async -> String {
    let options = GenerationOptions(
      sampling: .random(probabilityThreshold: 1, seed: request.seed),
      temperature: request.options.temperature,
      maximumResponseTokens: request.options.maximumTokens)
    do {
      let tips = try await TipWriter().tips(about: request.prompt, options)
      return #"{"id":\#(request.id),"answer":\#(tips.generatedContent.jsonString)}"#
    } catch {
      let failure = ["kind": kind(of: error), "message": "\(error)"]
      let json = (try? JSONEncoder().encode(failure)) ?? Data("{}".utf8)
      return #"{"id":\#(request.id),"failure":\#(String(decoding: json, as: UTF8.self))}"#
    }
  }

  private static func kind(of error: any Error) -> String {
    if error is GeneratedContent.ParsingError { return "malformedOutput" }
    guard let error = error as? LanguageModelError else { return "backend" }
    return switch error {
    case .refusal, .guardrailViolation: "refusal"
    case .contextSizeExceeded: "contextSizeExceeded"
    case .rateLimited: "rateLimited"
    case .unsupportedGenerationGuide: "unsupportedGenerationGuide"
    default: "backend"
    }
  }
}
