import StructuredText

/// What counts as the same value.
package struct DeepEquality: Sendable, Hashable {
  /// How far numbers may lie from each other.
  package var tolerance: Double = 0
  /// Whether arrays are compared as bags.
  package var ignoresOrder = false
  /// Whether objects may have more members than are expected.
  package var allowsMore = false
  /// Names of members that are not compared, at any depth.
  package var ignored: Set<String> = []
  /// Whether `A` equals `a` in texts.
  package var ignoresCase = false

  /// A place at which two values differ.
  struct Difference: Hashable {
    var place: ValuePath
    var expected: String
    var actual: String
  }

  /// How two values differ.
  enum Outcome: Hashable {
    /// The first differences, and how many there are.
    case differences([Difference], count: Int)
    /// The values are too large to be compared without regard to order.
    case tooLarge
  }

  /// The most differences that are named.
  private static let maximumNamed = 3
  /// The most pairs of values that are compared.
  private static let maximumPairs = 200_000
  /// The most elements of an array that is compared as a bag.
  private static let maximumElements = 256

  /// Compares a value with the one that is expected.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - expected: The one that is expected.
  /// - Returns: Where they differ; no differences where they are the same.
  func compare(_ value: JSONValue, with expected: JSONValue) -> Outcome {
    var comparer = Comparer(rules: self)
    comparer.compare(value, expected, at: ValuePath(steps: []))
    if comparer.isTooLarge { return .tooLarge }
    return .differences(comparer.named, count: comparer.count)
  }

  private struct Comparer {
    let rules: DeepEquality
    var named: [Difference] = []
    var count = 0
    var pairs = 0
    var isTooLarge = false

    mutating func add(_ place: ValuePath, _ expected: String, _ actual: String) {
      count += 1
      if named.count < DeepEquality.maximumNamed {
        named.append(Difference(place: place, expected: expected, actual: actual))
      }
    }

    mutating func compare(_ value: JSONValue, _ expected: JSONValue, at place: ValuePath) {
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
        left == right || abs(left.double - right.double) <= rules.tolerance
      case (.string(let left), .string(let right)) where rules.ignoresCase:
        left.uppercased().lowercased() == right.uppercased().lowercased()
      default: value == expected
      }
    }

    /// Finds for every expected element another one that is the same.
    ///
    /// What is the same need not be so transitively, because of tolerances and members that are
    /// allowed: a partner is given up where that helps another element (Kuhn's algorithm).
    private mutating func compareBags(
      _ elements: [JSONValue], _ wanted: [JSONValue], at place: ValuePath
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
        if !assign(index, &seen) { add(place, ValueWords.short(wanted[index]), "not among them") }
      }
      for (index, element) in elements.enumerated() where owner[index] == nil {
        add(place.appending(.index(index)), "nothing", ValueWords.short(element))
      }
    }

    private mutating func isSame(_ value: JSONValue, _ expected: JSONValue) -> Bool {
      var inner = Comparer(rules: rules, pairs: pairs)
      inner.compare(value, expected, at: ValuePath(steps: []))
      pairs = inner.pairs
      if inner.isTooLarge { isTooLarge = true }
      return inner.count == 0
    }
  }
}
