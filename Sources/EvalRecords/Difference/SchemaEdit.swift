public import StructuredText

/// One place at which two schemas differ, as a change that can be made or left alone.
///
/// What can only change together is one edit: both ends of a bound, or a new property with its
/// places in `required` and `x-order`.
public struct SchemaEdit: Sendable, Hashable {
  /// What is edited.
  public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
    /// The text that describes a type, property or case.
    case guide
    /// How many elements, how large a number, how long or of which form a text.
    case bound
    /// The cases of an enum.
    case choices
    /// Which properties there are.
    case properties
    /// Which properties may be left out.
    case optionality
    /// The order in which properties are written.
    case order
    /// The type of a value, or anything else.
    case type
  }

  /// A member of a schema's JSON that is set, replaced or removed.
  public struct Change: Sendable, Hashable {
    /// The keys and indices that lead to the member, unescaped, as in a JSON Pointer (RFC 6901).
    public var pointer: [String]
    /// The value before; nil if there was none.
    public var before: JSONValue?
    /// The value after; nil if there is none.
    public var after: JSONValue?

    /// Creates a change.
    public init(pointer: [String], before: JSONValue?, after: JSONValue?) {
      self.pointer = pointer
      self.before = before
      self.after = after
    }
  }

  /// What is edited.
  public var kind: Kind
  /// Where: `CardSet` for a type, `CardSet.cards` for a property.
  public var place: String
  /// The changes, which are made together.
  public var changes: [Change]

  /// Creates an edit.
  public init(kind: Kind, place: String, changes: [Change]) {
    self.kind = kind
    self.place = place
    self.changes = changes
  }

  /// The edit in words: `guide of CardSet.cards`.
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

  /// Makes the edit in a schema.
  ///
  /// - Parameter schema: A schema's JSON; members that the edit does not name stay as they are.
  /// - Returns: The schema with the members after the edit.
  public func applied(to schema: JSONValue) -> JSONValue {
    changes.reduce(schema) { $0.replacing(at: $1.pointer[...], with: $1.after) }
  }
}

extension JSONValue {
  /// The value with a part replaced, or removed where the replacement is nil; itself where the
  /// pointer leads nowhere.
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
      guard let index = Int(key), elements.indices.contains(index), let replacement else {
        return self
      }
      elements[index] = elements[index].replacing(at: rest, with: replacement)
      return .array(elements)
    default: return self
    }
  }
}
