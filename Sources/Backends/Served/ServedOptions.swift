public import HTTPTransport
public import ModelServers
public import StructuredText

/// How a served model is asked, beside what suites say.
public struct ServedOptions: Sendable {
  /// The header that carries the key; nil if the server wants none.
  public var key: SecretHeader?
  /// When a request that failed is made again.
  public var retries: RetryPause
  /// The most requests in work at a time.
  public var mostAtOnce: Int
  /// The longest that one try may take.
  public var timeLimit: Duration
  /// The prices of tokens; nil if nobody stated them.
  public var prices: TokenPrices?
  /// More members for the body of each request.
  public var members: JSONObject

  /// Creates options with the documented defaults.
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
