import EvalRecords
import Synchronization
import Tokenization

/// A collection of earlier answers, from which a backend drafts later answers to the same test
/// cases.
///
/// The answers to a test case often repeat long parts of one another. A draft is a guess at an
/// answer's next tokens, which lets the model evaluate several tokens in one pass. The backend
/// keeps a drafted token only if the sampler chooses the same token anyway, so drafts never change
/// an answer. All workers of a backend share one collection.
public final class AnswerDrafts: Sendable {
  private struct Key: Hashable {
    let suite: String
    let caseID: String
  }

  private struct State {
    /// The answers of this run, keyed by test case, the newest first.
    var answers: [Key: [[TokenID]]] = [:]
    /// The answers of earlier runs, keyed by test case, in the order in which they were added.
    var earlier: [Key: [(of: AttemptKey, text: String)]] = [:]
  }

  /// The maximum number of this run's answers to keep for a test case.
  static let answersOfCase = 16
  /// The maximum number of earlier runs' answers to keep for a test case.
  static let earlierAnswersOfCase = 256
  /// The maximum size of an answer from an earlier run, in bytes.
  static let longestText = 1 << 16

  private let state = Mutex(State())

  /// Creates an empty collection.
  public init() {}

  /// Adds an answer from an earlier run, such as an accepted baseline.
  ///
  /// The method ignores the answer if the collection already has `earlierAnswersOfCase` answers to
  /// the same test case from earlier runs.
  ///
  /// - Parameters:
  ///   - text: The answer. The method ignores an empty text, and a text of more than 64 KiB.
  ///   - attempt: The attempt that produced the answer.
  public func add(_ text: String, of attempt: AttemptKey) {
    guard !text.isEmpty, text.utf8.count <= Self.longestText else { return }
    let key = Key(suite: attempt.suite, caseID: attempt.caseID)
    state.withLock { state in
      guard state.earlier[key]?.count ?? 0 < Self.earlierAnswersOfCase else { return }
      state.earlier[key, default: []].append((attempt, text))
    }
  }

  /// Adds an answer from this run.
  func add(_ tokens: [TokenID], to request: BackendRequest) {
    guard !tokens.isEmpty else { return }
    let key = Key(suite: request.suite, caseID: request.caseID)
    state.withLock { state in
      var answers = state.answers[key] ?? []
      if answers.contains(tokens) { return }
      answers.insert(tokens, at: 0)
      if answers.count > Self.answersOfCase { answers.removeLast() }
      state.answers[key] = answers
    }
  }

  /// Returns this run's answers to a test case, the newest first.
  func answers(to request: BackendRequest) -> [[TokenID]] {
    state.withLock { $0.answers[Key(suite: request.suite, caseID: request.caseID)] ?? [] }
  }

  /// Returns earlier runs' answers to a test case.
  ///
  /// The answers of the request's variant come first.
  ///
  /// - Parameter encode: Turns an answer's text into tokens.
  func earlierAnswers(
    to request: BackendRequest, encode: (String) -> [TokenID]
  ) -> [EarlierAnswer] {
    let known = state.withLock {
      $0.earlier[Key(suite: request.suite, caseID: request.caseID)] ?? []
    }
    let ordered =
      known.filter { $0.of.variant == request.variant }
      + known.filter { $0.of.variant != request.variant }
    return ordered.map {
      EarlierAnswer(
        repeatIndex: $0.of.repeatIndex, bytes: Array($0.text.utf8), tokens: encode($0.text))
    }
  }
}

/// An answer from an earlier run to the same test case.
struct EarlierAnswer {
  /// The index of the repeat that produced the answer.
  let repeatIndex: Int
  /// The answer in UTF-8.
  let bytes: [UInt8]
  /// The tokens into which the tokenizer splits the whole answer.
  let tokens: [TokenID]
}
