import EvalRecords
import Synchronization
import Tokenization

/// The earlier answers to test cases, which later answers may repeat for long stretches.
///
/// A draft only suggests which tokens to evaluate in one pass. An answer keeps only the tokens that
/// it samples anyway, so it never depends on drafts. All workers of a backend share one collection.
public final class AnswerDrafts: Sendable {
  private struct Key: Hashable {
    let suite: String
    let caseID: String
  }

  private struct State {
    /// Answers of this run by test case, the newest first.
    var answers: [Key: [[TokenID]]] = [:]
    /// Answers of earlier runs, as texts.
    var texts: [Key: [String]] = [:]
  }

  /// The maximum number of answers to keep for a test case.
  static let answersOfCase = 16
  /// The maximum size of an answer from an earlier run, in bytes.
  static let longestText = 1 << 16

  private let state = Mutex(State())

  /// Creates an empty collection.
  public init() {}

  /// Adds an answer of an earlier run, such as an accepted baseline.
  ///
  /// - Parameters:
  ///   - text: The answer; a very long one is ignored.
  ///   - suite: The suite's id.
  ///   - caseID: The test case's id.
  public func add(_ text: String, suite: String, caseID: String) {
    guard !text.isEmpty, text.utf8.count <= Self.longestText else { return }
    let key = Key(suite: suite, caseID: caseID)
    state.withLock { state in
      var texts = state.texts[key] ?? []
      guard texts.count < Self.answersOfCase, !texts.contains(text) else { return }
      texts.append(text)
      state.texts[key] = texts
    }
  }

  /// Adds an answer of this run.
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

  /// Returns the answers of this run to a test case, the newest first.
  func answers(to request: BackendRequest) -> [[TokenID]] {
    state.withLock { $0.answers[Key(suite: request.suite, caseID: request.caseID)] ?? [] }
  }

  /// Returns the answers of earlier runs to a test case.
  func texts(for request: BackendRequest) -> [String] {
    state.withLock { $0.texts[Key(suite: request.suite, caseID: request.caseID)] ?? [] }
  }
}
