import StructuredText

extension SuiteRecord {
  /// Returns a function that decides whether a test case has the same input in this record and in
  /// another one.
  ///
  /// The input consists of the variables that a prompt of either record uses; all variables count
  /// if no prompt uses any. The other variables are expectations, which only assertions read.
  ///
  /// - Parameter other: The other record.
  package func comparesInputs(
    with other: SuiteRecord
  ) -> (_ own: CaseRecord, _ others: CaseRecord) -> Bool {
    let prompted = promptedVariables.union(other.promptedVariables)
    return { own, others in
      let (left, right) = variables(own, other, others)
      guard left != right else { return true }
      guard !prompted.isEmpty, let before = left.object, let after = right.object else {
        return false
      }
      return prompted.allSatisfy { before[$0] == after[$0] }
    }
  }

  /// Returns whether a test case has the variables of this record, with the same values, in a newer
  /// record too.
  ///
  /// - Parameters:
  ///   - own: The test case in this record.
  ///   - newer: The newer record.
  ///   - others: The test case in the newer record.
  package func keepsVariables(
    _ own: CaseRecord, _ newer: SuiteRecord, _ others: CaseRecord
  ) -> Bool {
    let (left, right) = variables(own, newer, others)
    guard left != right else { return true }
    guard let before = left.object, let after = right.object else { return false }
    return before.members.allSatisfy { after[$0.key] == $0.value }
  }

  /// Returns the variables of a test case in two records, both as digests if only one record has
  /// digests in place of its inputs.
  private func variables(
    _ own: CaseRecord, _ other: SuiteRecord, _ others: CaseRecord
  ) -> (JSONValue, JSONValue) {
    let hasDigests = (details.store == .digests, other.details.store == .digests)
    guard hasDigests.0 != hasDigests.1, own.variables != others.variables else {
      return (own.variables, others.variables)
    }
    let withholding = Withholding(schema: nil)
    return hasDigests.0
      ? (own.variables, withholding.value(others.variables))
      : (withholding.value(own.variables), others.variables)
  }

  /// The variables that the prompts of the variants use.
  private var promptedVariables: Set<String> {
    let names = variants.flatMap { variant in
      variant.promptTemplate.unicodeScalars
        .split(separator: "{{".unicodeScalars, omittingEmptySubsequences: false).dropFirst()
        .compactMap { $0.split(separator: "}}".unicodeScalars, maxSplits: 1).first }
    }
    return Set(names.map { String(Substring($0).trimmingWhitespace) })
  }
}

extension Substring {
  /// The text without white space at the beginning and the end.
  fileprivate var trimmingWhitespace: Substring {
    let start = drop(while: \.isWhitespace)
    return start.lastIndex { !$0.isWhitespace }.map { start[...$0] } ?? ""
  }
}
