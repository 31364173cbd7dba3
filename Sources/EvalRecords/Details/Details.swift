/// What a record may have beside what every record of its kind has.
///
/// Stored as one JSON column of the record's table and left out of JSON where it is empty, so that a
/// part can be added without a change of the database's format and older files can still be read.
/// Hence every stored property of a type of details is optional, and nil means that there is none.
package protocol Details: Sendable, Hashable, Codable {
  /// Creates details of which there are none.
  init()
}

extension Details {
  /// Whether there is nothing.
  package var isEmpty: Bool { self == Self() }
}

// The coding that Swift makes for a record calls these for a property of details. They are written
// once for each type, because a generic one would not be preferred to the library's own.

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
