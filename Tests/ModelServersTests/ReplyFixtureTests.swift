import EvalRecords
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
      interface: .vllm, name: "reasoning instead of an answer",
      body: chat(#"{"content":null,"reasoning_content":"hm, hm"}"#), text: "",
      ending: .unusable(
        "the model wrote 6 characters of reasoning and no answer; the server's stop reason is stop")
    ),
    .init(
      interface: .ollama, name: "thinking instead of an answer",
      body: ollama(#"{"content":"","thinking":"hm"}"#, "stop"), text: "",
      ending: .unusable(
        "the model wrote 2 characters of reasoning and no answer; the server's stop reason is stop")
    ),
    .init(
      interface: .openAICompatible, name: "choices in another order",
      body: """
        {"model":"m","error":null,"choices":[{"index":1,"message":{"content":"{\\"b\\":1}"}},\
        {"index":0,"message":{"content":"{}"}}],"usage":{"prompt_tokens":11,\
        "completion_tokens":5}}
        """, text: "{}", ending: .complete),
  ]

  @Test("each documented response is read correctly", arguments: 0..<fixtures.count)
  func checkFixture(_ index: Int) throws {
    let fixture = Self.fixtures[index]
    let reply = try fixture.interface.mapping.reply(from: JSONValue(parsing: fixture.body))
    #expect(reply.text == fixture.text, "\(fixture.name)")
    #expect(reply.ending == fixture.ending, "\(fixture.name)")
    guard fixture.body.contains(#""usage"#) || fixture.interface == .ollama else { return }
    #expect(reply.promptTokens == 11)
    #expect(reply.outputTokens == 5)
    #expect(reply.model != nil)
  }

  private static let broken: [(ServerInterface, String, String)] = [
    (
      .openAI, #"{"error":{"message":"Provider returned error","code":502}}"#,
      "Provider returned error (code 502)"
    ),
    (
      .openAICompatible, #"{"object":"error","message":"out of memory","code":500}"#,
      "out of memory (code 500)"
    ),
    (.vllm, #"{"error":"busy"}"#, "busy"),
    (.vllm, #"{"detail":"Internal error"}"#, "it has no choice with a message: Internal error"),
    (.openAI, #"{"choices":[]}"#, #"it has no choice with a message: {"choices":[]}"#),
    (.openAI, #"{"choices":null}"#, "it has no choice with a message"),
    (.openAI, #"{"choices":[{"delta":{"content":"{"}}]}"#, "it has no choice with a message"),
    (.openAI, #"{"choices":[{"text":"{}"}]}"#, "it has no choice with a message"),
    (
      .openAI, #"{"choices":[{"message":{"content":{"a":1}}}]}"#,
      "its `content` is neither text nor parts"
    ),
    (
      .openAI,
      #"{"choices":[{"finish_reason":"error","error":{"message":"lost"},"#
        + #""message":{"content":"{"}}]}"#,
      "lost"
    ),
    (
      .vllm, #"{"choices":[{"finish_reason":"abort","message":{"content":"{"}}]}"#,
      "the server stopped the answer"
    ),
    (
      .anthropic, #"{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}"#,
      "Overloaded"
    ),
    (.anthropic, #"{"content":"{}"}"#, "it has no list of content"),
    (.ollama, #"{"error":"model runner has stopped"}"#, "model runner has stopped"),
    (.ollama, #"{"message":{"content":"{"},"done":false}"#, "it is a part of a stream"),
    (
      .ollama, #"{"message":{"content":""},"done":true,"done_reason":"load"}"#,
      "the server only loaded or unloaded the model"
    ),
    (.google, #"{"candidates":[]}"#, "it has no candidate"),
    (.google, #"{"candidates":[{"index":0}]}"#, "its candidate has no content"),
    (
      .google, #"{"error":{"code":503,"message":"overloaded","status":"UNAVAILABLE"}}"#,
      "overloaded (code 503)"
    ),
  ]

  @Test(
    "a body that isn't the interface's message is an error with the server's words",
    arguments: 0..<broken.count)
  func checkBroken(_ index: Int) throws {
    let (interface, body, words) = Self.broken[index]
    let error = #expect(throws: ServerError.self) {
      _ = try interface.mapping.reply(from: JSONValue(parsing: body))
    }
    #expect(error?.message.hasPrefix(words) == true, "\(error?.message ?? "")")
    #expect(error?.consequence == .tryAgain)
    #expect(error.map { AttemptFailure($0).kind } == .backend)
  }

  @Test(
    "a body of another form is an error on every interface", arguments: ServerInterface.allCases)
  func checkOtherForms(interface: ServerInterface) {
    for body: JSONValue in [[:], [], nil, "x", ["choices": [["message": "x"]]], ["content": 1]] {
      #expect(throws: ServerError.self) { _ = try interface.mapping.reply(from: body) }
    }
  }

  @Test("an `error` without words beside an answer reports nothing")
  func checkEmptyErrors() throws {
    for error in ["null", "\"\"", "false", "{}", #"{"message":"","type":"","code":0}"#] {
      let body = #"{"error":\#(error),"choices":[{"message":{"content":"{}"}}]}"#
      #expect(try ServerInterface.openAI.mapping.reply(from: JSONValue(parsing: body)).text == "{}")
    }
  }

  @Test(
    "a count of tokens that can't be true is unknown, and the answer is kept",
    arguments: ["-5", "1e30", "2.5", "9000000000000000000", "\"5\"", "null"])
  func checkCounts(count: String) throws {
    for (interface, body) in [
      (
        ServerInterface.openAI,
        #"{"choices":[{"message":{"content":"{}"}}],"usage":{"prompt_tokens":7,"#
          + #""completion_tokens":COUNT}}"#
      ),
      (.ollama, #"{"message":{"content":"{}"},"prompt_eval_count":7,"eval_count":COUNT}"#),
      (
        .google,
        #"{"candidates":[{"content":{"parts":[{"text":"{}"}]}}],"usageMetadata":"#
          + #"{"promptTokenCount":7,"candidatesTokenCount":COUNT}}"#
      ),
    ] {
      let body = try JSONValue(parsing: body.replacing("COUNT", with: count))
      let reply = try interface.mapping.reply(from: body)
      #expect(reply.text == "{}" && reply.promptTokens == 7 && reply.outputTokens == 0)
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
    let tokens = try ServerInterface.vllm.mapping.reply(from: body).tokens
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
