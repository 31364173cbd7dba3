import HTTPTransport
import ModelServers
import Testing

@Suite struct ServedModelNameTests {
  static let readable: [(text: String, id: String, address: String)] = [
    ("openai:gpt-5.6-luna", "openai:gpt-5.6-luna", "https://api.openai.com/v1"),
    (
      "openai-api:Qwen/Qwen3-8B@http://127.0.0.1:8000", "openai-api:Qwen/Qwen3-8B",
      "http://127.0.0.1:8000/v1"
    ),
    ("llama-server", "llama-server", "http://127.0.0.1:8080/v1"),
    ("llama-server:@localhost:9", "llama-server", "http://localhost:9/v1"),
    ("ollama:llama3.2:1b", "ollama:llama3.2:1b", "http://127.0.0.1:11434"),
    ("vllm:m@10.0.0.2:8000", "vllm:m", "https://10.0.0.2:8000/v1"),
    (
      "google:gemini-3.5-flash", "google:gemini-3.5-flash",
      "https://generativelanguage.googleapis.com/v1beta"
    ),
    ("anthropic:claude@20260101", "anthropic:claude@20260101", "https://api.anthropic.com"),
    (
      "exec:python3 app.py --to=a@b.c", "exec:python3 app.py --to=a@b.c",
      "exec:python3 app.py --to=a@b.c"
    ),
    (
      "azure:mini@https://a.openai.azure.com", "azure:mini",
      "https://a.openai.azure.com/openai/v1"
    ),
    // A name or a path may contain an `@`.
    ("vllm:m@v2@http://gpu:8000", "vllm:m@v2", "http://gpu:8000/v1"),
    ("vllm:m@v2@gpu:8000", "vllm:m@v2", "https://gpu:8000/v1"),
    ("ollama:m@sha256:0a@gpu:9", "ollama:m@sha256:0a", "https://gpu:9"),
    ("vllm:s3://bucket/m@HTTP://gpu:8000", "vllm:s3://bucket/m", "http://gpu:8000/v1"),
    ("vllm:m@http://gpu/of@me", "vllm:m", "http://gpu/of@me"),
    ("llama-server:http://gpu:9", "llama-server", "http://gpu:9/v1"),
    (
      "exec:fetch http://me:sesame@h.c", "exec:fetch http://me:sesame@h.c",
      "exec:fetch http://me:sesame@h.c"
    ),
  ]

  @Test("a valid name determines an id and the address of a server")
  func checkReadable() throws {
    for (text, id, address) in Self.readable {
      let name = try ServedModelName(parsing: text)
      #expect(name.id == id)
      #expect(name.address.description == address)
    }
  }

  static let unreadable: [(text: String, words: String)] = [
    (
      "opnai:x",
      "there is no backend `opnai`; did you mean `openai`? The backends are local, stub, "
        + "openai-api, llama-server, vllm, sglang, ollama, lmstudio, openai, azure, anthropic, "
        + "apple, google, exec"
    ),
    ("openai", "`openai` needs a model; write openai:MODEL"),
    ("exec", "`exec` needs a command; write exec:COMMAND, for example \"exec:python3 app.py\""),
    ("exec: ", "`exec` needs a command; write exec:COMMAND, for example \"exec:python3 app.py\""),
    ("exec:a\nb", "the model's name `a\nb` contains a space or a control character"),
    (
      "openai:x@exec://y",
      "the address `exec://y`: the scheme is `exec`; http and https are allowed"
    ),
    ("openai-api:x", "`openai-api` needs a server; write openai-api:MODEL@ADDRESS"),
    ("openai-api:http://me:sesame@h", "`openai-api` needs a model; write openai-api:MODEL@ADDRESS"),
    ("openai-api@http://me:sesame@h", "`openai-api` needs a model; write openai-api:MODEL@ADDRESS"),
    ("openai:a b", "the model's name `a b` contains a space or a control character"),
    (
      "vllm:m@ftp://h",
      "the address `ftp://h`: the scheme is `ftp`; http and https are allowed"
    ),
  ]

  @Test("an invalid name is rejected, and the error says what is wrong and what is allowed")
  func checkUnreadable() {
    for (text, words) in Self.unreadable {
      let error = #expect(throws: ServedModelName.Problem.self) {
        try ServedModelName(parsing: text)
      }
      #expect(error?.description == words)
    }
  }

  @Test(
    "an address with a user name or a password is rejected, and the error doesn't repeat it",
    arguments: [
      "openai-api:m@http://me:sesame@127.0.0.1:1/v1", "openai-api:m@https://me:sesame@h.c",
      "openai-api:m@http://me:ses@ame@h.c", "openai-api:m@HTTP://sesame@h.c",
      "openai-api:m@v2@http://me:sesame@h.c", "openai-api:m@ftp://me:sesame@h.c",
      "openai-api:m@http://me:sesame@h.c/?x=1", "openai-api:m@http://me:sesame/me@h.c",
      "openai-api:m@http://me:sesame@h.c:99999", "openai-api:m@me:sesame@h.c:1",
    ])
  func checkUserInfo(_ text: String) {
    let error = #expect(throws: ServedModelName.Problem.userInfo(.openAICompatible)) {
      try ServedModelName(parsing: text)
    }
    #expect(
      error?.description
        == "the address contains a user name, a password or a key; put the key into the "
        + "environment variable ASSAY_SERVER_KEY, or into the one that `key` names in the project "
        + "file")
  }

  private static func header(
    _ text: String, _ environment: [String: String]
  ) throws -> SecretHeader? {
    try ServerKey.header(for: try ServedModelName(parsing: text), environment: environment)
  }

  @Test("the key comes from the environment variable that belongs to the interface")
  func keys() throws {
    #expect(
      try Self.header("openai:m", ["OPENAI_API_KEY": "k"])
        == SecretHeader("Authorization", "Bearer k"))
    #expect(
      try Self.header("anthropic:m", ["ANTHROPIC_API_KEY": "k"]) == SecretHeader("x-api-key", "k"))
    #expect(
      try Self.header("google:m", ["GEMINI_API_KEY": "k"]) == SecretHeader("x-goog-api-key", "k"))
    #expect(
      try Self.header("azure:m@https://a.test", ["AZURE_OPENAI_API_KEY": "k"])
        == SecretHeader("api-key", "k"))
    #expect(try Self.header("vllm:m", ["OPENAI_API_KEY": "k"]) == nil)
    #expect(
      try Self.header("vllm:m@http://127.0.0.1:1", ["ASSAY_SERVER_KEY": "k"])
        == SecretHeader("Authorization", "Bearer k"))
  }

  @Test("a missing key is reported, and a key is never sent unencrypted to another machine")
  func refusedKeys() throws {
    #expect(throws: ServerKey.Problem.missing(.openAI, variable: "OPENAI_API_KEY")) {
      try Self.header("openai:m", [:])
    }
    #expect(throws: ServerKey.Problem.characters("OPENAI_API_KEY")) {
      try Self.header("openai:m", ["OPENAI_API_KEY": "k\n"])
    }
    let error = #expect(throws: ServerKey.Problem.self) {
      try Self.header("vllm:m@http://10.0.0.2:8000", ["ASSAY_SERVER_KEY": "sesame"])
    }
    #expect(
      error?.description
        == "the key in ASSAY_SERVER_KEY would go unencrypted to 10.0.0.2; use https://, or unset "
        + "ASSAY_SERVER_KEY for a server without a key")
  }
}
