import StructuredText

/// The form of a complete answer: the lengths of its arrays, and the branches that it took.
///
/// The judge determines the shape once, from the value that it judges. Comparisons, reports and
/// SQL views read it here, and don't parse the answer again.
public struct AnswerShape: Sendable, Hashable {
  /// The lengths of the arrays in document order, keyed by the pattern of the array's place:
  /// `$.days` → [2], `$.days[*].meals` → [3, 0].
  public var lengths: [String: [Int]] = [:]
  /// The branches at the places where the test case expects one, keyed by place.
  ///
  /// A branch is the string at the place or, for a payload enum, the string under the key `type`.
  /// If the value has neither, the place is missing.
  public var branches: [String: String] = [:]

  /// Creates a shape.
  ///
  /// - Parameters:
  ///   - lengths: The lengths of the arrays, keyed by pattern.
  ///   - branches: The branches, keyed by place.
  package init(lengths: [String: [Int]] = [:], branches: [String: String] = [:]) {
    self.lengths = lengths
    self.branches = branches
  }

  /// Creates the shape of a value.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - expected: The branches that the test case expects.
  package init(of value: JSONValue, expecting expected: [ExpectedBranch]) {
    addLengths(of: value, at: "$")
    for place in Set(expected.map(\.path)) {
      let found = (try? JSONPlace(parsing: place))?.value(in: value)
      branches[place] = found.flatMap { $0.string ?? $0["type"]?.string }
    }
  }

  /// Returns whether the answer lacks an array that the schema names, because the array or a value
  /// around it is absent or null.
  ///
  /// An array inside the elements of another array is missing if any element lacks it. The result
  /// is `nil` if there is no such element, so that nothing can lack the array.
  ///
  /// - Parameter array: The array, which is not in an alternative of a union.
  package func isMissing(_ array: SchemaDocument.ArrayPlace) -> Bool? {
    let places = array.parent.map { lengths[$0, default: []].reduce(0, +) } ?? 1
    return places == 0 ? nil : lengths[array.path, default: []].count < places
  }

  private mutating func addLengths(of value: JSONValue, at pattern: String) {
    // The parser limits the nesting, so it also limits the depth of this recursion.
    switch value {
    case .array(let elements):
      lengths[pattern, default: []].append(elements.count)
      let inner = pattern + JSONPlace.Step.wildcard.text
      for element in elements { addLengths(of: element, at: inner) }
    case .object(let members):
      // Only arrays and objects can contain arrays, so no other member needs a place.
      for (name, member) in members where member.array != nil || member.object != nil {
        addLengths(of: member, at: pattern + JSONPlace.Step.name(name).text)
      }
    case .null, .bool, .number, .string: break
    }
  }
}

extension AnswerShape: Codable {
  private enum CodingKeys: CodingKey {
    case lengths, branches
  }

  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    lengths = try values.decodeIfPresent([String: [Int]].self, forKey: .lengths) ?? [:]
    branches = try values.decodeIfPresent([String: String].self, forKey: .branches) ?? [:]
  }

  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    if !lengths.isEmpty { try values.encode(lengths, forKey: .lengths) }
    if !branches.isEmpty { try values.encode(branches, forKey: .branches) }
  }
}
