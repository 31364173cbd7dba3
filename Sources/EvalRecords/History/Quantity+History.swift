import StructuredText

/// The names of quantities in `history.jsonl`, which docs/history-format.md documents.
extension Quantity {
  /// The kind and the subject, or `nil` for a quantity that the history doesn't have.
  var historyNames: (kind: String, subject: String)? {
    switch self {
    case .emptyArray(let path): ("emptyArrays", path)
    case .missingArray(let path): ("missingArrays", path)
    case .arrayLength(let path): ("arrayLength", path)
    case .wrongBranch(let path): ("wrongBranch", path)
    case .missedBranch(let branch, let path): ("outRecall", "\(path) \(branch)")
    case .passRate, .shortArray, .failedAssertion, .validOutput: nil
    }
  }

  /// Creates a quantity from its names, or returns `nil` if this version doesn't know the kind.
  init?(historyKind kind: String, subject: String) {
    switch kind {
    case "emptyArrays": self = .emptyArray(path: JSONPlace.canonical(subject))
    case "missingArrays": self = .missingArray(path: JSONPlace.canonical(subject))
    case "arrayLength": self = .arrayLength(path: JSONPlace.canonical(subject))
    case "wrongBranch": self = .wrongBranch(path: JSONPlace.canonical(subject))
    case "outRecall":
      // Quoted names in the path may contain spaces, and so may the branch.
      let (place, rest) = JSONPlace.beginning(of: subject)
      guard rest.first == " " else { return nil }
      self = .missedBranch(String(rest.dropFirst()), path: place.description)
    default: return nil
    }
  }
}
