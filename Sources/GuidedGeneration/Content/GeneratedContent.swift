import StructuredText

/// What a model has generated: a value with ordered keys, perhaps not complete yet.
public struct GeneratedContent: Sendable, Equatable {
  /// What the content is, as data.
  ///
  /// Numbers are doubles here; the content itself keeps them exactly and decodes integers beyond
  /// 2^53 as they were written.
  public enum Kind: Equatable, Sendable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([GeneratedContent])
    case structure(properties: [String: GeneratedContent], orderedKeys: [String])
  }

  /// What the content is, with exact numbers.
  enum Storage: Equatable, Sendable {
    case null
    case bool(Bool)
    case number(JSONNumber)
    case string(String)
    case array([GeneratedContent])
    case structure(properties: [String: GeneratedContent], orderedKeys: [String])
  }

  /// What identifies the content while it grows.
  public var id: GenerationID?

  let storage: Storage

  /// Whether the text of the content was read to its end.
  ///
  /// The parts of incomplete content may be complete.
  public let isComplete: Bool

  init(storage: Storage, id: GenerationID? = nil, isComplete: Bool = true) {
    self.storage = storage
    self.id = id
    self.isComplete = isComplete
  }

  /// What the content is, as data.
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

  /// The content with an identity, and its parts with ones that follow from it: so a value and its
  /// parts are the same in all snapshots of an answer.
  func identified(_ id: GenerationID) -> GeneratedContent {
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

  /// Two contents are equal when they hold the same data, whatever identifies them.
  public static func == (left: GeneratedContent, right: GeneratedContent) -> Bool {
    left.storage == right.storage && left.isComplete == right.isComplete
  }
}

extension GeneratedContent {
  /// Creates content of data.
  ///
  /// - Parameters:
  ///   - kind: The data.
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

  /// Creates a structure of properties in order; of properties with the same name the last counts.
  ///
  /// - Parameters:
  ///   - properties: The names and values.
  ///   - id: An identity that stays the same while the content grows.
  public init(
    properties: KeyValuePairs<String, any ConvertibleToGeneratedContent>, id: GenerationID? = nil
  ) {
    self.init(members: properties.map { ($0.key, $0.value.generatedContent) }, id: id)
  }

  /// Creates a structure of properties in order.
  ///
  /// - Parameters:
  ///   - properties: The names and values.
  ///   - id: An identity that stays the same while the content grows.
  ///   - combine: Makes one value of two that have the same name.
  /// - Throws: What `combine` throws.
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

  /// Creates an array.
  ///
  /// - Parameters:
  ///   - elements: The elements in order.
  ///   - id: An identity that stays the same while the content grows.
  public init<S: Sequence>(
    elements: S, id: GenerationID? = nil
  ) where S.Element == any ConvertibleToGeneratedContent {
    self.init(storage: .array(elements.map(\.generatedContent)), id: id)
  }

  /// Creates content of a value.
  ///
  /// - Parameter value: The value.
  public init(_ value: some ConvertibleToGeneratedContent) { self = value.generatedContent }

  /// Creates content of a value with an identity.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - id: An identity that stays the same while the content grows.
  public init(_ value: some ConvertibleToGeneratedContent, id: GenerationID) {
    self = value.generatedContent
    self.id = id
  }

  /// Creates a structure; of members with the same name the last counts, in the first one's place.
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
  /// A structure whose keys are all listed, each once: keys without a value are left out, values
  /// without a place come last in alphabetical order.
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
