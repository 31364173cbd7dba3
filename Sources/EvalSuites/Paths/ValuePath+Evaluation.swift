import StructuredText

/// One place that a path selects in a value.
public struct PathMatch: Sendable, Hashable {
  /// The place, a path without wildcards.
  ///
  /// Where nothing is there, the first step that failed.
  public var path: ValuePath
  /// The value; nil if the value has nothing at the place.
  public var value: JSONValue?

  /// Creates a match.
  public init(path: ValuePath, value: JSONValue?) {
    self.path = path
    self.value = value
  }
}

extension ValuePath {
  /// The places that the path selects in a complete value, those at which nothing is included.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - base: Where the value itself is; the places begin with it.
  /// - Returns: The places in document order.
  /// - Complexity: Linear in the number of selected places times the number of steps.
  public func matches(in value: JSONValue, at base: ValuePath = .root) -> [PathMatch] {
    selection(in: AnswerPart(value, at: base)).places.map {
      PathMatch(path: $0.place, value: $0.part?.value)
    }
  }

  /// The values that the path selects with their places, as RFC 9535 has it: places at which
  /// nothing is are left out.
  public func values(in value: JSONValue) -> [(path: ValuePath, value: JSONValue)] {
    matches(in: value).compactMap { match in match.value.map { (match.path, $0) } }
  }
}
