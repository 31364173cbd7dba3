import StructuredText
import Synchronization

/// Answers requests from a recording.
///
/// Equal requests get their answers in the recorded order. A request that was not recorded fails.
public final class ReplayClient: HTTPClient {
  private let exchanges: [String: [Int: RecordedExchange]]
  private let all: [RecordedExchange]
  private let counts = Mutex<[String: Int]>([:])

  /// Creates a client from recorded exchanges.
  public init(_ exchanges: [RecordedExchange]) {
    all = exchanges
    self.exchanges = Dictionary(grouping: exchanges, by: \.key).mapValues { equal in
      Dictionary(equal.map { ($0.occurrence, $0) }, uniquingKeysWith: { first, _ in first })
    }
  }

  /// Returns the recorded response to a request.
  ///
  /// - Throws: The recorded failure, or `HTTPFailure.notRecorded`.
  public func exchange(_ request: HTTPRequest) async throws(HTTPFailure) -> HTTPResponse {
    let key = RecordedExchange.key(of: request)
    let occurrence = counts.withLock { counts in
      counts[key, default: 0] += 1
      return (counts[key] ?? 1) - 1
    }
    guard let known = exchanges[key] else { throw .notRecorded(difference(of: request)) }
    guard let exchange = known[occurrence] else {
      throw .notRecorded(
        "the recording has \(known.count) answers to this request, and all of them have been used")
    }
    return try exchange.result.get()
  }

  /// Describes the difference between a request and the most similar recorded request.
  private func difference(of request: HTTPRequest) -> String {
    let body = RecordedExchange.body(of: request)
    let paths = all.filter { $0.path == request.path && $0.method == request.method }
    guard !paths.isEmpty else {
      let known = Set(all.map { "\($0.method) \($0.path)" }).sorted()
      return "the recording has no \(request.method) \(request.path)"
        + (known.isEmpty ? "; it is empty" : "; it has \(known.prefix(3).joined(separator: ", "))")
    }
    var best: [JSONDifference]?
    for exchange in paths.prefix(10_000) {
      let found = JSONDifference.differences(exchange.body, body)
      if best.map({ found.count < $0.count }) ?? true { best = found }
      if found.count <= 1 { break }
    }
    let differences = best ?? []
    return "the request was not recorded; the nearest one differs in "
      + differences.prefix(3).map(\.description).joined(separator: "; ")
      + (differences.count > 3 ? "; and in \(differences.count - 3) more places" : "")
  }
}

/// A place where two JSON values differ.
struct JSONDifference: CustomStringConvertible {
  let path: String
  let before: JSONValue?
  let after: JSONValue?

  var description: String {
    "\(path): \(Self.text(before)) was recorded, \(Self.text(after)) was requested"
  }

  private static func text(_ value: JSONValue?) -> String {
    guard let value else { return "nothing" }
    let text = value.compactText
    return text.count > 60 ? "\(text.prefix(60))…" : text
  }

  /// Returns the differences between two values.
  ///
  /// Members come in the order of the first value.
  static func differences(
    _ before: JSONValue?, _ after: JSONValue?, at path: String = "$"
  ) -> [JSONDifference] {
    if before == after { return [] }
    switch (before, after) {
    case (.object(let left)?, .object(let right)?):
      let keys = left.keys + right.keys.filter { left[$0] == nil }
      return keys.flatMap {
        differences(left[$0], right[$0], at: path + JSONPlace.Step.name($0).text)
      }
    case (.array(let left)?, .array(let right)?):
      return (0..<max(left.count, right.count)).flatMap { index in
        differences(
          left.indices.contains(index) ? .some(left[index]) : .none,
          right.indices.contains(index) ? .some(right[index]) : .none,
          at: path + JSONPlace.Step.index(index).text)
      }
    case (.string(let left)?, .string(let right)?):
      // Shorten long texts so that they start just before the first difference.
      let common = zip(left, right).prefix { $0 == $1 }.count
      let start = max(0, common - 20)
      return [
        JSONDifference(
          path: path, before: .string(String(left.dropFirst(start))),
          after: .string(String(right.dropFirst(start))))
      ]
    default: return [JSONDifference(path: path, before: before, after: after)]
    }
  }
}
