import GuidedGeneration
import StructuredText
import SystemBasics

extension Transcript.Segment {
  init(json: JSONValue, at path: String) throws(TranscriptProblem) {
    let id = json["id"]?.string ?? ""
    switch json["type"]?.string {
    case "text":
      guard let text = json["text"]?.string else {
        throw TranscriptProblem(at: path + ".text", expected: "a string")
      }
      self = .text(.init(id: id, content: text))
    case "structure":
      guard let source = json["structure"]?["source"]?.string,
        let content = json["structure"]?["content"]
      else {
        throw TranscriptProblem(
          at: path + ".structure", expected: "an object with `source` and `content`")
      }
      self = .structure(.init(id: id, source: source, content: GeneratedContent(content)))
    case "image":
      // `fm` writes images as data URLs.
      guard let url = json["image"]?.string.flatMap({ URL(string: $0) }) else {
        throw TranscriptProblem(at: path + ".image", expected: "a URL as a string")
      }
      self = .attachment(.init(id: id, content: .image(.init(imageURL: url))))
    case "attachment":
      let attachment = json["attachment"]
      let label = (json["label"] ?? attachment?["label"])?.string
      if attachment?["type"]?.string == "data", let content = attachment?["content"]?.string {
        let data = Transcript.DataAttachment(
          contentType: UTType(json: attachment?["contentType"]),
          content: Data(base64Encoded: content) ?? Data(),
          metadata: GeneratedContent(attachment?["metadata"] ?? [:]))
        self = .attachment(.init(id: id, content: .data(data), label: label))
        return
      }
      guard attachment?["type"]?.string == "image",
        let text = (attachment?["url"] ?? attachment?["data"])?.string, let url = URL(string: text)
      else {
        throw TranscriptProblem(
          at: path + ".attachment",
          expected: "an image with a `url` or `data`, or data with `content`")
      }
      let orientation = (attachment?["orientation"]?.int).flatMap { UInt32(exactly: $0) }
        .flatMap { CGImagePropertyOrientation(rawValue: $0) }
      self = .attachment(
        .init(
          id: id, content: .image(.init(imageURL: url, orientation: orientation)),
          label: label))
    case "custom": self = .custom(StoredSegment(id: id, json: json["custom"]))
    default:
      throw TranscriptProblem(
        at: path + ".type", expected: "text, structure, image, attachment or custom")
    }
  }

  var json: JSONValue {
    switch self {
    case .text(let segment):
      ["type": "text", "text": .string(segment.content), "id": .string(segment.id)]
    case .structure(let segment):
      [
        "type": "structure", "id": .string(segment.id),
        "structure": ["source": .string(segment.source), "content": segment.content.jsonValue],
      ]
    case .attachment(let segment): segment.json
    case .custom(let segment): StoredSegment(segment).segmentJSON
    }
  }
}

extension Transcript.AttachmentSegment {
  fileprivate var json: JSONValue {
    var json: JSONObject = ["type": "attachment", "id": .string(id)]
    json["label"] = label.map { .string($0) }
    switch content {
    case .image(let image):
      json["attachment"] = [
        "type": "image", "url": .string(image.url?.absoluteString ?? ""),
        "orientation": .number(JSONNumber(Int(image.orientation.rawValue))),
      ]
    case .data(let data):
      json["attachment"] = [
        "type": "data", "contentType": .string(data.contentType.identifier),
        "content": .string(data.content.base64EncodedString()),
        "metadata": data.metadata.jsonValue,
      ]
    }
    return .object(json)
  }
}

extension Transcript.ToolDefinition {
  init(json: JSONValue, at path: String) throws(TranscriptProblem) {
    guard let function = json["function"], let name = function["name"]?.string,
      let parameters = function["parameters"]
    else {
      throw TranscriptProblem(
        at: path + ".function", expected: "an object with `name` and `parameters`")
    }
    self.init(
      name: name, description: function["description"]?.string ?? "",
      parameters: try GenerationSchema(transcript: parameters, at: path + ".function.parameters"))
  }

