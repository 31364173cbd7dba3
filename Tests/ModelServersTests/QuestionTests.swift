import EvalRecords
import ModelServers
import StructuredText
import Testing

/// Tests the requests for each interface.
@Suite struct QuestionTests {
  static let schema: JSONValue = ["type": "object", "properties": [:]]

  static let question = ServerQuestion(
    model: "m", instructions: "Be brief.",
    history: [ConversationTurn(.user, "Hi"), ConversationTurn(.model, "Hello")], prompt: "Go",
    schema: schema, schemaName: "Answer",
    settings: GenerationSettings(
      temperature: 0.5, topK: 40, topP: 0.9, minP: 0.05, maximumTokens: 64),
    seed: 7, listedTokens: 20)

  static let messages = """
    [{"role":"system","content":"Be brief."},{"role":"user","content":"Hi"},\
    {"role":"assistant","content":"Hello"},{"role":"user","content":"Go"}]
    """
  static let format = """
    {"type":"json_schema","json_schema":{"name":"Answer","strict":true,\
    "schema":{"type":"object","properties":{}}}}
    """

  static let calls:
    [(interface: ServerInterface, path: String, body: String, unapplied: [String])] =
      [
        (
          .openAI, "/chat/completions",
          """
          {"model":"m","messages":\(messages),"response_format":\(format),"temperature":0.5,\
          "top_p":0.9,"max_completion_tokens":64,"seed":7,"logprobs":true,"top_logprobs":20,\
          "store":false}
          """, ["topK", "minP"]
        ),
        (
          .openAICompatible, "/chat/completions",
          """
          {"model":"m","messages":\(messages),"response_format":\(format),"temperature":0.5,\
          "top_p":0.9,"max_tokens":64,"seed":7,"logprobs":true,"top_logprobs":20}
          """, ["topK", "minP"]
        ),
        (
          .vllm, "/chat/completions",
          """
          {"model":"m","messages":\(messages),"response_format":\(format),"temperature":0.5,\
          "top_p":0.9,"top_k":40,"min_p":0.05,"max_tokens":64,"seed":7,"logprobs":true,\
          "top_logprobs":20}
          """, []
        ),
        (
          .lmStudio, "/chat/completions",
          """
          {"model":"m","messages":\(messages),"response_format":\(format),"temperature":0.5,\
          "top_p":0.9,"top_k":40,"max_tokens":64,"seed":7,"logprobs":true,"top_logprobs":20}
          """, ["minP"]
        ),
        (
          .anthropic, "/v1/messages",
          """
          {"model":"m","max_tokens":64,"system":"Be brief.","messages":[\
          {"role":"user","content":"Hi"},{"role":"assistant","content":"Hello"},\
          {"role":"user","content":"Go"}],"output_config":{"format":{"type":"json_schema",\
          "schema":{"type":"object","properties":{}}}},"thinking":{"type":"disabled"}}
          """, ["temperature", "topK", "topP", "minP", "seed", "log probabilities"]
        ),
        (
          .google, "/models/m:generateContent",
          """
          {"systemInstruction":{"parts":[{"text":"Be brief."}]},"contents":[\
          {"role":"user","parts":[{"text":"Hi"}]},{"role":"model","parts":[{"text":"Hello"}]},\
          {"role":"user","parts":[{"text":"Go"}]}],"generationConfig":{\
          "responseMimeType":"application/json","responseJsonSchema":{"type":"object",\
          "properties":{}},"maxOutputTokens":64,"temperature":0.5,"topP":0.9,"topK":40,"seed":7,\
          "responseLogprobs":true,"logprobs":20}}
          """, ["minP"]
        ),
        (
          .ollama, "/api/chat",
          """
          {"model":"m","messages":\(messages),"stream":false,"format":{"type":"object",\
          "properties":{}},"options":{"temperature":0.5,"top_k":40,"top_p":0.9,"min_p":0.05,\
          "repeat_penalty":1,"num_predict":64,"seed":7},"truncate":false,"shift":false,\
          "logprobs":true,"top_logprobs":20}
          """, []
        ),
      ]

  @Test("each interface gets requests in its format, and unsupported options are reported")
  func checkCalls() throws {
    for (interface, path, body, unapplied) in Self.calls {
      let call = interface.mapping.call(for: Self.question)
      #expect(call.path == path)
      #expect(call.body == (try JSONValue(parsing: body)), "\(interface.rawValue)")
      #expect(call.unapplied == unapplied, "\(interface.rawValue)")
    }
  }

  @Test(
    "OpenAI and Azure get the new name of the token limit, and other servers get the old one",
    arguments: [
      (ServerInterface.openAI, true), (.azure, true), (.openAICompatible, false),
      (.llamaServer, false), (.vllm, false),
    ])
  func tokenLimit(interface: ServerInterface, isNew: Bool) {
    let body = interface.mapping.call(for: Self.question).body
    #expect(body["max_completion_tokens"] == (isNew ? 64 : nil))
    #expect(body["max_tokens"] == (isNew ? nil : 64))
  }

  @Test("the table of settings names each interface once, and only interfaces that exist")
  func settingNames() {
    let interfaces = Set(ServerInterface.allCases.map(\.rawValue))
    for setting in GenerationSetting.allCases {
      let named = setting.row.servers.values.flatMap(\.self)
      #expect(interfaces.isSuperset(of: named), "\(setting)")
      #expect(Set(named).count == named.count, "\(setting)")
    }
  }

  @Test("llama-server's defaults are turned off")
  func neutralDefaults() {
    var question = Self.question
    question.settings = GenerationSettings(temperature: 1, maximumTokens: 8)
    question.model = ""
    let body = ServerInterface.llamaServer.mapping.call(for: question).body
    #expect(body["top_k"] == 0 && body["top_p"] == 1 && body["min_p"] == 0)
    #expect(body["model"] == nil)
  }

  @Test("a greedy request has temperature zero; for Anthropic, `greedy` is reported as not applied")
  func greedy() {
    var question = Self.question
    question.settings.isGreedy = true
    for interface in ServerInterface.allCases where ![.anthropic, .apple].contains(interface) {
      let call = interface.mapping.call(for: question)
      let options = call.body["generationConfig"] ?? call.body["options"] ?? call.body
      #expect(options["temperature"] == 0)
      #expect(call.unapplied == [])
    }
    #expect(
      ServerInterface.anthropic.mapping.call(for: question).unapplied
        == ["greedy", "seed", "log probabilities"])
  }

  @Test(
    "members that a server rejects are left out and reported; members that the user sets are added")
  func leftOut() {
    var question = Self.question
    question.leftOut = ["temperature", "seed"]
    question.extra = ["reasoning_effort": "none", "max_completion_tokens": 9]
    let call = ServerInterface.openAI.mapping.call(for: question)
    #expect(call.body["temperature"] == nil && call.body["seed"] == nil)
    #expect(call.body["reasoning_effort"] == "none" && call.body["max_completion_tokens"] == 9)
    #expect(call.unapplied == ["temperature", "topK", "minP", "seed"])
  }
}
