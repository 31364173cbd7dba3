import GuidedGeneration
import LanguageModelSessions
import StructuredText

/// The form in which a backend's JSON output represents the answer to a session's request.
struct AnswerForm {
  private enum Form {
    /// The output is the answer.
    case value
    /// The output is a string, and its text is the answer.
    case text
    /// The output is an answer or a tool call.
    case step(ToolStepSchema)
  }

  /// The schema of the output.
  let schema: GenerationSchema
  private let form: Form

  init(_ request: LanguageModelExecutorGenerationRequest) {
    if !request.enabledToolDefinitions.isEmpty {
      let steps = ToolStepSchema(
        answer: request.schema, tools: request.enabledToolDefinitions,
        mustCall: request.generationOptions.toolCallingMode == .required)
      (schema, form) = (steps.schema, .step(steps))
    } else if let asked = request.schema {
      (schema, form) = (asked, .value)
    } else {
      (schema, form) = (String.generationSchema, .text)
    }
  }

  /// Returns the answer's text from an output that may be incomplete, or `nil` if the text hasn't
  /// begun.
  func textSoFar(_ output: String) -> String? {
    switch form {
    case .value: output
    case .text: GeneratedContent.stringSoFar(output)
    case .step(let steps): steps.answerSoFar(output)
    }
  }

  /// Returns the answer or the tool call from a complete output, or `nil` if the output contains
  /// neither.
  func step(_ output: String) -> ToolStepSchema.Step? {
    switch form {
    case .value: .answer(output)
    case .text: (try? JSONValue(parsing: output))?.string.map { .answer($0) }
    case .step(let steps): steps.step(output)
    }
  }
}

/// A text that is sent piece by piece as it grows.
struct GrowingText {
  private var sent = ""

  /// Sends the part that a text adds to the previous text, or the whole text if it doesn't begin
  /// with the previous text.
  mutating nonisolated(nonsending) func send(
    _ text: String, to channel: LanguageModelExecutorGenerationChannel
  ) async {
    if text == sent { return }
    let isLonger = text.utf8.starts(with: sent.utf8)
    let added = isLonger ? String(Substring(text.utf8.dropFirst(sent.utf8.count))) : text
    sent = text
    await channel.send(
      .response(
        action: isLonger
          ? .appendText(added, tokenCount: 1) : .replaceTextSegment(text, tokenCount: 1)))
  }
}
