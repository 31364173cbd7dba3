import Foundation
import Tokenization

/// Reads the files of a workload: a vocabulary, and schemas with instances that are split into
/// tokens.
///
/// The peers of `scripts/measure/compare-decoding`, which measure other engines, read the same
/// files.
struct Workload {
  struct Schema {
    var id: String
    var text: String
    var instances: [Instance] = []
  }

  struct Instance {
    var id: String
    var isValid: Bool
    var tokens: [TokenID]
  }

  /// Reads the schemas of a workload with their instances.
  ///
  /// Each schema is a line `S id bytes`, followed by `bytes` bytes of text. Then come the schema's
  /// instances. Each instance is a line `I id valid bytes tokens`, followed by its text and a line
  /// of token numbers.
  static func schemas(ofFile path: String) throws -> [Schema] {
    var reader = ByteReader(try Data(contentsOf: URL(fileURLWithPath: path)), file: path)
    var result: [Schema] = []
    while !reader.isAtEnd {
      let fields = try reader.line().split(separator: " ").map(String.init)
      if fields.isEmpty { continue }
      if fields[0] == "S", fields.count == 3, let count = Int(fields[2]) {
        result.append(Schema(id: fields[1], text: try reader.text(count)))
        try reader.skipLineEnd()
      } else if fields[0] == "I", fields.count == 5, let count = Int(fields[3]), !result.isEmpty {
        _ = try reader.text(count)
        try reader.skipLineEnd()
        let tokens = try reader.line().split(separator: " ").compactMap { TokenID($0) }
        result[result.count - 1].instances.append(
          Instance(id: fields[1], isValid: fields[2] == "1", tokens: tokens))
      } else {
        throw reader.error("a line `S id bytes` or `I id valid bytes tokens`")
      }
    }
    return result
  }

  /// Reads a vocabulary.
  ///
  /// The file begins with `TVOC`, the version, the number of tokens, the number of end tokens, and
  /// the end tokens. Then come the kind, the length and the bytes of each token. All numbers are
  /// little-endian.
  static func vocabulary(ofFile path: String) throws -> Vocabulary {
    var reader = ByteReader(try Data(contentsOf: URL(fileURLWithPath: path)), file: path)
    guard try reader.text(4) == "TVOC" else { throw reader.error("TVOC at the beginning") }
    _ = try reader.number(4)
    let count = try reader.number(4)
    let endCount = try reader.number(4)
    var ends: [TokenID] = []
    for _ in 0..<endCount { ends.append(TokenID(truncatingIfNeeded: try reader.number(4))) }
    var tokens: [[UInt8]] = []
    var kinds: [Vocabulary.Kind] = []
    for _ in 0..<count {
      kinds.append(
        Vocabulary.Kind(rawValue: UInt8(truncatingIfNeeded: try reader.number(1))) ?? .unused)
      tokens.append(try reader.bytes(try reader.number(2)))
    }
    return Vocabulary(tokens: tokens, kinds: kinds, endTokens: ends)
  }
}

/// Reads the bytes of a file in order.
///
/// Errors contain the file and the offset.
struct ByteReader {
  private let data: [UInt8]
  private let file: String
  private var position = 0

  init(_ data: Data, file: String) {
    self.data = [UInt8](data)
    self.file = file
  }

  var isAtEnd: Bool { position >= data.count }

  func error(_ expected: String) -> BenchmarkError {
    .malformed(file: file, offset: position, expected: expected)
  }

  mutating func bytes(_ count: Int) throws -> [UInt8] {
    guard count >= 0, count <= data.count - position else { throw error("\(count) more bytes") }
    defer { position += count }
    return Array(data[position..<position + count])
  }

  mutating func text(_ count: Int) throws -> String {
    String(decoding: try bytes(count), as: UTF8.self)
  }

  mutating func number(_ width: Int) throws -> Int {
    try bytes(width).reversed().reduce(0) { $0 << 8 | Int($1) }
  }

  mutating func line() throws -> String {
    let end = data[position...].firstIndex(of: 0x0A) ?? data.count
    defer { position = end + 1 }
    return String(decoding: data[position..<end], as: UTF8.self)
  }

  mutating func skipLineEnd() throws {
    guard position < data.count, data[position] == 0x0A else { throw error("a line end") }
    position += 1
  }
}
