import GuidedGeneration
import StructuredText

/// A schema for the choice between an answer and a tool call.
///
/// With this schema, even a model that can only follow a schema can call tools:
///
/// ```
/// Step = {type: "answer", value: T} | {type: "weather", arguments: {place: string}} | …
/// ```
package struct ToolStepSchema {
  /// The choice that a model made.
  package enum Step: Equatable {
    /// The answer: its JSON text, or plain text if the request has no schema.
    case answer(String)
    /// A tool call, with the JSON text of its arguments.
    case call(name: String, arguments: String)
  }

  private static let answerName = "answer"

  /// The schema of the choice.
  package let schema: GenerationSchema
  private let isText: Bool

  /// Creates a schema for the choice.
  ///
  /// - Parameters:
  ///   - answer: The schema of the answer, or `nil` for free text.
  ///   - tools: The tools that the model may call.
  ///   - mustCall: Whether the model must call a tool.
  package init(
    answer: GenerationSchema?, tools: [Transcript.ToolDefinition], mustCall: Bool
  ) {
    isText = answer == nil
    var builder = SchemaBuilder()
    var choices: [SchemaNode] = []
    func add(_ type: String, _ title: String, _ description: String?, _ payload: PropertySchema) {
      let tag = PropertySchema(
        name: "type", node: .string(StringSchema(choices: [type], isConstant: true)))
      let name = builder.reserve(title)
      builder.define(
        .object(ObjectSchema(name: name, description: description, properties: [tag, payload])),
        as: name)
      choices.append(.reference(name, description: nil))
    }
    if !mustCall {
      let node = builder.node(of: answer ?? String.generationSchema)
      add(Self.answerName, "Answer", nil, PropertySchema(name: "value", node: node))
    }
    for tool in tools {
      let title = "Call" + tool.name.prefix(1).uppercased() + tool.name.dropFirst()
      let node = builder.node(of: tool.parameters)
      add(tool.name, title, tool.description, PropertySchema(name: "arguments", node: node))
    }
    let root = SchemaNode.union(UnionSchema(name: "Step", choices: choices))
    schema = builder.schema(named: "Step", root: root)
  }

  /// Parses the model's choice.
  ///
  /// - Parameter text: The model's JSON text.
  /// - Returns: The choice, or `nil` if the text doesn't contain a choice.
  package func step(_ text: String) -> Step? {
    guard let json = try? JSONValue(parsing: text), let type = json["type"]?.string else {
      return nil
    }
    if type == Self.answerName, let value = json["value"] {
      if isText { return value.string.map { .answer($0) } }
      return .answer(JSONTextWriter.text(of: value, style: .compact))
    }
    guard let arguments = json["arguments"] else { return nil }
    return .call(name: type, arguments: JSONTextWriter.text(of: arguments, style: .compact))
  }

  /// Returns the beginning of the answer in an incomplete text: a prefix of the answer that `step`
  /// returns for the whole text.
  ///
  /// - Parameter text: The model's text so far.
  /// - Returns: The answer's text, or `nil` if the answer has not begun or the model is calling a
  ///   tool.
  package func answerSoFar(_ text: String) -> String? {
    guard case .structure(let properties, _) = try? GeneratedContent(json: text).kind,
      case .string(Self.answerName) = properties["type"]?.kind, let value = properties["value"]
    else { return nil }
    guard isText else { return value.openText }
    if case .string(let text) = value.kind { return text }
    return nil
  }

  /// Returns the text that a model writes to make a tool call.
  package static func text(of call: Transcript.ToolCall) -> String {
    let step = JSONValue.object(
      JSONObject([
        (key: "type", value: .string(call.toolName)),
        (key: "arguments", value: call.arguments.jsonValue),
      ]))
    return JSONTextWriter.text(of: step, style: .compact)
  }
}
