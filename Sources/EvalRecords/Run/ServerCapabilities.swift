/// The capabilities of a server, found with a few tiny requests before a run.
public struct ServerCapabilities: Sendable, Hashable, Codable {
  /// The answer to one question about a server.
  public enum Finding: Sendable, Hashable, Codable {
    case yes
    case no
    /// The experiment gave no answer, for the stated reason.
    case unknown(String)
  }

  /// Whether an answer follows its schema even though the prompt asks for prose.
  public var enforcesSchema: Finding
  /// Whether equal seeds give equal answers, and several seeds give at least three different
  /// answers.
  public var repeatsSeeds: Finding
  /// Whether the seed has no effect at temperature 0, but has an effect at temperature 1.
  public var appliesTemperature: Finding
  /// Whether decisions can be measured from listed tokens.
  public var measuresDecisions: Finding
  /// The maximum number of alternatives that the server listed for one token.
  public var listedTokens: Int
  /// Whether the listed probabilities are from before the server's mask, so that some of their mass
  /// lies on texts that the schema forbids.
  public var listsBeforeMask: Finding
  /// Whether the properties of an answer are in the order of the schema.
  public var keepsKeyOrder: Finding
  /// Whether the server writes white space between the parts of a value.
  public var writesWhitespace: Finding
  /// The options that the server doesn't apply.
  public var unapplied: [String]
  /// The number of requests that the experiments took.
  public var requests: Int

  /// Creates a record in which nothing is known yet.
  ///
  /// - Parameter reason: The reason why nothing is known.
  public init(unknown reason: String) {
    enforcesSchema = .unknown(reason)
    repeatsSeeds = .unknown(reason)
    appliesTemperature = .unknown(reason)
    measuresDecisions = .unknown(reason)
    listedTokens = 0
    listsBeforeMask = .unknown(reason)
    keepsKeyOrder = .unknown(reason)
    writesWhitespace = .unknown(reason)
    unapplied = []
    requests = 0
  }
}