  var json: JSONValue {
    [
      "type": "function",
      "function": [
        "name": .string(name), "description": .string(description), "parameters": parameters.json,
      ],
    ]
  }
}

extension Transcript.ToolCall {
  init(json: JSONValue, at path: String) throws(TranscriptProblem) {
    guard let id = json["id"]?.string, let name = json["name"]?.string,
      let arguments = json["arguments"]?.string
    else {
      throw TranscriptProblem(
        at: path, expected: "an object with `id`, `name` and `arguments` as JSON text")
    }
    guard let content = try? GeneratedContent(json: arguments), content.isComplete else {
      throw TranscriptProblem(at: path + ".arguments", expected: "JSON text")
    }
    self.init(
      id: id, metadata: [String: GeneratedContent](json: json["metadata"]), toolName: name,
      arguments: content)
  }

  var json: JSONValue {
    var json: JSONObject = [
      "id": .string(id), "name": .string(toolName),
      "arguments": .string(JSONTextWriter.text(of: arguments.jsonValue, style: .compact)),
    ]
    json["metadata"] = metadata.json
    return .object(json)
  }
}

extension Transcript.ResponseFormat {
  init?(json: JSONValue?, at path: String) throws(TranscriptProblem) {
    guard let json else { return nil }
    guard json["type"]?.string == "jsonSchema", let name = json["jsonSchema"]?["name"]?.string,
      let schema = json["jsonSchema"]?["schema"]
    else {
      throw TranscriptProblem(
        at: path, expected: "a `jsonSchema` with `name` and `schema`")
    }
    self.init(
      schema: try GenerationSchema(transcript: schema, at: path + ".jsonSchema.schema"),
      name: name)
  }

  var json: JSONValue {
    switch kind {
    case .schema(let schema):
      ["type": "jsonSchema", "jsonSchema": ["name": .string(name), "schema": schema.json]]
    }
  }
}

extension GenerationSchema {
  fileprivate init(transcript json: JSONValue, at path: String) throws(TranscriptProblem) {
    do throws(SchemaReadError) {
      try self.init(json: json)
    } catch {
      throw TranscriptProblem(at: path, expected: "a schema (\(error.description))")
    }
  }
}

extension GenerationOptions {
  init(json: JSONValue) {
    let seed = json["randomSeed"]?.number.flatMap { UInt64($0.text) }
    var sampling: SamplingMode?
    if let k = json["topK"]?.int {
      sampling = k == 1 && seed == nil ? .greedy : .random(top: k, seed: seed)
    } else if let threshold = json["probabilityThreshold"]?.double {
      sampling = .random(probabilityThreshold: threshold, seed: seed)
    }
    self.init(
      samplingMode: sampling, temperature: json["temperature"]?.double,
      maximumResponseTokens: json["maximumResponseTokens"]?.int)
    switch json["toolCallingMode"]?.string {
    case "allowed": toolCallingMode = .allowed
    case "required": toolCallingMode = .required
    case "disallowed": toolCallingMode = .disallowed
    default: break
    }
  }

  /// The options that are set, as JSON.
  ///
  /// Greedy sampling is written as sampling from the single most probable token.
  var json: JSONValue {
    var json: JSONObject = [:]
    json["temperature"] = temperature.map { .number(JSONNumber($0)) }
    json["maximumResponseTokens"] = maximumResponseTokens.map { .number(JSONNumber($0)) }
    switch sampling?.kind {
    case .greedy: json["topK"] = 1
    case .randomTopK(let k, let seed):
      json["topK"] = .number(JSONNumber(k))
      json["randomSeed"] = seed.map { .number(JSONNumber($0)) }
    case .randomProbabilityThreshold(let threshold, let seed):
      json["probabilityThreshold"] = .number(JSONNumber(threshold))
      json["randomSeed"] = seed.map { .number(JSONNumber($0)) }
    case nil: break
    }
    switch toolCallingMode?.kind {
    case .allowed: json["toolCallingMode"] = "allowed"
    case .required: json["toolCallingMode"] = "required"
    case .disallowed: json["toolCallingMode"] = "disallowed"
    case nil: break
    }
    return .object(json)
  }
}
