import ModelServers
import StructuredText
import Testing

/// Tests how each interface reads its documented responses, which are reduced to a minimum here.
@Suite struct ReplyFixtureTests {
  struct Fixture: Sendable {
    let interface: ServerInterface
    let name: String
    let body: String
    let text: String
    let ending: ServerReply.Ending
  }

  private static func chat(_ message: String, _ reason: String = "stop") -> String {
    """
    {"id":"c1","model":"gpt-x-2026","system_fingerprint":"fp_1","choices":[{"index":0,\
    "finish_reason":"\(reason)","message":\(message)}],"usage":{"prompt_tokens":11,\
    "completion_tokens":5,"prompt_tokens_details":{"cached_tokens":4},\
    "completion_tokens_details":{"reasoning_tokens":2}}}
    """
  }

  private static func claude(_ content: String, _ reason: String, _ more: String = "") -> String {
    """
    {"id":"msg_1","model":"claude-x","role":"assistant","content":\(content),\
    "stop_reason":"\(reason)"\(more),"usage":{"input_tokens":7,"output_tokens":5,\
    "cache_read_input_tokens":4}}
    """
  }

  private static func gemini(_ parts: String, _ reason: String) -> String {
    """
    {"modelVersion":"gemini-x","candidates":[{"content":{"parts":\(parts)},\
    "finishReason":"\(reason)"}],"usageMetadata":{"promptTokenCount":11,\
    "candidatesTokenCount":3,"thoughtsTokenCount":2,"cachedContentTokenCount":4}}
    """
  }

  private static func ollama(_ message: String, _ reason: String) -> String {
    """
    {"model":"llama","message":\(message),"done":true,"done_reason":"\(reason)",\
    "prompt_eval_count":11,"eval_count":5}
    """
  }

