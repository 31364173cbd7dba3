/// The optional facts of a record.
///
/// The database stores the details in one JSON column of the record's table, and the JSON of a
/// record omits empty details. So a fact can be added without changing the database format, and
/// older files can still be read. That's why every stored property of a details type is optional,
/// and nil means that the fact is absent.
package protocol Details: Sendable, Hashable, Codable {
  /// Creates empty details.
  init()
}

extension Details {
  /// Whether the details are empty.
  package var isEmpty: Bool { self == Self() }
}

// The synthesized coding of a record calls these methods for its details. Each details type has its
// own two methods, because generic methods would not take precedence over the methods of the
// standard library.

extension KeyedDecodingContainer {
  func decode(_ type: AttemptDetails.Type, forKey key: Key) throws -> AttemptDetails {
    try decodeIfPresent(type, forKey: key) ?? AttemptDetails()
  }

  func decode(_ type: RunDetails.Type, forKey key: Key) throws -> RunDetails {
    try decodeIfPresent(type, forKey: key) ?? RunDetails()
  }

  func decode(_ type: SuiteDetails.Type, forKey key: Key) throws -> SuiteDetails {
    try decodeIfPresent(type, forKey: key) ?? SuiteDetails()
  }
}

extension KeyedEncodingContainer {
  mutating func encode(_ value: AttemptDetails, forKey key: Key) throws {
    if !value.isEmpty { try encodeIfPresent(Optional(value), forKey: key) }
  }

  mutating func encode(_ value: RunDetails, forKey key: Key) throws {
    if !value.isEmpty { try encodeIfPresent(Optional(value), forKey: key) }
  }

  mutating func encode(_ value: SuiteDetails, forKey key: Key) throws {
    if !value.isEmpty { try encodeIfPresent(Optional(value), forKey: key) }
  }
}
