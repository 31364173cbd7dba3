import Foundation
import GuidedGeneration
import StructuredText
import TestSupport
import Testing

@Suite("Generated content")
struct GeneratedContentTests {
  static let text = #"""
    {"title": "Fjell og \"hav\" \u00e6\ud83d\ude00", "count": 9007199254740993, "ratio": -1.5e-3, \#
    "tags": ["a", "", []], "flag": true, "none": null, "inner": {"z": 1, "a": false}}
    """#

  @Test("keys keep their order, and integers keep their digits")
  func order() throws {
    let content = try GeneratedContent(json: Self.text)
    #expect(content.isComplete)
    guard case .structure(let properties, let keys) = content.kind else {
      Issue.record("the content is not a structure")
      return
    }
    #expect(keys == ["title", "count", "ratio", "tags", "flag", "none", "inner"])
    #expect(properties["title"]?.kind == .string("Fjell og \"hav\" æ😀"))
    #expect(try content.value(Int.self, forProperty: "count") == 9_007_199_254_740_993)
    #expect(try content.value(Decimal.self, forProperty: "ratio") == Decimal(string: "-0.0015"))
    #expect(try content.value(String?.self, forProperty: "none") == nil)
    #expect(try content.value(String?.self, forProperty: "gone") == nil)
    #expect(
      content.jsonString == #"""
        {"title": "Fjell og \"hav\" æ😀", "count": 9007199254740993, "ratio": -1.5e-3, \#
        "tags": ["a", "", []], "flag": true, "none": null, "inner": {"z": 1, "a": false}}
        """#)
    #expect(try GeneratedContent(json: content.jsonString) == content)
  }

  @Test("every prefix of a text can be read as partial content, which never loses a key")
  func prefixes() throws {
    let whole = try GeneratedContent(json: Self.text)
    var before = 0
    for end in Self.text.unicodeScalars.indices {
      let prefix = String(Self.text.unicodeScalars[..<end])
      let content = try GeneratedContent(json: prefix)
      #expect(!content.isComplete, "\(prefix)")
      var keys: [String] = []
      if case .structure(_, let known) = content.kind { keys = known }
      #expect(keys.count >= before)
      before = keys.count
      guard case .structure(let all, _) = whole.kind,
        case .structure(let some, _) = content.kind
      else { continue }
      for key in keys where some[key]?.isComplete == true {
        #expect(some[key] == all[key], "\(key) in \(prefix)")
      }
    }
  }

  @Test("an unfinished string keeps its complete characters")
  func partialString() throws {
    let content = try GeneratedContent(json: #"{"title": "A story of\u00"#)
    #expect(try content.value(String.self, forProperty: "title") == "A story of")
    #expect(try GeneratedContent(json: "[12").kind == .array([GeneratedContent(json: "12.")]))
    #expect(try GeneratedContent(json: "").kind == .null)
    #expect(
      try GeneratedContent(json: #"{"a"#).kind == .structure(properties: [:], orderedKeys: []))
  }

  @Test("partial content survives a round trip through `openText`, which only grows with more text")
  func openText() throws {
    let text = #"{"a": "x\"\u00e9\n", "b": [1, -2.5e3, true, null, {"c": {}}], "d": [], "e": ""}"#
    var last = ""
    for end in text.indices.dropFirst() + [text.endIndex] {
      let content = try GeneratedContent(json: String(text[..<end]))
      let written = content.openText
      // Reading the text back gives the same content, which is complete if and only if the
      // original was.
      let read = try GeneratedContent(json: written)
      #expect(read.jsonString == content.jsonString, "\(text[..<end])")
      #expect(read.isComplete == content.isComplete, "\(text[..<end])")
      #expect(written.hasPrefix(last), "\(text[..<end])")
      last = written
    }
    #expect(last == #"{"a":"x\"é\n","b":[1,-2.5e3,true,null,{"c":{}}],"d":[],"e":""}"#)
  }

  static let hostileTexts: [(String, Int)] = [
    (#"{"a": 1, "a": 2}"#, 9), (#"["\ud800"]"#, 2), (#"["\udc00\ud800"]"#, 2), ("1e999", 0),
    ("[01]", 1), ("[-a]", 1), ("[1.]", 1), ("nul?", 0), ("[1] 2", 4), ("{1: 2}", 1),
    (#"{"a" 1}"#, 5), ("[1 2]", 3), ("\"\n\"", 1), (#""\x""#, 1), ("}", 0), ("\u{FEFF}1", 0),
    // These texts exceed the depth limit of 512. Each level of the second text has five bytes.
    (String(repeating: "[", count: 100_000), 512),
    (String(repeating: #"{"a":"#, count: 100_000), 2560),
  ]

  @Test(
    "reading hostile text throws a typed error with the offset of the problem",
    arguments: hostileTexts)
  func hostile(text: String, offset: Int) {
    #expect {
      try GeneratedContent(json: text)
    } throws: { error in
      let error = error as? GeneratedContent.ParsingError
      return error?.rawContent == text
        && (error?.underlyingError as? JSONTextProblem)?.offset == offset
    }
  }

  @Test("decoding content that doesn't fit a type throws an error")
  func mismatches() throws {
    func check<T: Generable>(_ type: T.Type, _ json: String) throws {
      let content = try GeneratedContent(json: json)
      #expect(throws: GeneratedContent.ParsingError.self) { try content.value(type) }
    }
    try check(Int.self, "1.5")
    try check(Int.self, "9223372036854775808")
    try check(Int.self, "\"1\"")
    try check(Bool.self, "1")
    try check(String.self, "null")
    try check([Int].self, "[1, true]")
    try check(Float.self, "1e300")
    try check(Never.self, "1")
    let content = try GeneratedContent(json: "{}")
    #expect(throws: GeneratedContent.ParsingError.self) {
      try content.value(Int.self, forProperty: "a")
    }
    #expect(throws: GeneratedContent.ParsingError.self) {
      try GeneratedContent(5).value(Int?.self, forProperty: "a")
    }
  }

  @Test("a value is unchanged after a round trip through its content")
  func roundTrips() throws {
    var random = SeededGenerator(seed: 20)
    func check<T: Generable & Equatable>(_ value: T) throws {
      #expect(try T(value.generatedContent) == value)
      #expect(try T(GeneratedContent(json: value.generatedContent.jsonString)) == value)
    }
    for _ in 0..<200 {
      let bits = UInt64.random(in: .min ... .max, using: &random)
      try check(Int(truncatingIfNeeded: bits))
      let double = Double(bitPattern: bits)
      if double.isFinite { try check(double) }
      let float = Float(bitPattern: UInt32(truncatingIfNeeded: bits))
      if float.isFinite { try check(float) }
      try check(Decimal(Int64(truncatingIfNeeded: bits)) / 1000)
      let scalars = (0..<8).compactMap { Unicode.Scalar(UInt32(bits >> ($0 * 7) & 0x1FFF)) }
      try check(String(String.UnicodeScalarView(scalars)))
      try check((0..<5).map { bits >> $0 & 1 == 1 })
    }
    try check([[""], [], ["\u{0}\u{1F}\u{7F}\"\\/"]])
    try check(Int.min)
    try check(Int.max)
  }

  @Test("if a key occurs twice, a structure takes the last value, or combines both with a closure")
  func uniquing() throws {
    #expect(
      GeneratedContent(properties: ["a": 1, "b": "x", "a": 2]).jsonString == #"{"a": 2, "b": "x"}"#)
    let pairs: [(String, any ConvertibleToGeneratedContent)] = [("a", 1), ("a", 2)]
    let sum = try GeneratedContent(properties: pairs) { left, right in
      try left.value(Int.self) + right.value(Int.self)
    }
    #expect(sum.jsonString == #"{"a": 3}"#)
    #expect(
      GeneratedContent(
        kind: .structure(properties: ["b": sum, "c": sum], orderedKeys: ["x", "c", "c"])
      ).jsonString == #"{"c": {"a": 3}, "b": {"a": 3}}"#)
  }

  @Test("every generation id is different, and ids don't affect equality")
  func identities() {
    let id = GenerationID()
    #expect(id != GenerationID())
    #expect(GeneratedContent(5, id: id).id == id)
    #expect(GeneratedContent(5, id: id) == GeneratedContent(5))
  }
}
