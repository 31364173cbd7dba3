/// The requests of a run to one served model, and Assay's observations of the server.
public struct ServedUse: Sendable, Hashable, Codable {
  /// The server's address.
  public var address: String
  /// The number of requests, including retries.
  public var requests: Int
  /// The number of requests that were retries.
  public var retries: Int
  /// The number of answers.
  public var answers: Int
  /// The number of connections that were opened.
  public var connections: Int
  /// The maximum number of concurrent requests.
  public var mostAtOnce: Int
  /// The number of answers for each name that the server gave the model.
  ///
  /// In the record of a run, these are the answers that its attempts have, whoever received them:
  /// see `RunRecord.takeServedNames(from:)`.
  public var models: [String: Int]
  /// The number of answers for each name that the server gave its build and settings.
  public var fingerprints: [String: Int]
  /// The fingerprint if a server doesn't report the system that its model belongs to.
  package static let unknownSystem = "an unknown system"
  /// The suite options that the server doesn't support.
  public var unapplied: [String]
  /// The parts of schemas that the server doesn't enforce; Assay checks them in the answers.
  public var losses: [String]
  /// The number of answers that violate a schema that the server promised to enforce.
  public var brokenPromises: Int
  /// The number of answers in which version 0.1 changed the capitalization of enum values, or `nil`
  /// in records of later versions, which change nothing.
  public var foldedAnswers: Int?
  /// The number of decisions whose probabilities were measured from the tokens that the server
  /// listed, or `nil` in records of earlier versions.
  public var measuredDecisions: Int?
  /// The number of decisions with more than a twentieth of their probability unresolved, so that
  /// only bounds on their probabilities are known.
  public var boundedDecisions: Int?
  /// The stage of sampling that the listed probabilities come from, or `nil` if none were listed.
  public var probabilities: ServedAnswer.ProbabilityStage?
  /// The server's capabilities, tested before the first answer, or `nil` if they weren't tested.
  public var capabilities: ServerCapabilities?
  /// The cost of the answers whose tokens the server reported, at the user's prices, or `nil` if
  /// no prices are set or the server reported no tokens.
  public var cost: Double?
  /// The number of answers whose cost is unknown although prices are set, because the server didn't
  /// report their tokens, or `nil` if there were none.
  public var answersOfUnknownCost: Int?
  /// The reason why Assay stopped sending requests, or `nil` if it didn't stop early.
  public var ending: String?

  /// Creates a record without requests.
  ///
  /// - Parameter address: The server's address.
  public init(address: String) {
    self.address = address
    requests = 0
    retries = 0
    answers = 0
    connections = 0
    mostAtOnce = 0
    models = [:]
    fingerprints = [:]
    unapplied = []
    losses = []
    brokenPromises = 0
  }

  /// Whether the server named more than one model in its answers.
  public var hasChangedModel: Bool { models.count > 1 }

  /// Returns the combined use of two shards of one run.
  ///
  /// If one shard ended early, the whole run ended early.
  func merged(with other: ServedUse) -> ServedUse {
    var sum = self + other
    sum.ending = ending ?? other.ending
    return sum
  }

  /// Returns the combined use of a run (left) and its continuation (right).
  public static func + (left: ServedUse, right: ServedUse) -> ServedUse {
    var sum = left
    sum.requests += right.requests
    sum.retries += right.retries
    sum.answers += right.answers
    sum.connections += right.connections
    sum.mostAtOnce = max(left.mostAtOnce, right.mostAtOnce)
    sum.models.merge(right.models, uniquingKeysWith: +)
    sum.fingerprints.merge(right.fingerprints, uniquingKeysWith: +)
    sum.unapplied += right.unapplied.filter { !left.unapplied.contains($0) }
    sum.losses += right.losses.filter { !left.losses.contains($0) }
    sum.brokenPromises += right.brokenPromises
    sum.foldedAnswers =
      left.foldedAnswers.map { $0 + (right.foldedAnswers ?? 0) } ?? right.foldedAnswers
    if left.measuredDecisions != nil || right.measuredDecisions != nil {
      sum.measuredDecisions = (left.measuredDecisions ?? 0) + (right.measuredDecisions ?? 0)
      sum.boundedDecisions = (left.boundedDecisions ?? 0) + (right.boundedDecisions ?? 0)
    }
    sum.probabilities = left.probabilities ?? right.probabilities
    sum.capabilities = left.capabilities ?? right.capabilities
    if left.cost != nil || right.cost != nil { sum.cost = (left.cost ?? 0) + (right.cost ?? 0) }
    if left.answersOfUnknownCost != nil || right.answersOfUnknownCost != nil {
      sum.answersOfUnknownCost =
        (left.answersOfUnknownCost ?? 0) + (right.answersOfUnknownCost ?? 0)
    }
    // Use the continuation's value, because the continuation may have completed the run.
    sum.ending = right.ending
    return sum
  }
}
