import GuidedGeneration
import StructuredText

/// How what a session wants stands in a backend's output, which is always JSON.
struct AnswerForm {
  private enum Form {
    /// The output is the answer.
    case value
    /// The output is a string, the answer its text.
    case text
    /// The output is an answer or the call of a tool.
    case step(ToolStepSchema)
  }

  /// What the output keeps to.
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

  /// The text of the answer in an output that may stop anywhere; nil where it has not begun.
  func textSoFar(_ output: String) -> String? {
    switch form {
    case .value: output
    case .text: GeneratedContent.stringSoFar(output)
    case .step(let steps): steps.answerSoFar(output)
    }
  }

  /// What a whole output says; nil where it does not keep to the schema.
  func step(_ output: String) -> ToolStepSchema.Step? {
    switch form {
    case .value: .answer(output)
    case .text: (try? JSONValue(parsing: output))?.string.map { .answer($0) }
    case .step(let steps): steps.step(output)
    }
  }
}

/// A text that is sent while it grows.
struct GrowingText {
  private var sent = ""

  /// Sends what a text has more than the one before it, or the whole of it where it has not grown
  /// out of that one.
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
