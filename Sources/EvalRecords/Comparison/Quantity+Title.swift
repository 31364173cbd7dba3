/// The names of quantities, by which tables show them and acknowledgements name them.
extension Quantity {
  /// Returns the quantity as a title in tables: `P(empty) at $.cards`.
  package func title(_ evidence: Evidence) -> String {
    switch (evidence, self) {
    case (_, .passRate): return "pass rate"
    case (.counted, .emptyArray(let path)): return "empty \(path)"
    case (.measured, .emptyArray(let path)): return "P(empty) at \(path)"
    case (.counted, .missingArray(let path)): return "missing \(path)"
    case (.measured, .missingArray(let path)): return "P(missing) at \(path)"
    case (.counted, .shortArray(let minimum, let path)):
      return "fewer than \(minimum) at \(path)"
    case (.measured, .shortArray(let minimum, let path)):
      return "P(fewer than \(minimum)) at \(path)"
    case (.counted, .wrongBranch(let path)): return "wrong branch at \(path)"
    case (.measured, .wrongBranch(let path)): return "P(wrong branch) at \(path)"
    case (.counted, .missedBranch(let branch, let path)): return "missed \(branch) at \(path)"
    case (.measured, .missedBranch(let branch, let path)): return "P(not \(branch)) at \(path)"
    case (.counted, .failedAssertion(let name, _)): return "failures of \(name)"
    case (.measured, .failedAssertion(let name, _)): return "P(failure of \(name))"
    case (_, .validOutput): return "valid output"
    case (_, .arrayLength(let path)): return "length within bounds at \(path)"
    }
  }
}

extension EffectRecord {
  /// The quantity as a title in tables: `P(empty) at $.cards`.
  package var title: String {
    quantity == .passRate && reference == .pooledHistory
      ? "pass rate against pooled history" : quantity.title(evidence)
  }
}
