/// The requests of a run to one served model, and what the server was seen to do.
public struct ServedUse: Sendable, Hashable, Codable {
  /// Where the server is.
  public var address: String
  /// The requests, new tries included.
  public var requests: Int
  /// The requests that were new tries.
  public var retries: Int
  /// The answers.
  public var answers: Int
  /// The connections that were opened.
  public var connections: Int
  /// The most requests that were in work at a time.
  public var mostAtOnce: Int
  /// The models that answered, as the server names them, with the number of their answers.
  public var models: [String: Int]
  /// The server's names for its build and settings, with the number of answers.
  public var fingerprints: [String: Int]
  /// The options of suites that the server does not apply.
  public var unapplied: [String]
  /// The parts of schemas that the server does not enforce; the answers are checked.
  public var losses: [String]
  /// The answers that left their schema although the server was to hold them to it.
  public var brokenPromises: Int
  /// The answers whose enum values had other capital letters than the schema's.
  public var foldedAnswers: Int
  /// The price of all answers, by the user's prices; nil without prices.
  public var cost: Double?
  /// Why the server was asked no more; nil if it was asked to the end.
  public var ending: String?

  /// Creates a record of no request.
  ///
  /// - Parameter address: Where the server is.
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
    foldedAnswers = 0
  }

  /// Whether more than one model answered under the one name.
  public var hasChangedModel: Bool { models.count > 1 }

  /// Both together, as shares of one run: if one of them ended early, the whole did.
  func merged(with other: ServedUse) -> ServedUse {
    var sum = self + other
    sum.ending = ending ?? other.ending
    return sum
  }

  /// Both together, the right one as the continuation of the left one.
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
    sum.foldedAnswers += right.foldedAnswers
    if left.cost != nil || right.cost != nil { sum.cost = (left.cost ?? 0) + (right.cost ?? 0) }
    // The latest word counts: a run that was continued may have come to its end.
    sum.ending = right.ending
    return sum
  }
}
