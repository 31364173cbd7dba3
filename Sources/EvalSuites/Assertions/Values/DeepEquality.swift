package import StructuredText

/// A definition of when two values are equal.
package struct DeepEquality: Sendable, Hashable {
  /// The maximum difference between two numbers that count as equal.
  package var tolerance = JSONNumber(0)
  /// Whether the order of an array's elements is ignored.
  package var ignoresOrder = false
  /// Whether objects may have more members than expected.
  package var allowsMore = false
  /// The names of the object members to ignore, at any depth.
  package var ignored: Set<String> = []
  /// Whether strings are compared without regard to case.
  package var ignoresCase = false

  /// A place at which two values differ.
  struct Difference: Hashable {
    var place: JSONPlace
    var expected: String
    /// The value at the place, or `nil` if the array there lacks the expected element.
    var actual: String?
  }

  /// The result of comparing two values.
  enum Outcome: Hashable {
    /// The first few differences, and the count of all differences, which is 0 if the values are
    /// equal.
    case differences([Difference], count: Int)
    /// The values are too large to compare.
    case tooLarge
  }

  /// The maximum number of differences to list.
  private static let maximumNamed = 3
  /// The maximum number of pairs of values to compare.
  private static let maximumPairs = 200_000
  /// The maximum size of an array that is compared without regard to order.
  private static let maximumElements = 256

  /// Compares a value with the expected value.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - expected: The expected value.
  /// - Returns: `tooLarge`, or the first differences and the number of all differences.
  func compare(_ value: JSONValue, with expected: JSONValue) -> Outcome {
    var comparer = Comparer(rules: self)
    comparer.compare(value, expected, at: JSONPlace(steps: []))
    if comparer.isTooLarge { return .tooLarge }
    return .differences(comparer.named, count: comparer.count)
  }

  private struct Comparer {
    let rules: DeepEquality
    var named: [Difference] = []
    var count = 0
    var pairs = 0
    var isTooLarge = false

    mutating func add(_ place: JSONPlace, _ expected: String, _ actual: String?) {
      count += 1
      if named.count < DeepEquality.maximumNamed {
        named.append(Difference(place: place, expected: expected, actual: actual))
      }
    }

    mutating func compare(_ value: JSONValue, _ expected: JSONValue, at place: JSONPlace) {
      pairs += 1
      guard pairs <= DeepEquality.maximumPairs else {
        isTooLarge = true
        return
      }
      switch (value, expected) {
      case (.object(let members), .object(let wanted)):
        for (key, member) in wanted.members where !rules.ignored.contains(key) {
          let inside = place.appending(.name(key))
          if let found = members[key] {
            compare(found, member, at: inside)
          } else {
            add(inside, ValueWords.short(member), "nothing")
          }
        }
        guard !rules.allowsMore else { return }
        for (key, member) in members.members
        where !rules.ignored.contains(key) && wanted[key] == .none {
          add(place.appending(.name(key)), "nothing", ValueWords.short(member))
        }
      case (.array(let elements), .array(let wanted)):
        if rules.ignoresOrder {
          compareBags(elements, wanted, at: place)
        } else {
          for index in 0..<max(elements.count, wanted.count) {
            let inside = place.appending(.index(index))
            if index >= elements.count {
              add(inside, ValueWords.short(wanted[index]), "nothing")
            } else if index >= wanted.count {
              add(inside, "nothing", ValueWords.short(elements[index]))
            } else {
              compare(elements[index], wanted[index], at: inside)
            }
          }
        }
      default:
        if !isSameScalar(value, expected) {
          add(place, ValueWords.short(expected), ValueWords.short(value))
        }
      }
    }

    private func isSameScalar(_ value: JSONValue, _ expected: JSONValue) -> Bool {
      switch (value, expected) {
      case (.number(let left), .number(let right)):
        left.isWithin(rules.tolerance, of: right)
      case (.string(let left), .string(let right)) where rules.ignoresCase:
        left.uppercased().lowercased() == right.uppercased().lowercased()
      default: value == expected
      }
    }

    /// Matches each expected element with a different equal element.
    ///
    /// With tolerances and additional members, equality isn't transitive. So an element is
    /// reassigned if that lets another expected element find a match (Kuhn's algorithm for
    /// bipartite matching).
    private mutating func compareBags(
      _ elements: [JSONValue], _ wanted: [JSONValue], at place: JSONPlace
    ) {
      guard max(elements.count, wanted.count) <= DeepEquality.maximumElements else {
        isTooLarge = true
        return
      }
      var fits: [[Int]] = []
      for expected in wanted {
        var partners: [Int] = []
        for (index, element) in elements.enumerated() where isSame(element, expected) {
          partners.append(index)
        }
        fits.append(partners)
      }
      var owner = [Int?](repeating: nil, count: elements.count)
      func assign(_ index: Int, _ seen: inout Set<Int>) -> Bool {
        for partner in fits[index] where seen.insert(partner).inserted {
          let other = owner[partner]
          if other.map({ assign($0, &seen) }) ?? true {
            owner[partner] = index
            return true
          }
        }
        return false
      }
      for index in wanted.indices {
        var seen: Set<Int> = []
        if !assign(index, &seen) { add(place, ValueWords.short(wanted[index]), nil) }
      }
      for (index, element) in elements.enumerated() where owner[index] == nil {
        add(place.appending(.index(index)), "nothing", ValueWords.short(element))
      }
    }

    private mutating func isSame(_ value: JSONValue, _ expected: JSONValue) -> Bool {
      var inner = Comparer(rules: rules, pairs: pairs)
      inner.compare(value, expected, at: JSONPlace(steps: []))
      pairs = inner.pairs
      if inner.isTooLarge { isTooLarge = true }
      return inner.count == 0
    }
  }
}
