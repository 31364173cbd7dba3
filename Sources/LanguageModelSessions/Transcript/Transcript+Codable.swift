import GuidedGeneration
import StructuredText
import SystemBasics

/// Apple's JSON format for transcripts: entries with a role, contents, and role-specific fields.
extension Transcript: Codable {
  private static let typeName = "FoundationModels.Transcript"

  /// Reads a transcript from Apple's JSON.
  ///
  /// A custom segment keeps its content and its prompt representation, but not its Swift type. This
  /// is Assay's choice, because Apple's behavior is unknown.
  ///
  /// - Parameter decoder: The decoder to read from.
  /// - Throws: `DecodingError.dataCorrupted` if the document is not a transcript.
  public init(from decoder: any Decoder) throws {
    let json = try JSONValue(from: decoder)
    do throws(TranscriptProblem) {
      try self.init(json: json)
    } catch {
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: decoder.codingPath, debugDescription: error.description,
          underlyingError: error))
    }
  }

  /// Writes the transcript as Apple's JSON.
  ///
  /// The document leaves out the context options of prompts.
  ///
  /// - Parameter encoder: The encoder to write to.
  /// - Throws: The encoder's error.
  public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }

  package init(json: JSONValue) throws(TranscriptProblem) {
    guard json["type"]?.string == Self.typeName else {
      throw TranscriptProblem(at: "type", expected: Self.typeName)
    }
    guard let entries = json["transcript"]?["entries"]?.array else {
      throw TranscriptProblem(at: "transcript.entries", expected: "an array")
    }
    self.init()
    for (index, entry) in entries.enumerated() {
      append(try Entry(json: entry, at: "transcript.entries[\(index)]"))
    }
  }

  package var json: JSONValue {
    [
      "type": .string(Self.typeName), "version": 1,
      "transcript": ["entries": .array(map(\.json))],
    ]
  }
}

/// The reason why a document is not a transcript: a path, and what should be at that path.
package struct TranscriptProblem: Error, Hashable, Sendable, CustomStringConvertible {
  package var path: String
  package var expected: String

  init(at path: String, expected: String) {
    self.path = path
    self.expected = expected
  }

  package var description: String { "\(path): this should be \(expected)" }
}

extension Transcript.Entry {
  fileprivate init(json: JSONValue, at path: String) throws(TranscriptProblem) {
    guard let id = json["id"]?.string else {
      throw TranscriptProblem(at: path + ".id", expected: "a string")
    }
    var segments: [Transcript.Segment] = []
    for (index, content) in (json["contents"]?.array ?? []).enumerated() {
      segments.append(try Transcript.Segment(json: content, at: "\(path).contents[\(index)]"))
    }
    let metadata = [String: GeneratedContent](json: json["metadata"])
    switch json["role"]?.string {
    case "instructions":
      var tools: [Transcript.ToolDefinition] = []
      for (index, tool) in (json["tools"]?.array ?? []).enumerated() {
        tools.append(try Transcript.ToolDefinition(json: tool, at: "\(path).tools[\(index)]"))
      }
      self = .instructions(.init(id: id, segments: segments, toolDefinitions: tools))
    case "user":
      self = .prompt(
        .init(
          id: id, metadata: metadata, segments: segments,
          options: GenerationOptions(json: json["options"] ?? [:]),
          responseFormat: try Transcript.ResponseFormat(
            json: json["responseFormat"], at: path + ".responseFormat")))
    case "response":
      guard let calls = json["toolCalls"]?.array, !calls.isEmpty else {
        let assets = json["assets"]?.array?.compactMap(\.string) ?? []
        var response = Transcript.Response(id: id, metadata: metadata, segments: segments)
        response.assetIDs = assets
        self = .response(response)
        return
      }
      var toolCalls: [Transcript.ToolCall] = []
      for (index, call) in calls.enumerated() {
        toolCalls.append(try Transcript.ToolCall(json: call, at: "\(path).toolCalls[\(index)]"))
      }
      self = .toolCalls(.init(id: id, toolCalls))
    case "tool":
      self = .toolOutput(
        .init(
          id: json["toolCallID"]?.string ?? id, toolName: json["toolName"]?.string ?? "",
          segments: segments))
    case "data":
      self = .data(
        .init(
          id: id, contentType: UTType(json: json["contentType"]),
          content: Data(base64Encoded: json["content"]?.string ?? "") ?? Data(),
          metadata: GeneratedContent(json["metadata"] ?? [:])))
    case "reasoning":
      let signature = json["signature"]?.string.flatMap { Data(base64Encoded: $0) }
      self = .reasoning(
        .init(id: id, metadata: metadata, segments: segments, signature: signature))
    default:
      throw TranscriptProblem(
        at: path + ".role", expected: "instructions, user, response, tool, reasoning or data")
    }
  }

  fileprivate var json: JSONValue {
    var json: JSONObject = ["id": .string(id)]
    func add(
      _ role: String, _ segments: [Transcript.Segment],
      _ metadata: [String: GeneratedContent] = [:]
    ) {
      json["role"] = .string(role)
      json["contents"] = .array(segments.map(\.json))
      json["metadata"] = metadata.json
    }
    switch self {
    case .instructions(let entry):
      add("instructions", entry.segments)
      json["tools"] = .array(entry.toolDefinitions.map(\.json))
    case .prompt(let entry):
      add("user", entry.segments, entry.metadata)
      json["options"] = entry.options.json
      json["responseFormat"] = entry.responseFormat?.json
    case .toolCalls(let entry):
      json["role"] = "response"
      json["toolCalls"] = .array(entry.map(\.json))
    case .toolOutput(let entry):
      add("tool", entry.segments)
      json["toolName"] = .string(entry.toolName)
      json["toolCallID"] = .string(entry.id)
    case .response(let entry):
      add("response", entry.segments, entry.metadata)
      json["assets"] = .array(entry.assetIDs.map { .string($0) })
    case .reasoning(let entry):
      add("reasoning", entry.segments, entry.metadata)
      json["signature"] = entry.signature.map { .string($0.base64EncodedString()) }
    case .data(let entry):
      json["role"] = "data"
      json["contentType"] = .string(entry.contentType.identifier)
      json["content"] = .string(entry.content.base64EncodedString())
      json["metadata"] = entry.metadata.jsonValue
    }
    return .object(json)
  }
}
