public import HTTPTransport
public import ModelServers
public import StructuredText

/// The options for requests to a served model, in addition to the settings of suites.
public struct ServedOptions: Sendable {
  /// The header that carries the key, or `nil` if the server doesn't need a key.
  public var key: SecretHeader?
  /// The rule for retrying failed requests.
  public var retries: RetryPause
  /// The maximum number of concurrent requests.
  public var mostAtOnce: Int
  /// The timeout of one try.
  public var timeLimit: Duration
  /// The prices of tokens, or `nil` if they are unknown.
  public var prices: TokenPrices?
  /// The number of likely tokens that the server should list at each step, for measuring decisions:
  /// `nil` for the default of the server's interface, or 0 for none.
  public var listedTokens: Int?
  /// Whether a server that accepts grammars gets Assay's grammar of the schema, with the suite's
  /// white space.
  ///
  /// If the value is false, the server gets the schema and builds a grammar from it.
  public var sendsGrammar = true
  /// The maximum number of further requests for measuring the decisions of an answer.
  public var furtherRequests = 64
  /// Whether the backend tests the server with a few tiny requests before the first answer.
  public var probes = false
  /// The system that the model belongs to, for servers that don't name their build, or `nil` if it
  /// is unknown.
  public var system: String?
  /// Additional members for the body of each request.
  public var members: JSONObject

  /// Creates options.
  public init(
    key: SecretHeader? = nil, retries: RetryPause = RetryPause(), mostAtOnce: Int = 32,
    timeLimit: Duration = .seconds(600), prices: TokenPrices? = nil, members: JSONObject = [:]
  ) {
    self.key = key
    self.retries = retries
    self.mostAtOnce = max(1, mostAtOnce)
    self.timeLimit = timeLimit
    self.prices = prices
    self.members = members
  }
}
