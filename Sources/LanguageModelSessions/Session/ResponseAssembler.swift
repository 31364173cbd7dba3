import GuidedGeneration
import SystemBasics

/// Assembles the transcript entries of one request from the events that the executor sends.
struct ResponseAssembler {
  typealias Metadata = [String: GeneratedContent]

  /// The parts of an entry.
  private struct Parts {
    var id: String?
    var segments: [Transcript.Segment] = []
    var metadata: Metadata = [:]

    mutating func apply(_ edit: LanguageModelExecutorGenerationChannel.EntryEdit) {
      switch edit {
      case .append(let text): change(text.segmentID) { $0 += text.content }
      case .replace(let text): change(text.segmentID) { $0 = text.content }
      case .add(let attachment): segments.append(.attachment(attachment))
      case .update(let segment):
        let position = segments.firstIndex { $0.id == segment.id } ?? segments.endIndex
        if position == segments.endIndex { segments.append(.custom(segment)) }
        segments[position] = .custom(segment)
      case .remove(let id): segments.removeAll { $0.id == id }
      case .metadata(let new): metadata = new.values
      case .signature, .usage: break
      }
    }

    private mutating func change(_ id: String?, _ body: (inout String) -> Void) {
      let position =
        id == nil
        ? segments.lastIndex { if case .text = $0 { true } else { false } }
        : segments.firstIndex { $0.id == id }
      if let position, case .text(var segment) = segments[position] {
        body(&segment.content)
        segments[position] = .text(segment)
      } else {
        var text = ""
        body(&text)
        segments.append(.text(.init(id: id ?? UUID().uuidString, content: text)))
      }
    }

    var text: String {
      segments.map { if case .text(let segment) = $0 { segment.content } else { "" } }.joined()
    }
  }

  private var answer = Parts()
  private var reasoning = Parts()
  private var signature: Data?
  private var callsID: String?
  private var calls: [(id: String, name: String, arguments: String, metadata: Metadata)] = []
  private(set) var usage = LanguageModelSession.Usage.none
  /// The data entries, which belong to no message.
  private(set) var dataEntries: [Transcript.DataEntry] = []

  /// The text of the response so far.
  var text: String { answer.text }
  /// Whether the response has begun.
  var hasText: Bool { !answer.segments.isEmpty }

  mutating func apply(_ event: LanguageModelExecutorGenerationChannel.Event) {
    switch event.content {
    case .response(let action):
      answer.id = event.entryID ?? answer.id
      answer.apply(action.edit)
      if case .usage(let usage) = action.edit { self.usage = usage.ofSession }
    case .reasoning(let action):
      reasoning.id = event.entryID ?? reasoning.id
      reasoning.apply(action.edit)
      if case .signature(let new) = action.edit { signature = new.signature }
      if case .usage(let usage) = action.edit { self.usage = usage.ofSession }
    case .toolCalls(let action):
      callsID = event.entryID ?? callsID
      switch action.edit {
      case .call(let call): apply(call.action.edit, call.id, call.name)
      case .remove(let id): calls.removeAll { $0.id == id }
      case .usage(let usage): self.usage = usage.ofSession
      case .metadata: break
      }
    case .data(let action):
      let id = event.entryID ?? UUID().uuidString
      let entry = Transcript.DataEntry(id: id, action.update)
      if let position = dataEntries.firstIndex(where: { $0.id == id }) {
        dataEntries[position] = entry
      } else {
        dataEntries.append(entry)
      }
    }
  }

  private mutating func apply(
    _ edit: LanguageModelExecutorGenerationChannel.CallEdit, _ id: String, _ name: String
  ) {
    let position = calls.firstIndex { $0.id == id } ?? calls.endIndex
    if position == calls.endIndex { calls.append((id, name, "", [:])) }
    switch edit {
    case .arguments(let text): calls[position].arguments += text.content
    case .metadata(let new): calls[position].metadata = new.values
    }
  }

  // MARK: Entries

  /// The reasoning entry, or `nil` if there is none.
  var reasoningEntry: Transcript.Reasoning? {
    if reasoning.segments.isEmpty { return nil }
    return Transcript.Reasoning(
      id: reasoning.id ?? UUID().uuidString, metadata: reasoning.metadata,
      segments: reasoning.segments, signature: signature)
  }

  /// The names of the called tools.
  var callNames: [String] { calls.map(\.name) }

  /// Returns the entry of the tool calls, or `nil` if there are none.
  ///
  /// - Throws: `GeneratedContent.ParsingError` if the arguments of a call are not complete JSON.
  func callsEntry() throws -> Transcript.ToolCalls? {
    if calls.isEmpty { return nil }
    let calls = try calls.map { call in
      let content = try GeneratedContent(json: call.arguments.isEmpty ? "{}" : call.arguments)
      guard content.isComplete else { throw content.incomplete(call.arguments) }
      return Transcript.ToolCall(
        id: call.id, metadata: call.metadata, toolName: call.name, arguments: content)
    }
    return Transcript.ToolCalls(id: callsID ?? UUID().uuidString, calls)
  }

  func response(
    _ content: GeneratedContent, schema: GenerationSchema?
  ) -> Transcript.Response {
    var segments = answer.segments
    if let schema {
      segments.removeAll { if case .text = $0 { true } else { false } }
      let segment = Transcript.StructuredSegment(source: schema.name, content: content)
      segments.insert(.structure(segment), at: 0)
    }
    return Transcript.Response(
      id: answer.id ?? UUID().uuidString, metadata: answer.metadata, segments: segments)
  }
}

extension GeneratedContent {
  /// Returns the error for a text that ends before its value is complete.
  func incomplete(_ text: String) -> ParsingError {
    ParsingError(rawContent: text, debugDescription: "the text ends before the value is complete")
  }
}
