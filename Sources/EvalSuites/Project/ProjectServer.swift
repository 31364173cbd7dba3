import StructuredText

/// The options of a served model in the project file.
package struct ProjectServer: Sendable, Hashable {
  /// The model and its server in the form that `--backend` takes.
  package var name: String
  /// The folder of the project file, or an empty string for the current folder.
  package var folder: String
  /// The prices per million tokens, in any currency.
  package struct Prices: Sendable, Hashable {
    /// The price of prompt tokens.
    package var prompt: Double
    /// The price of cached prompt tokens, or `nil` if they cost as much as other prompt tokens.
    package var cached: Double?
    /// The price of answer tokens.
    package var output: Double
  }

  /// The name of the environment variable that holds the API key, or `nil` for the default variable
  /// of the server's interface.
  package var keyVariable: String?
  /// The maximum number of retries after a failed request, or `nil` for the default.
  package var retries: Int?
  /// The maximum number of concurrent requests, or `nil` for the default.
  package var concurrency: Int?
  /// The timeout of each try in seconds, or `nil` for the default.
  package var timeout: Double?
  /// The prices, or `nil` if the project file states none.
  package var prices: Prices?
  /// The number of alternatives that the server lists for each token, or `nil` for the default of
  /// the server's interface.
  package var listedTokens: Int?
  /// Whether Assay sends its grammar to a server that accepts grammars, or `nil` for the default.
  package var sendsGrammar: Bool?
  /// Whether a run tests the server before its first attempt, or `nil` for the default.
  package var probes: Bool?
  /// Additional members for the body of each request.
  package var members: JSONObject

  /// Creates options from a model's node, or returns `nil` if the model isn't served.
  ///
  /// - Parameters:
  ///   - node: The node.
  ///   - folder: The folder of the project file.
  init?(_ node: SourceNode, in folder: String) {
    guard let name = node["server"]?.text else { return nil }
    self.name = name
    self.folder = folder
    keyVariable = node["key"]?.text
    retries = node["retries"]?.value.int
    concurrency = node["concurrency"]?.value.int
    timeout = node["timeout"]?.value.double
    if let prices = node["prices"]?.value, let prompt = prices["prompt"]?.double,
      let output = prices["output"]?.double
    {
      self.prices = Prices(prompt: prompt, cached: prices["cached"]?.double, output: output)
    }
    listedTokens = node["logprobs"]?.value.int
    sendsGrammar = node["grammar"]?.text.map { $0 == "own" }
    probes = node["probe"]?.value.bool
    members = node["members"]?.value.object ?? [:]
  }

  /// The keys of a served model.
  static let rows = [
    KeyRow(
      "server", .text,
      "A served model or a program instead of a file, in the form that `--backend` takes, for "
        + "example `ollama:llama3.2` or `exec:python3 app.py`"),
    KeyRow(
      "key", .name(.identifier), "The environment variable that holds the server's key",
      fallback: "the usual variable of the interface, for example `OPENAI_API_KEY`"),
    KeyRow(
      "retries", .integer(minimum: 0, maximum: 100),
      "The maximum number of retries after a temporary failure", fallback: "5"),
    KeyRow(
      "concurrency", .integer(minimum: 1, maximum: 1024),
      "The maximum number of concurrent requests; fewer while the server is overloaded",
      fallback: "32"),
    KeyRow(
      "timeout", .number(minimum: 0.001, maximum: 86_400),
      "The time limit for each try of a request, in seconds", fallback: "600"),
    KeyRow("prices", .table(.projectPrices), "The prices of tokens, for `--budget-cost`"),
    KeyRow(
      "logprobs", .integer(minimum: 0, maximum: 50_000),
      "The number of likely tokens that the server lists at each position of the answer; Assay "
        + "computes the probabilities of decisions from this list",
      fallback: "200 for llama-server, 20 for vllm, sglang and ollama, 0 for others"),
    KeyRow(
      "grammar", .choice(["own", "server"]),
      "The origin of the grammar that constrains answers. With `own`, Assay sends its own "
        + "grammar in GBNF format. This grammar follows the suite's option `whitespace`. With "
        + "`server`, the server builds a grammar from the schema",
      fallback: "`own` for llama-server, vllm and sglang, `server` for others"),
    KeyRow(
      "probe", .flag,
      "Whether Assay tests the server with a few tiny requests before the first answer of a run",
      fallback: "true"),
    KeyRow(
      "members", .dictionary(.value),
      "Additional members for the body of each request; they override Assay's own"),
  ]

  /// The keys under `prices`.
  static let pricesTable = KeyTable(
    "prices",
    [
      KeyRow(
        "prompt", .number(minimum: 0, maximum: 1e9), "The price of a million prompt tokens",
        isRequired: true),
      KeyRow(
        "cached", .number(minimum: 0, maximum: 1e9),
        "The price of a million prompt tokens that the server had cached",
        fallback: "the full price"),
      KeyRow(
        "output", .number(minimum: 0, maximum: 1e9), "The price of a million output tokens",
        isRequired: true),
    ])
}
