/// An executor's answer to one request.
package struct LanguageModelAnswer {
  /// The text of the response, which is JSON text if the request has a schema.
  package var text: String
  /// The numbers of tokens read and written, which are 0 if the executor doesn't report them.
  package var usage: LanguageModelSession.Usage
  /// The names of the tools that the model wanted to call.
  package var toolNames: [String]
  /// The reason why the answer ended early, or `nil` if the answer is complete.
  package var failure: (any Error)?
}

extension LanguageModel {
  /// Answers one request outside of a session.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - update: A closure that receives the text so far after each event, once the response has
  ///     begun.
  /// - Returns: The answer, which includes everything that arrived before a failure.
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
