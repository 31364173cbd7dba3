import EvalRecords
import StructuredText

extension Check {
  /// The values that `unique` and `sorted` look at: those of the path, or the elements of the one
  /// array that a singular path selects; words instead where there is no list.
  private static func list(
    _ path: ValuePath, in value: JSONValue, at base: ValuePath
  ) -> Result<[(place: ValuePath, value: JSONValue)], NoList> {
    var list: [(place: ValuePath, value: JSONValue)] = []
    for match in path.matches(in: value, at: base) {
      guard let value = match.value else {
        return .failure(NoList(words: "nothing at \(match.path)"))
      }
      if path.isSingular {
        guard let elements = value.array else {
          return .failure(NoList(words: "\(value.typeName) \(ValueWords.short(value))"))
        }
        for (index, element) in elements.enumerated() {
          list.append((match.path.appending(.index(index)), element))
        }
      } else {
        list.append((match.path, value))
      }
    }
    return .success(list)
  }

  private struct NoList: Error { var words: String }

  /// Whether no two values are equal.
  ///
  /// Of nothing it is vacuous, of a single value it holds.
  static func uniqueness(
    of path: ValuePath, in value: JSONValue, at base: ValuePath, normalized: Bool, negated: Bool
  ) -> CheckResult {
    let expected = negated ? "two equal values" : "no two equal values"
    switch list(path, in: value, at: base) {
    case .failure(let none):
      return CheckResult(verdict: .fail, expected: expected, actual: none.words)
    case .success(let list):
      guard !list.isEmpty else {
        return CheckResult(verdict: .vacuous, expected: expected, actual: "no values at \(path)")
      }
      var seen: [JSONValue: ValuePath] = [:]
      for (place, value) in list {
        let key = normalized ? Self.normalized(value) : value
        if let first = seen[key] {
          return CheckResult(
            verdict: negated ? .pass : .fail, expected: expected,
            actual: "\(ValueWords.short(value)) at \(first) and at \(place)")
        }
        seen[key] = place
      }
      return CheckResult(
        verdict: negated ? .fail : .pass, expected: expected,
        actual: ValueWords.counted(list.count, "different value"))
    }
  }

  /// A text without letter case, punctuation and the amount of white space.
  private static func normalized(_ value: JSONValue) -> JSONValue {
    guard let text = value.string else { return value }
    let words = text.uppercased().lowercased()
      .split { !($0.isLetter || $0.isNumber || $0.isSymbol) }
    return .string(words.joined(separator: " "))
  }

  /// Whether neighbours never go the wrong way.
  ///
  /// Numbers are compared by value, strings by their
  /// Unicode scalars, which sorts ISO 8601 dates.
  static func order(
    of path: ValuePath, in value: JSONValue, at base: ValuePath, descending: Bool, negated: Bool
  ) -> CheckResult {
    let expected = Check.sorted(path, descending: descending).expectation(negated: negated)
    switch list(path, in: value, at: base) {
    case .failure(let none):
      return CheckResult(verdict: .fail, expected: expected, actual: none.words)
    case .success(let list):
      guard !list.isEmpty else {
        return CheckResult(verdict: .vacuous, expected: expected, actual: "no values at \(path)")
      }
      for (left, right) in zip(list, list.dropFirst()) {
        let (low, high) = descending ? (right.value, left.value) : (left.value, right.value)
        guard let isMisplaced = Self.isLess(high, low) else {
          return CheckResult(
            verdict: .fail, expected: expected,
            actual: "\(left.value.typeName) beside \(right.value.typeName) at \(right.place)")
        }
        if isMisplaced {
          return CheckResult(
            verdict: negated ? .pass : .fail, expected: expected,
            actual: "\(ValueWords.short(left.value)) before \(ValueWords.short(right.value)) "
              + "at \(right.place)")
        }
      }
      return CheckResult(
        verdict: negated ? .fail : .pass, expected: expected,
        actual: "\(ValueWords.counted(list.count, "value")) in order")
    }
  }

  private static func isLess(_ left: JSONValue, _ right: JSONValue) -> Bool? {
    switch (left, right) {
    case (.number(let left), .number(let right)): NumberBounds.isLess(left, right)
    case (.string(let left), .string(let right)):
      left.unicodeScalars.lexicographicallyPrecedes(right.unicodeScalars)
    default: nil
    }
  }
}
