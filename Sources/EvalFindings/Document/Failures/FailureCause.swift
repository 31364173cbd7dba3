import EvalRecords
import EvalStatistics

/// A cause of failures, with the number of failed attempts in each place.
///
/// Answers that were cut off at different places all have the same cause. The failures of two
/// assertions have two causes, although both causes are of the same kind:
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
package struct FailureCause: Sendable {
  /// The kind of failure, with a text that distinguishes causes of the same kind.
  package struct Identity: Sendable, Hashable {
    package let kind: FailureKind
    /// The path, the assertion's name or the type of the error, or an empty string if all failures
    /// of the kind have the same cause.
    package var subject = ""
    /// The unit that the assertion counted, such as `sentences`, or an empty string if the value
    /// itself is out of bounds.
    package var counted = ""
  }

  /// A suite in one variant on one backend, with its failures from one cause.
  package struct Place: Sendable {
    package let slice: SliceKey
    package let name: String
    /// The clusters that belong to this place and cause, as indices into the run's clusters,
    /// largest cluster first.
    package let clusters: [Int]
    /// The number of attempts here that failed because of this cause.
    package let failed: Int
    /// The number of all attempts here.
    package let attempts: Int
    /// The number of test cases with a failure that has this cause.
    package let cases: Int

    /// The share of the attempts here that failed because of this cause.
    package var share: Share { Share(failed, of: attempts) }
  }

  package let identity: Identity
  /// The URL fragment of the cause: `k-cutOff`, `k-assertion-2`.
  package let id: String
  /// The places where attempts failed because of this cause, most failures first.
  package let places: [Place]
  package let failed: Int
  /// Whether reports always list the cause and show it expanded.
  ///
  /// The value is `true` if suites exist mainly to find this kind of failure, or if the failed
  /// assertion is a guardrail.
  package let isGuarded: Bool

  package var kind: FailureKind { identity.kind }

  /// The URL fragment of the place with this index in `places`.
  package func id(ofPlace number: Int) -> String { "\(id)-in-\(number + 1)" }

  /// The same cause in one slice, or `nil` if no attempt there failed because of it.
  package func within(_ slice: SliceKey) -> FailureCause? { within([slice]) }

  /// The same cause in some slices, or `nil` if no attempt there failed because of it.
  package func within(_ slices: Set<SliceKey>) -> FailureCause? {
    let own = places.filter { slices.contains($0.slice) }
    return own.isEmpty
      ? nil
      : FailureCause(
        identity: identity, id: id, places: own, failed: own.reduce(0) { $0 + $1.failed },
        isGuarded: isGuarded)
  }
}

extension FailureCluster {
  /// The cause that the cluster belongs to.
  package var cause: FailureCause.Identity {
    switch kind {
    case .emptyArray, .wrongBranch, .vacuous, .cutOff, .contextFull, .refusal, .malformed:
      .init(kind: kind)
    case .arrayLength: .init(kind: kind, subject: path)
    case .bounds: .init(kind: kind, subject: path, counted: type == "range" ? "" : type)
    case .assertion: .init(kind: kind, subject: assertion)
    case .error: .init(kind: kind, subject: type)
    }
  }
}
