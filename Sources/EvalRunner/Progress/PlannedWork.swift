public import EvalRecords
import StructuredText

/// What an attempt of an earlier run says about the work of a planned attempt.
public struct EarlierWork: Sendable, Hashable {
  /// The attempt.
  public var key: AttemptKey
  /// The number of tokens of its answer.
  public var outputTokens: Int
  /// The time of one thread that it took, in seconds, or `nil` if another machine or another model
  /// made it, so that the time says nothing.
  public var seconds: Double?
  /// Whether the same model made the attempt, so that the length of its answer is likely to come
  /// again.
  public var isOfSameModel: Bool

  /// Creates a record.
  public init(
    key: AttemptKey, outputTokens: Int, seconds: Double?, isOfSameModel: Bool = true
  ) {
    self.key = key
    self.outputTokens = outputTokens
    self.seconds = seconds
    self.isOfSameModel = isOfSameModel
  }
}

/// The work that one planned attempt is expected to take.
struct PlannedWork: Sendable, Hashable {
  /// The number of prompt tokens that the attempt evaluates itself, because no other attempt has
  /// evaluated them.
  var promptTokens: Double
  /// The number of tokens of the answer.
  var outputTokens: Double
  /// Whether the same model gave an answer of this length to the same test case.
  var isKnown: Bool
  /// The token limit.
  var limit: Double
  /// The expected time of one thread in seconds, or `nil` if nothing is known.
  var seconds: Double?
}

extension PlannedWork {
  /// The usual number of bytes in a token, in prompts and in answers.
  private static let bytesPerToken = 4.0
  private static let bytesPerAnswerToken = 3.3
  /// The share of the token limit that an answer takes if nothing is known about its length.
  private static let shareOfLimit = 0.3

  /// Returns the expected work of each attempt of a plan.
  ///
  /// The length of an answer is that of an earlier answer: to the same repeat, else to the same
  /// test case, else in the same suite. If there is none, it is the length of the stub's answer,
  /// which shows what the author of the suite expects.
  ///
  /// - Parameters:
  ///   - plan: The plan.
  ///   - earlier: The attempts of earlier runs, the most telling ones first.
  static func work(of plan: RunPlan, after earlier: [EarlierWork]) -> [AttemptKey: PlannedWork] {
    let known = Known(earlier)
    var seenSlices: Set<SliceKey> = []
    var work: [AttemptKey: PlannedWork] = [:]
    work.reserveCapacity(plan.attemptCount)
    for job in plan.jobs {
      let request = job.request
      var prompt = Double(request.prompt.utf8.count) / bytesPerToken
      let slice = SliceKey(
        suite: request.suite, variant: request.variant, backend: job.backend)
      // The test cases of a slice share the instructions and the schema.
      if seenSlices.insert(slice).inserted {
        prompt +=
          Double((request.instructions ?? "").utf8.count + request.schema.utf8.count / 3)
          / bytesPerToken
      }
      let limit = Double(request.settings.maximumTokens)
      let written = request.stubScript?.meanLength.map { $0 / bytesPerAnswerToken }
      for repeatSeed in job.repeats {
        let key = job.key(repeatSeed.repeatIndex)
        let mean = known.mean(for: key)
        work[key] = PlannedWork(
          promptTokens: prompt,
          outputTokens: max(1, min(limit, mean.tokens ?? written ?? limit * shareOfLimit)),
          isKnown: mean.isKnown, limit: limit, seconds: mean.seconds)
        prompt = 0
      }
    }
    return work
  }

  /// The means of earlier attempts, by how closely they resemble a planned one.
  private struct Known {
    private struct Sum {
      var tokens = 0.0
      var count = 0.0
      var seconds = 0.0
      var timed = 0.0
      var same = 0.0

      mutating func add(_ work: EarlierWork) {
        tokens += Double(work.outputTokens)
        count += 1
        if work.isOfSameModel { same += 1 }
        guard let seconds = work.seconds else { return }
        self.seconds += seconds
        timed += 1
      }
    }

    private struct Place: Hashable {
      var slice: SliceKey
      var caseID: String?
      var repeatIndex: Int?
    }

    private var sums: [Place: Sum] = [:]

    init(_ earlier: [EarlierWork]) {
      for work in earlier {
        for place in Self.places(of: work.key) { sums[place, default: Sum()].add(work) }
      }
    }

    /// The places from the closest to the widest; the last ones leave out the variant and the
    /// backend.
    private static func places(of key: AttemptKey) -> [Place] {
      let slice = key.slice
      let suite = SliceKey(suite: key.suite, variant: "", backend: "")
      return [
        Place(slice: slice, caseID: key.caseID, repeatIndex: key.repeatIndex),
        Place(slice: slice, caseID: key.caseID), Place(slice: slice),
        Place(slice: suite, caseID: key.caseID), Place(slice: suite),
      ]
    }

    func mean(for key: AttemptKey) -> (tokens: Double?, isKnown: Bool, seconds: Double?) {
      var mean: (tokens: Double?, isKnown: Bool, seconds: Double?) = (nil, false, nil)
      for (rank, place) in Self.places(of: key).enumerated() {
        guard let sum = sums[place] else { continue }
        // The stub, recorded answers and some programs count no tokens.
        if mean.tokens == nil, sum.tokens > 0 {
          mean.tokens = sum.tokens / sum.count
          mean.isKnown = rank < 2 && sum.same == sum.count
        }
        // Another backend may be much faster or slower.
        if mean.seconds == nil, sum.timed > 0, rank < 3 { mean.seconds = sum.seconds / sum.timed }
      }
      return mean
    }
  }
}

extension StubScript {
  /// The mean length of the answers in bytes, or `nil` if there are no answers.
  fileprivate var meanLength: Double? {
    let lengths = entries.compactMap { $0.content?.compactText.utf8.count }
    return lengths.isEmpty ? nil : Double(lengths.reduce(0, +)) / Double(lengths.count)
  }
}
