/// Puts the entries of a round together from the events of an executor.
struct ResponseAssembler {
  private struct Text {
    var segments: [(id: String?, text: String)] = []

    mutating func apply(_ edit: LanguageModelExecutorGenerationChannel.TextEdit) {
      switch edit {
      case .append(let text, let id): change(id) { $0 += text }
      case .replace(let text, let id): change(id) { $0 = text }
      case .usage, .none: break
      }
    }

    private mutating func change(_ id: String?, _ body: (inout String) -> Void) {
      let position = id == nil ? segments.indices.last : segments.firstIndex { $0.id == id }
      if let position {
        body(&segments[position].text)
      } else {
        var text = ""
        body(&text)
        segments.append((id, text))
      }
    }

    var joined: String { segments.map(\.text).joined() }
  }

  private var response = Text()
  private var reasoning = Text()
  private(set) var calls: [(id: String, name: String, arguments: String)] = []
  private(set) var usage = LanguageModelSession.Usage.none

  /// The text of the response so far.
  var text: String { response.joined }
  /// Whether the response has begun.
  var hasText: Bool { !response.segments.isEmpty }

  mutating func apply(_ event: LanguageModelExecutorGenerationChannel.Event) {
    switch event.content {
    case .response(let action):
      response.apply(action.edit)
      if case .usage(let input, let output) = action.edit {
        usage = LanguageModelSession.Usage(
          input: .init(
            totalTokenCount: input.totalTokenCount, cachedTokenCount: input.cachedTokenCount),
          output: .init(
            totalTokenCount: output.totalTokenCount,
            reasoningTokenCount: output.reasoningTokenCount))
      }
    case .reasoning(let action): reasoning.apply(action.edit)
    case .toolCalls(let action):
      switch action.edit {
      case .append(let id, let name, let arguments):
        if let position = calls.firstIndex(where: { $0.id == id }) {
          calls[position].arguments += arguments
        } else {
          calls.append((id, name, arguments))
        }
      case .remove(let id): calls.removeAll { $0.id == id }
      }
    }
  }

  /// The reasoning and the calls, as far as there are any.
  func entries() throws -> [Transcript.Entry] {
    var entries: [Transcript.Entry] = []
    if !reasoning.segments.isEmpty {
      let segment = Transcript.Segment.text(Transcript.TextSegment(content: reasoning.joined))
      entries.append(.reasoning(Transcript.Reasoning(segments: [segment])))
    }
    if !calls.isEmpty {
      let calls = try calls.map { call in
        let content = try GeneratedContent(json: call.arguments.isEmpty ? "{}" : call.arguments)
        guard content.isComplete else { throw content.incomplete(call.arguments) }
        return Transcript.ToolCall(id: call.id, toolName: call.name, arguments: content)
      }
      entries.append(.toolCalls(Transcript.ToolCalls(calls)))
    }
    return entries
  }
}

extension GeneratedContent {
  /// The error for a text that stops before its value ends.
  func incomplete(_ text: String) -> ParsingError {
    ParsingError(rawContent: text, debugDescription: "the text stops before the value ends")
  }
}
