import EvalRecords

/// A cause of failures, with the attempts that failed for it and where.
///
/// Answers that were cut off end at a different place each time, but have one cause: all of them
/// were cut off. Failures of two assertions have two causes, although both are of the same kind:
///
/// ```
/// 78  cut off at the token limit
///     22 of 60  flashcards:enforced
///               14  in $.cards[*].question
///  7  “confidence from 0 to 100” failed
///      7 of 14  cocktail
/// ```
///
/// The headline, the first screen and the tree of failures all count the same causes.
struct FailureCause: Sendable {
  /// The kind of failure and, for kinds with several causes, the cause among them.
  struct Identity: Sendable, Hashable {
    let kind: FailureKind
    /// The path, the assertion's name or the type of the error; empty if the kind is the cause.
    var subject = ""
  }

  /// A suite in one variant on one backend, with its failures for one cause.
  struct Place: Sendable {
    let slice: SliceKey
    let name: String
    /// The indices of its groups among the run's clusters, the largest group first.
    let clusters: [Int]
    /// The number of its attempts that failed for the cause.
    let failed: Int
    /// The number of its attempts.
    let attempts: Int
    /// The number of test cases among those that failed.
    let cases: Int

    /// The failures as a share of the suite's attempts.
    var share: Share { Share(failed, of: attempts) }
  }

  let identity: Identity
  /// The fragment of the cause: `k-cutOff`, `k-assertion-2`.
  let id: String
  /// The places where it happened, the most failures first.
  let places: [Place]
  let failed: Int
  /// Whether a suite guards against it.
  let isGuarded: Bool

  var kind: FailureKind { identity.kind }

  /// The fragment of a place, by its number.
  func id(ofPlace number: Int) -> String { "\(id)-in-\(number + 1)" }

  /// The same cause in one slice; nil if nothing failed for it there.
  func within(_ slice: SliceKey) -> FailureCause? {
    places.first { $0.slice == slice }.map {
      FailureCause(
        identity: identity, id: id, places: [$0], failed: $0.failed, isGuarded: isGuarded)
    }
  }
}

extension FailureCluster {
  /// The cause that the group belongs to.
  var cause: FailureCause.Identity {
    switch kind {
    case .emptyArray, .wrongBranch, .vacuous, .cutOff, .refusal, .malformed: .init(kind: kind)
    case .arrayLength, .bounds: .init(kind: kind, subject: path)
    case .assertion: .init(kind: kind, subject: assertion)
    case .error: .init(kind: kind, subject: type)
    }
  }
}
