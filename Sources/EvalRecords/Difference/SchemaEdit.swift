public import StructuredText

/// A change at one place in a schema, which can be applied independently of other edits.
///
/// Parts that change together form one edit: both ends of a bound, or a new property with its
/// entries in `required` and `x-order`.
public struct SchemaEdit: Sendable, Hashable {
  /// The kind of an edit.
  public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
    /// The description of a type, property or enum case.
    case guide
    /// The bounds of a number, an array's length or a string's length, or another constraint on a
    /// value, such as a pattern or a constant.
    case bound
    /// The cases of an enum.
    case choices
    /// The set of properties.
    case properties
    /// The optionality of properties.
    case optionality
    /// The order of properties.
    case order
    /// The type of a value, or anything else.
    case type
  }

  /// A member of a schema's JSON that the edit sets, replaces or removes.
  public struct Change: Sendable, Hashable {
    /// The keys and indices that lead to the member, as in a JSON Pointer (RFC 6901) but unescaped.
    public var pointer: [String]
    /// The value before, or `nil` if there was none.
    public var before: JSONValue?
    /// The value after, or `nil` if there is none.
    public var after: JSONValue?

    /// Creates a change.
    public init(pointer: [String], before: JSONValue?, after: JSONValue?) {
      self.pointer = pointer
      self.before = before
      self.after = after
    }
  }

  /// The kind of the edit.
  public var kind: Kind
  /// The place: `CardSet` for a type, `CardSet.cards` for a property.
  public var place: String
  /// The changes, which are applied together.
  public var changes: [Change]

  /// Creates an edit.
  public init(kind: Kind, place: String, changes: [Change]) {
    self.kind = kind
    self.place = place
    self.changes = changes
  }

  /// A description of the edit: `guide of CardSet.cards`.
  public var title: String {
    switch kind {
    case .guide: "guide of \(place)"
    case .bound: "bound of \(place)"
    case .choices: "cases of \(place)"
    case .properties: "properties of \(place)"
    case .optionality: "optional properties of \(place)"
    case .order: "order of \(place)"
    case .type: "type of \(place)"
    }
  }

  /// Applies the edit to a schema.
  ///
  /// - Parameter schema: The JSON of a schema; members that the edit doesn't name stay unchanged.
  /// - Returns: The edited schema.
  public func applied(to schema: JSONValue) -> JSONValue {
    changes.reduce(schema) { $0.replacing(at: $1.pointer[...], with: $1.after) }
  }
}

extension JSONValue {
  /// Returns the value with a part replaced, or removed if the replacement is nil.
  ///
  /// If the pointer leads nowhere, the value stays unchanged.
  fileprivate func replacing(
    at pointer: ArraySlice<String>, with replacement: JSONValue?
  ) -> JSONValue {
    guard let key = pointer.first else { return replacement ?? self }
    let rest = pointer.dropFirst()
    switch self {
    case .object(var members):
      if rest.isEmpty {
        members[key] = replacement
      } else if let child = members[key] {
        members[key] = child.replacing(at: rest, with: replacement)
      }
      return .object(members)
    case .array(var elements):
      guard let index = Int(key), elements.indices.contains(index),
        replacement != nil || !rest.isEmpty
      else { return self }
      elements[index] = elements[index].replacing(at: rest, with: replacement)
      return .array(elements)
    default: return self
    }
  }
}
