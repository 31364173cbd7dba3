import StructuredText

/// One place that a path selects in a value.
public struct PathMatch: Sendable, Hashable {
  /// The place, as a path without wildcards.
  ///
  /// If there is no value, the path ends at the first step that failed.
  public var path: ValuePath
  /// The value at the place; nil if there is none.
  public var value: JSONValue?

  /// Creates a match.
  public init(path: ValuePath, value: JSONValue?) {
    self.path = path
    self.value = value
  }
}

extension ValuePath {
  /// Returns the places that the path selects in a complete value, including those without a value.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - base: The path of the value itself, with which the places begin.
  /// - Returns: The places in document order.
  /// - Complexity: Linear in the number of selected places times the number of steps.
  public func matches(in value: JSONValue, at base: ValuePath = .root) -> [PathMatch] {
    selection(in: AnswerPart(value, at: base)).places.map {
      PathMatch(path: $0.place, value: $0.part?.value)
    }
  }

  /// Returns the values that the path selects, with their places, following RFC 9535: places
  /// without a value are left out.
  public func values(in value: JSONValue) -> [(path: ValuePath, value: JSONValue)] {
    matches(in: value).compactMap { match in match.value.map { (match.path, $0) } }
  }
}
