import EvalRecords
import StructuredText

/// Attempts of one slice that all failed for the same reason.
package struct FailureCluster: Sendable {
  package let slice: SliceKey
  package let sliceName: String
  package let kind: FailureKind
  /// The type of the assertion that failed, or the kind of failure if no assertion failed.
  package let type: String
  package let path: String
  /// The name of the assertion that failed, or an empty string if none failed.
  package let assertion: String
  package let expected: String
  /// The actual value or the error message, or an empty string if it may differ between the
  /// attempts.
  package let actual: String
  /// The actual value that the failed assertion found in the first attempt, or an empty string if
  /// no assertion failed.
  package let example: String
  /// The indices of the attempts in ``RunSummary/attempts``.
  package let attempts: [Int]
  /// The number of test cases that these attempts belong to.
  package let cases: Int

  /// The URL fragment of the cluster's drill-down.
  package let id: String

  /// The failure in one line: `$.cards: 0 elements, expected 3...8 elements`.
  package var title: String {
    title(attempts.count > 1 && !example.isEmpty ? "for example \(example)" : example)
  }

  /// The failure of one of the attempts in one line.
  package func title(of attempt: AttemptRecord) -> String {
    title(Self.normalized(attempt.firstFailure?.actual ?? "", limit: 100))
  }

  private func title(_ found: String) -> String {
    switch kind {
    case .error, .refusal, .malformed:
      let words = AttemptFailure.Kind(rawValue: type)?.words ?? type
      return actual.isEmpty || actual.hasPrefix(words) ? max(actual, words) : "\(words): \(actual)"
    case .cutOff: return path == "$" ? "cut off" : "cut off in \(path)"
    case .contextFull: return path == "$" ? "context full" : "context full in \(path)"
    case .wrongBranch where !actual.isEmpty:
      return (path == "$" ? "" : path + ": ") + "\(actual) instead of \(expected)"
    case .vacuous: return "there was nothing to check: every assertion was vacuous"
    default:
      let subject = path == "$" ? assertion : path
      if !actual.isEmpty { return "\(subject): \(actual), expected \(expected)" }
      return "\(subject): expected \(expected)" + (found.isEmpty ? "" : "; \(found)")
    }
  }

  /// The key for finding the same reason in another slice.
  package var reason: [String] { [type, path, expected, actual] }

  private static let maximumClusters = 500

  private struct Key: Hashable {
    var slice: Int
    var kind: FailureKind
    var type: String
    var path: String
    var assertion: String
    var expected: String
    var actual: String
  }

  /// Returns the failed attempts, grouped by the reason for the failure, largest cluster first.
  ///
  /// The reason is the first of these that applies:
  /// - The answer was cut off.
  /// - The attempt ended in an error or without a valid value.
  /// - An assertion failed.
  /// - Every assertion was vacuous.
  package static func clusters(
    slices: [SliceSummary], attempts: [AttemptRecord]
  ) -> (clusters: [FailureCluster], ofAttempt: [Int32]) {
    var groups: [Key: [Int]] = [:]
    var order: [Key] = []
    for (number, slice) in slices.enumerated() {
      for index in slice.range {
        guard var key = key(of: attempts[index], slice: number) else { continue }
        if groups[key] == nil, order.count >= maximumClusters {
          (key.actual, key.expected, key.path) = ("", "", "$")
        }
        if groups[key] == nil { order.append(key) }
        groups[key, default: []].append(index)
      }
    }
    let sorted = order.sorted { left, right in
      let (first, second) = (groups[left]?.count ?? 0, groups[right]?.count ?? 0)
      return first == second ? left.kind < right.kind : first > second
    }
    var ofAttempt = [Int32](repeating: -1, count: attempts.count)
    let clusters = sorted.enumerated().map { number, key in
      let members = groups[key] ?? []
      var cases: Set<String> = []
      for member in members {
        ofAttempt[member] = Int32(number)
        cases.insert(attempts[member].key.caseID)
      }
      let example = members.first.flatMap { member in
        attempts[member].firstFailure?.actual
      }
      return FailureCluster(
        slice: slices[key.slice].key, sliceName: slices[key.slice].name, kind: key.kind,
        type: key.type, path: key.path, assertion: key.assertion, expected: key.expected,
        actual: key.actual, example: normalized(example ?? "", limit: 100), attempts: members,
        cases: cases.count, id: "f-\(number + 1)")
    }
    return (clusters, ofAttempt)
  }

  private static func key(of attempt: AttemptRecord, slice: Int) -> Key? {
    guard attempt.outcome == .fail || attempt.outcome == .error else { return nil }
    var key = Key(
      slice: slice, kind: .vacuous, type: "vacuous", path: "$", assertion: "", expected: "",
      actual: "")
    if attempt.isCutOff {
      let isFull = attempt.hasFullContext
      key.kind = isFull ? .contextFull : .cutOff
      key.type = (isFull ? AttemptFailure.Kind.contextSizeExceeded : .truncated).rawValue
      key.path = normalized(
        JSONPlace.pattern(attempt.details.cut?.path ?? "$"), limit: 200)
    } else if attempt.outcome == .error || attempt.failure != nil {
      key.kind = FailureKind(attempt.failure?.kind)
      key.type = attempt.failure?.kind.rawValue ?? "error"
      // A syntax error is at a different place in each answer, so its message can't be the reason.
      let message =
        attempt.failure?.kind == .malformedOutput ? "" : attempt.failure?.message ?? ""
      key.actual = normalized(JSONPlace.pattern(message), limit: 120)
    } else if let verdict = attempt.firstFailure {
      key.kind = FailureKind(verdict, of: attempt)
      key.type = normalized(verdict.type, limit: 60)
      key.path = normalized(JSONPlace.pattern(verdict.path), limit: 200)
      key.assertion = normalized(verdict.assertion, limit: 200)
      if key.kind == .wrongBranch {
        // The verdict quotes the names of branches; the cluster has the plain names.
        key.expected = normalized(verdict.expected.unquoted, limit: 120)
        key.actual = normalized(verdict.actual.unquoted, limit: 60)
      } else {
        key.expected = normalized(verdict.expected, limit: 120)
        if isEnumerable(verdict.type), verdict.actual.utf8.count <= 60 {
          key.actual = normalized(verdict.actual, limit: 60)
        }
      }
    }
    return key
  }

  /// Whether assertions of a type report few different values, so that each value gets its own
  /// cluster.
  private static func isEnumerable(_ type: String) -> Bool {
    switch type {
    case "count", "branch", "oneOf", "equals", "present", "absent", "isNull", "nonEmpty", "not":
      true
    default: false
    }
  }

  /// The beginning of a text, with `…` if it was cut.
  ///
  /// Texts that differ only after the cut become equal.
  private static func normalized(_ text: String, limit: Int) -> String {
    ClippedText(text, limit: limit).marked
  }
}

extension String {
  /// A name without the backticks that descriptions put around it.
  fileprivate var unquoted: String {
    guard count > 2, hasPrefix("`"), hasSuffix("`"), !dropFirst().dropLast().contains("`") else {
      return self
    }
    return String(dropFirst().dropLast())
  }
}
