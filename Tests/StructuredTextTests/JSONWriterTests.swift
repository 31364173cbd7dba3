import StructuredText
import TestSupport
import Testing

/// Tests that JSON is written correctly and reads back unchanged.
@Suite struct JSONWriterTests {
  let value: JSONValue = ["b": [1, "x", [:]], "a": ["z": nil, "y": []], "": true]

  @Test("compact text keeps the order of keys, and canonical text sorts them")
  func compactAndCanonical() {
    #expect(value.compactText == #"{"b":[1,"x",{}],"a":{"z":null,"y":[]},"":true}"#)
    #expect(value.canonicalText == #"{"":true,"a":{"y":[],"z":null},"b":[1,"x",{}]}"#)
  }

  @Test("canonical keys are ordered by UTF-16 code units, as in RFC 8785")
  func canonicalOrder() throws {
    // The example of RFC 8785, section 3.2.3.
    let text = """
      {"\\u20ac": "Euro Sign", "\\r": "Carriage Return", "\\ufb33": "Hebrew Letter Dalet With Dagesh",
       "1": "One", "\\ud83d\\ude00": "Emoji: Grinning Face", "\\u0080": "Control",
       "\\u00f6": "Latin Small Letter O With Diaeresis"}
      """
    let canonical = try JSONValue(parsing: JSONValue(parsing: text).canonicalText)
    #expect(
      canonical.object?.keys == [
        "\r", "1", "\u{80}", "\u{F6}", "\u{20AC}", "\u{1F600}", "\u{FB33}",
      ])
  }

  @Test("pretty text has one member or element per line")
  func pretty() {
    let expected = """
      {
        "b": [
          1,
          "x",
          {}
        ],
        "a": {
          "z": null,
          "y": []
        },
        "": true
      }
      """
    #expect(value.prettyText == expected)
  }

  @Test("strings are escaped where JSON requires it, and nowhere else")
  func escapes() {
    #expect(
      JSONWriter.quoted("\"\\/\u{8}\u{C}\n\r\t\u{1}\u{1f}\u{7f}é<\u{2028}😀")
        == "\"\\\"\\\\/\\b\\f\\n\\r\\t\\u0001\\u001f\u{7f}é<\u{2028}😀\"")
  }

  @Test("written text reads back as the same value, with keys in the same order")
  func roundTrip() throws {
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<500 {
      let value = randomValue(depth: 0, &generator)
      for text in [value.compactText, value.prettyText] {
        let back = try JSONValue(parsing: text)
        #expect(back == value)
        #expect(back.compactText == value.compactText)
      }
      #expect(try JSONValue(parsing: value.canonicalText) == value)
    }
  }

  @Test("the JSON reader never traps, whatever bytes it reads, and its values survive a round trip")
  func hostileBytes() {
    var generator = SeededGenerator(seed: 11)
    let alphabet = Array("{}[]\",:\\/*u0019dD8 \n-+.eEtrufalsn".utf8)
    var refused = 0
    for round in 0..<20_000 {
      let count = Int.random(in: 0..<24, using: &generator)
      let bytes = (0..<count).map { _ in
        round % 4 == 0
          ? UInt8.random(in: 0...255, using: &generator)
          : alphabet.randomElement(using: &generator) ?? 0
      }
      do {
        let node = try JSONReader.read(bytes, options: .commentsAndTrailingCommas)
        #expect((try? JSONValue(parsing: node.value.compactText)) == node.value)
      } catch { refused += 1 }
    }
    #expect(refused > 15_000)
  }

  private func randomValue(depth: Int, _ generator: inout SeededGenerator) -> JSONValue {
    switch Int.random(in: 0..<(depth > 4 ? 5 : 7), using: &generator) {
    case 0: return .null
    case 1: return .bool(Bool.random(using: &generator))
    case 2: return .number(JSONNumber(Int64.random(in: .min ... .max, using: &generator)))
    case 3: return .number(JSONNumber(Double.random(in: -1e9...1e9, using: &generator)))
    case 4: return .string(randomText(&generator))
    case 5:
      return .array(
        (0..<Int.random(in: 0..<5, using: &generator)).map { _ in
          randomValue(depth: depth + 1, &generator)
        })
    default:
      let count = Int.random(in: 0..<20, using: &generator)
      return .object(
        JSONObject(
          (0..<count / (depth + 1)).map { _ in
            (key: randomText(&generator), value: randomValue(depth: depth + 1, &generator))
          }))
    }
  }

  private func randomText(_ generator: inout SeededGenerator) -> String {
    let scalars: [Unicode.Scalar] = [
      "a", "\"", "\\", "\n", "\u{0}", "é", "😀", "\u{FFFF}", "/", "b",
    ]
    var text = String.UnicodeScalarView()
    for _ in 0..<Int.random(in: 0..<12, using: &generator) {
      if let scalar = scalars.randomElement(using: &generator) { text.append(scalar) }
    }
    return String(text)
  }
}
