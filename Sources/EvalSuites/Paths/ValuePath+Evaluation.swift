import StructuredText

/// One place that a path selects in a value.
public struct PathMatch: Sendable, Hashable {
  /// The place, a path without wildcards.
  ///
  /// Where nothing is there, the first step that failed.
  public var path: ValuePath
  /// The value; nil where the value has nothing at the place.
  public var value: JSONValue?

  /// Makes a match.
  public init(path: ValuePath, value: JSONValue?) {
    self.path = path
    self.value = value
  }
}

extension ValuePath {
  /// The places that the path selects, those included at which nothing is.
  ///
  /// ```
  /// $.cards[*].answer  in  {"cards":[{"answer":"a"},{}]}
  ///   → $.cards[0].answer "a",  $.cards[1].answer nothing
  /// the same           in  {"cards":[]}   → no places: "for all" is vacuous
  /// the same           in  {}             → $.cards nothing
  /// ```
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - base: Where the value itself is; the places begin with it.
  /// - Returns: The places in document order.
  /// - Complexity: Linear in the number of selected places times the number of steps.
  public func matches(in value: JSONValue, at base: ValuePath = .root) -> [PathMatch] {
    var matches = [PathMatch(path: base, value: value)]
    for step in steps {
      var next: [PathMatch] = []
      for match in matches {
        guard let value = match.value else {
          next.append(match)
          continue
        }
        switch (step, value) {
        case (.name(let name), .object(let members)):
          next.append(PathMatch(path: match.path.appending(step), value: members[name]))
        case (.index(let index), .array(let elements)):
          next.append(
            PathMatch(
              path: match.path.appending(step),
              value: elements.indices.contains(index) ? elements[index] : JSONValue?.none))
        case (.wildcard, .array(let elements)):
          for (index, element) in elements.enumerated() {
            next.append(PathMatch(path: match.path.appending(.index(index)), value: element))
          }
        case (.wildcard, .object(let members)):
          for member in members {
            next.append(
              PathMatch(path: match.path.appending(.name(member.key)), value: member.value))
          }
        default:
          next.append(PathMatch(path: match.path.appending(step), value: nil))
        }
      }
      matches = next
    }
    return matches
  }

  /// The values that the path selects with their places, as RFC 9535 has it: places at which
  /// nothing is are left out.
  public func values(in value: JSONValue) -> [(path: ValuePath, value: JSONValue)] {
    matches(in: value).compactMap { match in match.value.map { (match.path, $0) } }
  }
}
