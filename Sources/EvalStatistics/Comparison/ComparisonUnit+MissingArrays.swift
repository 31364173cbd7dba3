import EvalRecords

extension ComparisonUnit {
  /// One effect for each array that an answer of either side lacks.
  ///
  /// An answer without an array is at least as bad as one with an empty array, so these shares gate
  /// too. Only answers that fit their schema count, so there is no effect on an array that the
  /// schemas require.
  func missingArrays(_ shapes: Shapes) -> [CountedEffect] {
    namedArrays.compactMap { array in
      let outcomes = outcomes { index, isCandidate, attempt in
        guard attempt.failure == nil else { return nil }
        let shape = isCandidate ? shapes.candidate[index] : shapes.baseline[index]
        return shape?.isMissing(array)
      }
      // If no answer has the array, there is nothing to compare.
      guard outcomes.contains(where: { $0.baseline || $0.candidate }),
        !outcomes.allSatisfy({ $0.baseline && $0.candidate })
      else { return nil }
      return CountedEffect(
        quantity: .missingArray(path: array.path), subject: .emptyArray, isGating: true,
        showsGood: false, outcomes: outcomes)
    }
  }

  /// The arrays that the schemas of both sides name, without those in an alternative of a union,
  /// which an answer lacks if it takes another alternative.
  private var namedArrays: [SchemaDocument.ArrayPlace] {
    func arrays(_ slice: ComparisonSlice) -> [SchemaDocument.ArrayPlace] {
      guard let schema = slice.suite.answerSchemas[slice.variant] else { return [] }
      return SchemaDocument(schema: schema).arrays.filter { !$0.isOfAlternative }
    }
    let after = Set(arrays(candidate).map(\.path))
    return arrays(baseline).filter { after.contains($0.path) }
  }
}
