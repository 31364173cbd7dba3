import Foundation
import Testing

/// A number, a text or a list of such values, as the vectors contain them.
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

/// JSON texts with reference vectors: for each function, a list of inputs with their outputs.
///
/// An independent Python implementation of the formulas computed the vectors. They agree with SciPy
/// and statsmodels to within 8e-12. They are stored as text, so that the compiler has fewer
/// literals to read.
let referenceVectors = [distributionVectors, wilsonVectors, testVectors]

/// Returns the vectors of one function; the test fails if there are none.
func vectors(_ function: String, in sources: [String] = referenceVectors) throws -> [Vector] {
  let found = try sources.compactMap {
    try JSONDecoder().decode([String: [Vector]].self, from: Data($0.utf8))[function]
  }
  try #require(found.count == 1 && found.first?.isEmpty == false)
  return found[0]
}

/// Checks that two numbers are equal to within a tolerance, which is relative if the expected
/// number is above 1 and absolute otherwise.
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
