import StructuredText

/// A value that a model has generated.
///
/// The value keeps the order of its keys, and may still be incomplete.
public struct GeneratedContent: Sendable, Equatable {
  /// The kind of a generated value, together with its data.
  ///
  /// Numbers are doubles here, as in Apple's framework, so integers beyond 2^53 lose digits. The
  /// content itself keeps all digits, so unlike Apple's framework, Assay decodes such integers
  /// without loss.
  public enum Kind: Equatable, Sendable {
    /// Null.
    case null
    /// True or false.
    case bool(Bool)
    /// A number, as a double.
    case number(Double)
    /// A string.
    case string(String)
    /// An array.
    case array([GeneratedContent])
    /// A structure: its properties by name, and their names in order.
    case structure(properties: [String: GeneratedContent], orderedKeys: [String])
  }

  /// The data of a generated value, with exact numbers.
  enum Storage: Equatable, Sendable {
    case null
    case bool(Bool)
    case number(JSONNumber)
    case string(String)
    case array([GeneratedContent])
    case structure(properties: [String: GeneratedContent], orderedKeys: [String])
  }

  /// An identity that stays the same while the content grows, or `nil` if the content has none.
  public var id: GenerationID?

  let storage: Storage

  /// Whether the content is complete.
  ///
  /// The property is false if the content was read from text that ends too early.
  ///
  /// Parts of incomplete content may be complete.
  public let isComplete: Bool

  init(storage: Storage, id: GenerationID? = nil, isComplete: Bool = true) {
    self.storage = storage
    self.id = id
    self.isComplete = isComplete
  }

  /// Creates a string that may still grow.
  package init(text: String, isComplete: Bool) {
    self.init(storage: .string(text), isComplete: isComplete)
  }

  /// The kind of the value, together with its data; numbers are doubles.
  public var kind: Kind {
    switch storage {
    case .null: .null
    case .bool(let flag): .bool(flag)
    case .number(let number): .number(number.double)
    case .string(let string): .string(string)
    case .array(let elements): .array(elements)
    case .structure(let properties, let orderedKeys):
      .structure(properties: properties, orderedKeys: orderedKeys)
    }
  }

  /// Returns a copy of the content with the given identity.
  ///
  /// The parts get identities derived from this identity, so a value and its parts keep their
  /// identities in all snapshots of an answer.
  package func identified(_ id: GenerationID) -> GeneratedContent {
    let parts: Storage =
      switch storage {
      case .null, .bool, .number, .string: storage
      case .array(let elements):
        .array(elements.enumerated().map { $1.identified(id.part($0)) })
      case .structure(let properties, let orderedKeys):
        .structure(
          properties: orderedKeys.enumerated().reduce(into: properties) { parts, key in
            parts[key.element] = parts[key.element]?.identified(id.part(key.offset))
          }, orderedKeys: orderedKeys)
      }
    return GeneratedContent(storage: parts, id: id, isComplete: isComplete)
  }

  /// Returns whether two values hold the same data and are both complete or both incomplete.
  ///
  /// Their identities don't matter.
  ///
  /// - Parameters:
  ///   - left: A value.
  ///   - right: Another value.
  public static func == (left: GeneratedContent, right: GeneratedContent) -> Bool {
    left.storage == right.storage && left.isComplete == right.isComplete
  }
}

extension GeneratedContent {
  /// Creates complete content from data.
  ///
  /// The properties of a structure follow the order of `orderedKeys`. The initializer drops keys
  /// that have no property, and appends properties that `orderedKeys` doesn't list, in alphabetical
  /// order.
  ///
  /// - Parameters:
  ///   - kind: The data. An infinite number and NaN become 0, because JSON has neither.
  ///   - id: An identity that stays the same while the content grows.
  public init(kind: Kind, id: GenerationID? = nil) {
    let storage: Storage =
      switch kind {
      case .null: .null
      case .bool(let flag): .bool(flag)
      case .number(let number): .number(JSONNumber(number))
      case .string(let string): .string(string)
      case .array(let elements): .array(elements)
      case .structure(let properties, let orderedKeys):
        .ordered(properties, orderedKeys)
      }
    self.init(storage: storage, id: id)
  }

  /// Creates a structure with its properties in order; if names repeat, the last value wins.
  ///
  /// - Parameters:
  ///   - properties: The names and values in order.
  ///   - id: An identity that stays the same while the content grows.
  public init(
    properties: KeyValuePairs<String, any ConvertibleToGeneratedContent>, id: GenerationID? = nil
  ) {
    self.init(members: properties.map { ($0.key, $0.value.generatedContent) }, id: id)
  }

  /// Creates a structure with its properties in order, combining values with the same name.
  ///
  /// - Parameters:
  ///   - properties: The names and values in order.
  ///   - id: An identity that stays the same while the content grows.
  ///   - combine: A closure that combines two values with the same name into one.
  /// - Throws: The error that `combine` throws.
  public init<S: Sequence>(
    properties: S, id: GenerationID? = nil,
    uniquingKeysWith combine: (GeneratedContent, GeneratedContent) throws
      -> some ConvertibleToGeneratedContent
  ) rethrows where S.Element == (String, any ConvertibleToGeneratedContent) {
    var members: [(String, GeneratedContent)] = []
    var positions: [String: Int] = [:]
    for (name, value) in properties {
      if let position = positions[name] {
        members[position].1 =
          try combine(members[position].1, value.generatedContent).generatedContent
      } else {
        positions[name] = members.count
        members.append((name, value.generatedContent))
      }
    }
    self.init(members: members, id: id)
  }

  /// Creates an array from its elements.
  ///
  /// - Parameters:
  ///   - elements: The elements in order.
  ///   - id: An identity that stays the same while the content grows.
  public init<S: Sequence>(
    elements: S, id: GenerationID? = nil
  ) where S.Element == any ConvertibleToGeneratedContent {
    self.init(storage: .array(elements.map(\.generatedContent)), id: id)
  }

  /// Creates content from a value.
  ///
  /// - Parameter value: The value to convert.
  public init(_ value: some ConvertibleToGeneratedContent) { self = value.generatedContent }

  /// Creates content from a value, with an identity.
  ///
  /// - Parameters:
  ///   - value: The value to convert.
  ///   - id: An identity that stays the same while the content grows.
  public init(_ value: some ConvertibleToGeneratedContent, id: GenerationID) {
    self = value.generatedContent
    self.id = id
  }

  /// Creates a structure; if names repeat, the last value wins and takes the first value's
  /// position.
  package init(members: [(String, GeneratedContent)], id: GenerationID? = nil) {
    var properties: [String: GeneratedContent] = [:]
    var keys: [String] = []
    for (name, value) in members where properties.updateValue(value, forKey: name) == nil {
      keys.append(name)
    }
    self.init(storage: .structure(properties: properties, orderedKeys: keys), id: id)
  }
}

extension GeneratedContent.Storage {
  /// Returns a structure whose ordered keys are complete and unique.
  ///
  /// The method drops keys that have no value, and appends the keys that `orderedKeys` doesn't
  /// list, in alphabetical order.
  fileprivate static func ordered(
    _ properties: [String: GeneratedContent], _ orderedKeys: [String]
  ) -> Self {
    var known: Set<String> = []
    var keys = orderedKeys.filter { properties[$0] != nil && known.insert($0).inserted }
    if keys.count < properties.count {
      keys += properties.keys.filter { !known.contains($0) }.sorted()
    }
    return .structure(properties: properties, orderedKeys: keys)
  }
}