  static let fixtures: [Fixture] = [
    .init(
      interface: .openAI, name: "an answer",
      body: chat(#"{"role":"assistant","content":"{\"a\":1}","refusal":null}"#),
      text: #"{"a":1}"#, ending: .complete),
    .init(
      interface: .openAI, name: "a refusal",
      body: chat(#"{"content":null,"refusal":"I can't."}"#), text: "", ending: .refusal("I can't.")),
    .init(
      interface: .openAI, name: "a refusal in a part of the content",
      body: chat(#"{"content":[{"type":"refusal","refusal":"No."}]}"#), text: "",
      ending: .refusal("No.")),
    .init(
      interface: .openAI, name: "a content filter",
      body: chat(#"{"content":"{\"a\""}"#, "content_filter"), text: #"{"a""#,
      ending: .refusal("the content filter stopped the answer")),
    .init(
      interface: .openAI, name: "a truncated answer",
      body: chat(#"{"content":"{\"a\":"}"#, "length"), text: #"{"a":"#, ending: .tokenLimit),
    .init(
      interface: .openAICompatible, name: "a tool call",
      body: chat(
        #"{"content":null,"tool_calls":[{"function":{"name":"f","arguments":"{}"}}]}"#,
        "tool_calls"), text: "",
      ending: .unusable("the model called the tool f, but the request offers no tools")),
    .init(
      interface: .openAICompatible, name: "a function call in the old format",
      body: chat(
        #"{"content":null,"function_call":{"name":"f","arguments":"{}"}}"#,
        "function_call"), text: "",
      ending: .unusable("the model called the tool f, but the request offers no tools")),
    .init(
      interface: .vllm, name: "reasoning next to the answer",
      body: chat(#"{"content":"{}","reasoning":"hm","reasoning_content":"hm"}"#), text: "{}",
      ending: .complete),
    .init(
      interface: .lmStudio, name: "content in parts",
      body: chat(#"{"content":[{"type":"text","text":"{"},{"type":"text","text":"}"}]}"#),
      text: "{}", ending: .complete),
    .init(
      interface: .llamaServer, name: "an empty answer", body: chat(#"{"content":""}"#), text: "",
      ending: .unusable("the answer is empty; the server's stop reason is stop")),
    .init(
      interface: .openAICompatible, name: "an undocumented finish reason",
      body: chat(#"{"content":"{}"}"#, "eos_token"), text: "{}", ending: .complete),
    .init(
      interface: .anthropic, name: "an answer",
      body: claude(#"[{"type":"text","text":"{\"a\":1}"}]"#, "end_turn"), text: #"{"a":1}"#,
      ending: .complete),
    .init(
      interface: .anthropic, name: "an answer after thinking",
      body: claude(
        #"[{"type":"thinking","thinking":"hm"},{"type":"text","text":"{}"}]"#, "end_turn"),
      text: "{}", ending: .complete),
    .init(
      interface: .anthropic, name: "an answer as a tool's input",
      body: claude(#"[{"type":"tool_use","name":"answer","input":{"b":2,"a":1}}]"#, "tool_use"),
      text: #"{"b":2,"a":1}"#, ending: .complete),
    .init(
      interface: .anthropic, name: "a truncated answer",
      body: claude(#"[{"type":"text","text":"{"}]"#, "max_tokens"), text: "{",
      ending: .tokenLimit),
    .init(
      interface: .anthropic, name: "a full context",
      body: claude(#"[{"type":"text","text":"{"}]"#, "model_context_window_exceeded"), text: "{",
      ending: .contextFull),
    .init(
      interface: .anthropic, name: "a refusal with details",
      body: claude(
        "[]", "refusal", #","stop_details":{"type":"refusal","category":"bio","explanation":"no"}"#),
      text: "", ending: .refusal("bio: no")),
    .init(
      interface: .anthropic, name: "a refusal without details", body: claude("[]", "refusal"),
      text: "", ending: .refusal("the model declined to answer")),
    .init(
      interface: .anthropic, name: "a paused turn", body: claude("[]", "pause_turn"), text: "",
      ending: .unusable("the model paused its turn before it answered")),
    .init(
      interface: .google, name: "an answer after a thought",
      body: gemini(#"[{"text":"hm","thought":true},{"text":"{\"a\":1}"}]"#, "STOP"),
      text: #"{"a":1}"#, ending: .complete),
    .init(
      interface: .google, name: "a truncated answer",
      body: gemini(#"[{"text":"{"}]"#, "MAX_TOKENS"), text: "{", ending: .tokenLimit),
    .init(
      interface: .google, name: "a withheld answer", body: gemini("[]", "SAFETY"), text: "",
      ending: .refusal("SAFETY")),
    .init(
      interface: .google, name: "a recitation", body: gemini(#"[{"text":"{"}]"#, "RECITATION"),
      text: "{", ending: .refusal("RECITATION")),
    .init(
      interface: .google, name: "a blocked prompt",
      body: #"{"promptFeedback":{"blockReason":"PROHIBITED_CONTENT"}}"#, text: "",
      ending: .refusal("the prompt was blocked: PROHIBITED_CONTENT")),
    .init(
      interface: .google, name: "a tool call",
      body: gemini(#"[{"functionCall":{"name":"f","args":{}}}]"#, "STOP"), text: "",
      ending: .unusable("the model called the tool f, but the request offers no tools")),
    .init(
      interface: .google, name: "a malformed response",
      body: gemini("[]", "MALFORMED_RESPONSE"), text: "",
      ending: .unusable("the server says MALFORMED_RESPONSE")),
    .init(
      interface: .ollama, name: "an answer after thinking",
      body: ollama(#"{"content":"{\"a\":1}","thinking":"hm"}"#, "stop"), text: #"{"a":1}"#,
      ending: .complete),
    .init(
      interface: .ollama, name: "a truncated answer", body: ollama(#"{"content":"{"}"#, "length"),
      text: "{", ending: .tokenLimit),
    .init(
      interface: .ollama, name: "a tool call",
      body: ollama(#"{"content":"","tool_calls":[{"function":{"name":"f"}}]}"#, "stop"), text: "",
      ending: .unusable("the model called the tool f, but the request offers no tools")),
    .init(
      interface: .ollama, name: "a model that was loaded but didn't answer",
      body: ollama(#"{"content":""}"#, "load"),
      text: "",
      ending: .unusable("the answer is empty; the server's stop reason is load")),
  ]

  @Test("each documented response is read correctly", arguments: 0..<fixtures.count)
  func checkFixture(_ index: Int) throws {
    let fixture = Self.fixtures[index]
    let reply = fixture.interface.mapping.reply(from: try JSONValue(parsing: fixture.body))
    #expect(reply.text == fixture.text, "\(fixture.name)")
    #expect(reply.ending == fixture.ending, "\(fixture.name)")
    guard fixture.body.contains(#""usage"#) || fixture.interface == .ollama else { return }
    #expect(reply.promptTokens == 11)
    #expect(reply.outputTokens == 5)
    #expect(reply.model != nil)
  }

  @Test("a body with missing parts is unusable, and the message says which part is missing")
  func checkMissingParts() {
    let words: [ServerInterface: String] = [
      .ollama: "the response has no message", .anthropic: "the response has no content",
      .google: "the response has no candidate",
    ]
    for interface in ServerInterface.allCases {
      for body: JSONValue in [[:], [], nil, "x", ["choices": []], ["content": 1]] {
        #expect(
          interface.mapping.reply(from: body).ending
            == .unusable(words[interface] ?? "the response has no choice with a message"))
      }
    }
  }

  @Test("each listed token has its bytes, number and alternatives")
  func tokens() throws {
    let body = try JSONValue(
      parsing: """
        {"choices":[{"finish_reason":"stop","message":{"content":"é"},"logprobs":{"content":[
         {"token":"x","bytes":[195],"id":7,"logprob":-0.5,"top_logprobs":[
           {"token":"{\\"","logprob":-1.5},{"token":"b","bytes":null,"logprob":-9999.0}]},
         {"no":1}]}}]}
        """)
    let tokens = ServerInterface.vllm.mapping.reply(from: body).tokens
    #expect(
      tokens == [
        ListedToken(
          chosen: .init(bytes: [195], id: 7, logProbability: -0.5),
          alternatives: [
            .init(bytes: [123, 34], logProbability: -1.5),
            .init(bytes: [98], logProbability: -9999),
          ])
      ])
  }
}
