import Foundation
import StructuredText

/// Metadata from an app or an executor: values of any type that can be encoded and compared.
struct TranscriptMetadata: Sendable, Equatable {
  typealias Values = [String: any Codable & Sendable & Equatable]

  var values: Values

  init(_ values: Values) { self.values = values }

  static func == (left: TranscriptMetadata, right: TranscriptMetadata) -> Bool {
    left.values.count == right.values.count
      && left.values.allSatisfy { key, value in
        right.values[key].map { isEqual(value, $0) } ?? false
      }
  }

  private static func isEqual<Value: Equatable>(_ left: Value, _ right: any Equatable) -> Bool {
    right as? Value == left
  }

  /// The values as JSON, sorted by name, or `nil` if there are no values.
  ///
  /// Values that can't be encoded are left out.
  var json: JSONValue? {
    if values.isEmpty { return nil }
    var object: JSONObject = [:]
    for (name, value) in values.sorted(by: { $0.key < $1.key }) {
      guard let data = try? JSONEncoder().encode([value].map(AnyEncodable.init)),
        let array = try? JSONValue(parsing: String(decoding: data, as: UTF8.self)).array
      else { continue }
      object[name] = array.first
    }
    return .object(object)
  }

  /// Creates metadata from JSON: strings, integers, other numbers and Booleans become Swift values,
  /// and everything else stays JSON.
  init(json: JSONValue?) {
    values = [:]
    for (name, value) in json?.object ?? [:] {
      switch value {
      case .string(let string): values[name] = string
      case .bool(let flag): values[name] = flag
      case .number(let number):
        if let int = number.int { values[name] = int } else { values[name] = number.double }
      default: values[name] = value
      }
    }
  }
}

private struct AnyEncodable: Encodable {
  let value: any Encodable

  init(_ value: any Encodable) { self.value = value }

  func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
}
