import StructuredText

/// A place at a decision where the model would most likely have written a text that the schema
/// forbids, so that the mask removed more than half of the model's probability.
public struct MaskRemoval: Sendable, Hashable, Codable {
  /// The kind of the decision.
  public var kind: DecisionRecord.Kind
  /// The pattern of the decision's path, which is the same for all elements of an array.
  public var path: String
  /// The beginning of the text, without leading white space: its first word or, if that isn't
  /// known, the model's most likely token.
  public var wanted: String
  /// Whether the text would have come before the answer; `nil` means false.
  public var isPreface: Bool?

  /// Creates a removal.
  public init(
    kind: DecisionRecord.Kind, path: String, wanted: String, isPreface: Bool? = nil
  ) {
    self.kind = kind
    self.path = path
    self.wanted = wanted
    self.isPreface = isPreface
  }

  /// The maximum number of bytes of a token that is kept.
  private static let mostBytes = 64

  /// Returns the removals in an answer, at most one before the answer and one for each kind of
  /// decision at a path.
  ///
  /// For several decisions in an array, the first one counts. The text before the answer belongs to
  /// the answer's first decision.
  ///
  /// - Parameters:
  ///   - decisions: The decisions of the answer.
  ///   - trace: The steps of the answer.
  package static func removals(
    _ decisions: [DecisionRecord], _ trace: [TokenStep]
  ) -> [MaskRemoval] {
    places(decisions, trace).map { decision, step, isPreface in
      let wanted = trace[step].wanted ?? likeliest(trace[step])?.text ?? ""
      return MaskRemoval(
        kind: decision.kind, path: decision.pattern,
        wanted: String(wanted.drop { $0.isWhitespace }), isPreface: isPreface ? true : nil)
    }
  }

  /// Returns the steps of an answer at which the removals happened.
  ///
  /// The most likely candidate of each of these steps is forbidden.
  package static func steps(_ decisions: [DecisionRecord], _ trace: [TokenStep]) -> [Int] {
    places(decisions, trace).map(\.step)
  }

  private static func places(
    _ decisions: [DecisionRecord], _ trace: [TokenStep]
  ) -> [(decision: DecisionRecord, step: Int, isPreface: Bool)] {
    let start = trace.prefix { $0.text.allSatisfy(\.isWhitespace) }.count
    var result: [(decision: DecisionRecord, step: Int, isPreface: Bool)] = []
    if let first = decisions.first, let step = strongest(0..<min(start + 1, trace.count), trace) {
      result.append((first, step, true))
    }
    var seen: Set<String> = []
    for decision in decisions where trace.indices.contains(decision.step) {
      guard seen.insert("\(decision.kind) \(decision.pattern)").inserted, decision.step > start
      else { continue }
      // The model may have wanted the text before the token that decides, as after white space.
      var first = decision.step
      while first > start + 1, JSONPlace.canonical(trace[first - 1].path) == decision.path {
        first -= 1
      }
      if let step = strongest(first..<decision.step + 1, trace) {
        result.append((decision, step, false))
      }
    }
    return result
  }

  /// Returns the step at which the mask removed the most, or `nil` if it removed at most half at
  /// every step, or if an allowed token was the most likely one.
  private static func strongest(_ range: Range<Int>, _ trace: [TokenStep]) -> Int? {
    let step = range.max { removedShare(trace[$0]) < removedShare(trace[$1]) }
    guard let step, removedShare(trace[step]) > 0.5,
      let wanted = likeliest(trace[step]), wanted.isForbiddenText,
      wanted.text.utf8.count <= mostBytes
    else { return nil }
    return step
  }

  private static func likeliest(_ step: TokenStep) -> TokenCandidate? {
    step.candidates.max { $0.raw < $1.raw }
  }

  /// Returns the probability of the candidates that the schema forbids.
  ///
  /// The probability of all forbidden tokens may be larger, because a step has only its most likely
  /// candidates.
  private static func removedShare(_ step: TokenStep) -> Double {
    step.candidates.reduce(0) { $0 + ($1.isForbiddenText ? $1.raw : 0) }
  }
}

extension TokenCandidate {
  /// Whether the schema forbids the token because of its text, and not only because of its white
  /// space, or of how it splits the text.
  fileprivate var isForbiddenText: Bool {
    !isAllowed && fitsSchema != true && !text.contains("\u{FFFD}")
      && !text.allSatisfy(\.isWhitespace)
  }
}
