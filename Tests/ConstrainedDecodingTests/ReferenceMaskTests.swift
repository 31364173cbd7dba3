import Foundation
import GuidedGeneration
import Testing
import Tokenization

@testable import ConstrainedDecoding

/// Compares masks with those that llguidance 1.9.1 computed for a real vocabulary.
///
/// The test runs only if the recorded workload is in the folder named by the environment variable
/// ASSAY_SHARED.
@Suite("Comparison with recorded masks of llguidance", .enabled(if: ReferenceWorkload.isThere))
struct ReferenceMaskTests {
  @Test(
    "every mask has the same size, end bit and hash as the recorded mask",
    arguments: ["compact", "spaced", "pretty"])
  func equalsReference(mode: String) throws {
    let workload = try ReferenceWorkload(mode: mode)
    let table = TokenTable(vocabulary: workload.vocabulary, dialect: .llguidance)
    let options = GrammarOptions(
      whitespace: mode == "compact" ? .compact : .flexible, dialect: .llguidance)
    var compared = 0
    var different: [String] = []
    var left: [String] = []
    for item in workload.schemas {
      guard let schema = try? schema(item.text),
        let grammar = try? CompiledGrammar(schema: schema, table: table, options: options)
      else {
        left.append(item.id)
        continue
      }
      let automaton = grammar.makeAutomaton()
      for instance in item.instances {
        var matcher = Matcher(automaton)
        for (step, token) in (instance.tokens + [-1]).enumerated() {
          let name = "\(instance.id),\(step)"
          let expected = try #require(workload.masks[name])
          compared += 1
          let actual = workload.fingerprint(of: matcher.mask)
          if actual != expected { different.append("\(name) \(actual) \(expected)") }
          if token >= 0, !matcher.accept(token) {
            Issue.record("\(name): \(token) is not accepted")
            break
          }
        }
      }
    }
    #expect(left.isEmpty)
    #expect(different.isEmpty, "\(different.count) of \(compared): \(different.prefix(8))")
    #expect(compared > 10_000)
  }
}

/// The recorded workload: a vocabulary, schemas with values, and the masks of llguidance.
struct ReferenceWorkload {
  struct Schema {
    var id: String
    var text: String
    var instances: [(id: String, tokens: [TokenID])] = []
  }

  let vocabulary: Vocabulary
  var schemas: [Schema] = []
  /// The fingerprint of each recorded mask, by instance and step.
  var masks: [String: String] = [:]

  static var folder: String? {
    ProcessInfo.processInfo.environment["ASSAY_SHARED"].map { $0 + "/data/decoding" }
  }

  static var isThere: Bool {
    folder.map { FileManager.default.fileExists(atPath: $0 + "/tekken131k.tvoc") } ?? false
  }

  init(mode: String) throws {
    let folder = Self.folder ?? ""
    vocabulary = try Self.readVocabulary(folder + "/tekken131k.tvoc")
    let stem = folder + "/apple.tekken131k.\(mode)"
    let data = [UInt8](try Data(contentsOf: URL(fileURLWithPath: stem + ".txt")))
    var position = 0
    func line() -> String {
      let end = data[position...].firstIndex(of: 0x0A) ?? data.count
      defer { position = end + 1 }
      return String(decoding: data[position..<end], as: UTF8.self)
    }
    func block(_ count: Int) -> String {
      defer { position += count + 1 }
      return String(decoding: data[position..<position + count], as: UTF8.self)
    }
    while position < data.count {
      let fields = line().split(separator: " ").map(String.init)
      guard let kind = fields.first else { continue }
      if kind == "S" {
        schemas.append(Schema(id: fields[1], text: block(Int(fields[2]) ?? 0)))
      } else {
        _ = block(Int(fields[3]) ?? 0)
        let tokens = line().split(separator: " ").compactMap { TokenID($0) }
        schemas[schemas.count - 1].instances.append((fields[1], tokens))
      }
    }
    let rows = try String(
      contentsOfFile: stem + ".llguidance-1.9.1.masks.csv", encoding: .utf8)
    for row in rows.split(separator: "\n").dropFirst() {
      let fields = row.split(separator: ",")
      masks["\(fields[0]),\(fields[1])"] = fields[2...].joined(separator: ",")
    }
  }

  private static func readVocabulary(_ path: String) throws -> Vocabulary {
    let data = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    var position = 4
    func number(_ bytes: Int) -> Int {
      defer { position += bytes }
      return (0..<bytes).reduce(0) { $0 | Int(data[position + $1]) << (8 * $1) }
    }
    _ = number(4)
    let count = number(4)
    let ends = (0..<number(4)).map { _ in TokenID(number(4)) }
    var tokens: [[UInt8]] = []
    var kinds: [Vocabulary.Kind] = []
    for _ in 0..<count {
      let kind = Vocabulary.Kind(rawValue: UInt8(number(1))) ?? .unused
      let length = number(2)
      tokens.append(Array(data[position..<position + length]))
      kinds.append(kind)
      position += length
    }
    return Vocabulary(tokens: tokens, kinds: kinds, endTokens: ends)
  }

  /// Returns the number of text tokens, the end bit and the FNV-1a hash of the mask's 32-bit words,
  /// in the form of the recording.
  func fingerprint(of mask: TokenMask) -> String {
    var words = [UInt64](repeating: 0, count: (vocabulary.count + 63) / 64)
    words.withUnsafeMutableBufferPointer { mask.fill($0) }
    for token in vocabulary.endTokens { words[Int(token) >> 6] &= ~(1 << UInt64(token & 63)) }
    var hash: UInt64 = 1_469_598_103_934_665_603
    for index in 0..<(vocabulary.count + 31) / 32 {
      let word = UInt32(truncatingIfNeeded: words[index / 2] >> UInt64(32 * (index & 1)))
      hash = (hash ^ UInt64(word)) &* 1_099_511_628_211
    }
    let count = words.reduce(0) { $0 + $1.nonzeroBitCount }
    let digits = String(hash, radix: 16)
    let padding = String(repeating: "0", count: 16 - digits.count)
    return "\(count),\(mask.allowsEnd ? 1 : 0),\(padding)\(digits)"
  }
}
