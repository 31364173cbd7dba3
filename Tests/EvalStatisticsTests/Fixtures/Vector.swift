import Foundation
import Testing

/// A number, a text or a nested list of them, as the vectors are written.
enum VectorValue: Decodable, Sendable {
  case number(Double)
  case text(String)
  case list([VectorValue])

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let number = try? container.decode(Double.self) {
      self = .number(number)
    } else if let text = try? container.decode(String.self) {
      self = .text(text)
    } else {
      self = .list(try container.decode([VectorValue].self))
    }
  }

  var list: [VectorValue] { if case .list(let values) = self { values } else { [self] } }
  var text: String { if case .text(let text) = self { text } else { "" } }
  var number: Double { if case .number(let number) = self { number } else { .nan } }
  var int: Int { Int(number) }
  var numbers: [Double] { list.map(\.number) }
}

struct Vector: Decodable, Sendable {
  var `in`: [VectorValue]
  var out: VectorValue
}

/// The vectors of one function; fails the test where there are none.
func vectors(_ function: String, in source: String = referenceVectors) throws -> [Vector] {
  let all = try JSONDecoder().decode([String: [Vector]].self, from: Data(source.utf8))
  let found = try #require(all[function])
  try #require(!found.isEmpty)
  return found
}

/// Expects equality to 1e-9, relative for numbers above one.
func checkClose(
  _ actual: Double, _ expected: Double, tolerance: Double = 1e-9, _ what: String = "",
  sourceLocation: SourceLocation = #_sourceLocation
) {
  if actual == expected || (actual.isNaN && expected.isNaN) { return }
  let error = abs(actual - expected) / max(1, abs(expected))
  #expect(
    error <= tolerance, "\(what): \(actual), expected \(expected)", sourceLocation: sourceLocation)
}

func checkClose(
  _ actual: [Double], _ expected: [Double], tolerance: Double = 1e-9, _ what: String = "",
  sourceLocation: SourceLocation = #_sourceLocation
) {
  #expect(actual.count == expected.count, sourceLocation: sourceLocation)
  for (left, right) in zip(actual, expected) {
    checkClose(left, right, tolerance: tolerance, what, sourceLocation: sourceLocation)
  }
}
