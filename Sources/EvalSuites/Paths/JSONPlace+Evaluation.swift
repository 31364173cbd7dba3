public import StructuredText

/// A place that a path selects in a JSON value, whether or not anything exists there.
public struct PathMatch: Sendable, Hashable {
  /// The path of the place, without wildcards.
  ///
  /// If there is no value, the path ends with the first step that failed.
  public var path: JSONPlace
  /// The value at the place, or `nil` if there is none.
  public var value: JSONValue?
}

extension JSONPlace {
  /// Returns the places that the path selects in a complete value, including places where there is
  /// no value.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - base: The path of `value` itself; the paths of all places begin with it.
  /// - Returns: The places in document order.
  /// - Complexity: O(places × steps).
  public func matches(in value: JSONValue, at base: JSONPlace = .root) -> [PathMatch] {
    selection(in: AnswerPart(value, at: base)).places.map {
      PathMatch(path: $0.place, value: $0.part?.value)
    }
  }

  /// Returns the values that the path selects, each with its path.
  ///
  /// As in RFC 9535, places without a value are left out.
  public func values(in value: JSONValue) -> [(path: JSONPlace, value: JSONValue)] {
    matches(in: value).compactMap { match in match.value.map { (match.path, $0) } }
  }
}
