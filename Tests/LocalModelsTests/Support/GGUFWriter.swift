import Foundation
import TestSupport

/// Writes GGUF files for tests, either valid or deliberately invalid.
struct GGUFWriter {
  enum Value {
    case uint32(UInt32)
    case float32(Float)
    case bool(Bool)
    case string(String)
    case strings([[UInt8]])
    case floats([Float])
    case integers([Int32])
  }

  struct Tensor {
    var name: String
    var dimensions: [UInt64]
    var type: UInt32
    var data: [UInt8]
  }

  var version: UInt32 = 3
  var alignment = 32
  var values: [(key: String, value: Value)] = []
  var tensors: [Tensor] = []

  static func bytes(_ value: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: value.littleEndian) { Array($0) }
  }

  static func string(_ text: [UInt8]) -> [UInt8] { bytes(UInt64(text.count)) + text }

  private static func encoded(_ value: Value) -> [UInt8] {
    switch value {
    case .uint32(let number): bytes(UInt32(4)) + bytes(number)
    case .float32(let number): bytes(UInt32(6)) + bytes(number.bitPattern)
    case .bool(let flag): bytes(UInt32(7)) + [flag ? 1 : 0]
    case .string(let text): bytes(UInt32(8)) + string(Array(text.utf8))
    case .strings(let texts):
      bytes(UInt32(9)) + bytes(UInt32(8)) + bytes(UInt64(texts.count)) + texts.flatMap(string)
    case .floats(let numbers):
      bytes(UInt32(9)) + bytes(UInt32(6)) + bytes(UInt64(numbers.count))
        + numbers.flatMap { bytes($0.bitPattern) }
    case .integers(let numbers):
      bytes(UInt32(9)) + bytes(UInt32(5)) + bytes(UInt64(numbers.count))
        + numbers.flatMap { bytes($0) }
    }
  }

  /// Returns the file's bytes.
  func encoded() -> [UInt8] {
    var file = Array("GGUF".utf8) + Self.bytes(version)
    file += Self.bytes(UInt64(tensors.count)) + Self.bytes(UInt64(values.count))
    for (key, value) in values { file += Self.string(Array(key.utf8)) + Self.encoded(value) }
    var offset = 0
    for tensor in tensors {
      file += Self.string(Array(tensor.name.utf8)) + Self.bytes(UInt32(tensor.dimensions.count))
      for length in tensor.dimensions { file += Self.bytes(length) }
      file += Self.bytes(tensor.type) + Self.bytes(UInt64(offset))
      offset += (tensor.data.count + alignment - 1) / alignment * alignment
    }
    for tensor in tensors {
      file += Array(repeating: 0, count: (alignment - file.count % alignment) % alignment)
      file += tensor.data
    }
    return file
  }
}

/// Writes bytes to a temporary file, passes its path to a closure, and removes the file.
func withTemporaryFile<Result>(
  _ bytes: [UInt8], _ body: (String) throws -> Result
) throws -> Result {
  let folder = try TemporaryFolder()
  try folder.write(Data(bytes), to: "model.gguf")
  return try body(folder.path("model.gguf"))
}
