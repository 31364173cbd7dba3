/// A place that an edit changes: `TypeName` for a type, `TypeName.property` for a property, or
/// `TypeName.case` for a case of a payload enum.
package struct SchemaPlace: Hashable, Sendable, ExpressibleByStringLiteral {
  /// The place as text.
  package let text: String

  package init(_ text: String) { self.text = text }

  package init(stringLiteral value: String) { self.init(value) }
}

/// The reason why an edit is impossible.
package enum SchemaEditError: Error, Hashable, Sendable {
  /// The schema has no place with this name; `nearest` is the place with the most similar name.
  case unknownPlace(SchemaPlace, nearest: SchemaPlace?, places: [String])
  /// The node at the place has no bounds.
  case unbounded(SchemaPlace, type: String)
  /// The bounds exclude every value, or the node doesn't allow them.
  ///
  /// An integer's bounds must be integers, and an array's bounds must be integers of at least 0.
  case invalidBounds(SchemaPlace, minimum: String?, maximum: String?)
  /// The node at the place is not a choice.
  case noChoice(SchemaPlace, type: String)
  /// The choice has no case with this name.
  case unknownCase(SchemaPlace, name: String, cases: [String])
  /// The edit would remove the last case.
  case lastCase(SchemaPlace, name: String)
}

extension SchemaEditError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .unknownPlace(let place, let nearest, let places):
      "the schema has no `\(place.text)`"
        + (nearest.map { "; did you mean `\($0.text)`?" } ?? "")
        + (nearest == nil ? "; it has \(places.joined(separator: ", "))" : "")
    case .unbounded(let place, let type):
      "`\(place.text)` is of type \(type), which has no bounds; only arrays, integers "
        + "and numbers have bounds"
    case .invalidBounds(let place, let minimum, let maximum):
      "`\(place.text)` can't have the minimum \(minimum ?? "none") and the maximum "
        + "\(maximum ?? "none")"
    case .noChoice(let place, let type):
      "`\(place.text)` is of type \(type), which has no cases"
    case .unknownCase(let place, let name, let cases):
      "`\(place.text)` has no case `\(name)`; it has \(cases.joined(separator: ", "))"
    case .lastCase(let place, let name):
      "`\(name)` is the last case of `\(place.text)`, so it can't be removed"
    }
  }
}
