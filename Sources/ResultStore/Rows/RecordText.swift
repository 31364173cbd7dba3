import EvalRecords
import Foundation
import StructuredText

/// Converts between canonical JSON and the parts of records that no query needs as columns.
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

  /// Reads a value.
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

  /// Returns the column of a record's details, which is null if there are none.
  static func details(_ details: some Details, path: String) throws -> SQLValue {
    details.isEmpty ? .null : SQLValue(try text(of: details, path: path))
  }

  /// Reads a record's details.
  static func details<Value: Details>(_ text: String?, path: String) throws -> Value {
    try text.map { try value(Value.self, from: $0, path: path) } ?? Value()
  }

  /// Returns an enum case from its stored name.
  static func member<Value: RawRepresentable<String>>(
    _ type: Value.Type, _ text: String, path: String
  ) throws -> Value {
    guard let value = Value(rawValue: text) else {
      throw StoreError(.unreadableRecord, path: path, reason: "\(type) has no case '\(text)'")
    }
    return value
  }

  /// Reads a list of texts; the empty list, which is the most common one, is not parsed.
  static func list(_ text: String, path: String) throws -> [String] {
    text == "[]" ? [] : try value([String].self, from: text, path: path)
  }
}
