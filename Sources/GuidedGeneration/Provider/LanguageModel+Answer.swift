/// What an executor has answered to one request.
package struct LanguageModelAnswer {
  /// The text of the response; the JSON text where a schema was asked for.
  package var text: String
  /// How many tokens were read and written, as far as the executor says it.
  package var usage: LanguageModelSession.Usage
  /// The tools that the model wanted to call.
  package var toolNames: [String]
  /// Why the answer ended early.
  package var failure: (any Error)?
}

extension LanguageModel {
  /// Answers one request outside of a session.
  ///
  /// - Parameters:
  ///   - request: What is asked.
  ///   - update: Called with the text of the response whenever more of it has come.
  /// - Returns: The answer; what came before a failure is kept.
  package func answer(
    to request: LanguageModelExecutorGenerationRequest, update: ((String) -> Void)? = nil
  ) async -> LanguageModelAnswer {
    let channel = LanguageModelExecutorGenerationChannel()
    let runner = ModelRunner(self)
    async let failure: (any Error)? = {
      defer { channel.finish() }
      do {
        try await runner.respond(to: request, streamingInto: channel)
        return nil
      } catch {
        return error
      }
    }()
    var assembler = ResponseAssembler()
    for await event in channel.events {
      assembler.apply(event)
      if let update, assembler.hasText { update(assembler.text) }
    }
    return LanguageModelAnswer(
      text: assembler.text, usage: assembler.usage, toolNames: assembler.callNames,
      failure: await failure)
  }
}
