import EvalRecords
import StructuredText
import SystemBasics

/// Converts values to and from canonical JSON: the records in archives, and the parts of records
/// that the database stores as JSON.
enum RecordText {
  /// Writes a value as JSON with sorted keys, so that equal values have equal texts.
  static func text(of value: some Encodable, path: String) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    do {
      return String(decoding: try encoder.encode(value), as: UTF8.self)
    } catch {
      throw StoreError(.failed, path: path, reason: "a record can't be written as JSON: \(error)")
    }
  }

  /// Reads a value from its JSON.
  static func value<Value: Decodable>(
    _ type: Value.Type, from text: String, path: String
  ) throws -> Value {
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    do {
      return try decoder.decode(type, from: Data(text.utf8))
    } catch {
      let reason = (error as? DecodingError)?.words ?? "\(error)"
      throw StoreError(.unreadableRecord, path: path, reason: reason)
    }
  }

  /// Returns the value for the column `details`, which is null if the record has no details.
  static func details(_ details: some Details, path: String) throws -> SQLValue {
    details.isEmpty ? .null : SQLValue(try text(of: details, path: path))
  }

  /// Reads a record's details.
  static func details<Value: Details>(_ text: String?, path: String) throws -> Value {
    try text.map { try value(Value.self, from: $0, path: path) } ?? Value()
  }

  /// Returns the enum case with the given stored name.
  static func member<Value: RawRepresentable<String>>(
    _ type: Value.Type, _ text: String, path: String
  ) throws -> Value {
    guard let value = Value(rawValue: text) else {
      throw StoreError(.unreadableRecord, path: path, reason: "\(type) has no case '\(text)'")
    }
    return value
  }

  /// Reads a list of strings, with a shortcut for the empty list, which is very common.
  static func list(_ text: String, path: String) throws -> [String] {
    text == "[]" ? [] : try value([String].self, from: text, path: path)
  }
}
