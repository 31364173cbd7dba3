import TestSupport
import Testing

@testable import StructuredText

@Suite("JSON scanner")
struct JSONScannerTests {
  /// Returns the events of a text up to the first problem, with the values of keys, strings and
  /// numbers, and the problem.
  private func scan(
    _ text: String, isLenient: Bool = false
  ) -> (events: [String], problem: JSONScanner.Problem?) {
    Array(text.utf8).withUnsafeBufferPointer { bytes in
      var scanner = JSONScanner(bytes, isLenient: isLenient)
      var events: [String] = []
      while true {
        do throws(JSONScanner.Problem) {
          let event = try scanner.next()
          switch event {
          case .end: return (events, nil)
          case .key, .string: events.append("\(event) \(scanner.text)")
          case .number: events.append("number \(scanner.number.text)")
          default: events.append("\(event)")
          }
        } catch {
          if let open = scanner.openToken {
            events.append("\(open) \(open == .number ? scanner.number.text : scanner.text)…")
          }
          return (events, error)
        }
      }
    }
  }

  @Test(
    "a text is a sequence of events, and its end may cut the last",
    arguments: [
      ("[]", ["beginArray", "endArray"]),
      (
        #" {"a" : [1.50, -0], "\u00fc\ud83d\ude00": {"b":null}} "#,
        [
          "beginObject", "key a", "beginArray", "number 1.50", "number -0", "endArray", "key ü😀",
          "beginObject", "key b", "null", "endObject", "endObject",
        ]
      ),
      (#"[true,false,"x\n"]"#, ["beginArray", "true", "false", "string x\n", "endArray"]),
      (#"{"ke"#, ["beginObject", "key ke…"]), (#"["a\ud83d\u"#, ["beginArray", "string a…"]),
      ("[1.5e+", ["beginArray", "number 1.5…"]), ("[-", ["beginArray"]), ("[tru", ["beginArray"]),
    ] as [(String, [String])])
  func checkEvents(_ text: String, _ events: [String]) {
    let found = scan(text)
    #expect(found.events == events)
    #expect(found.problem?.isAtEnd != false)
  }

  @Test(
    "a problem has its kind, the beginning of its token and the place of the byte",
    arguments: [
      ("", .noValue, 0, 0), ("[", .missingValue, 1, 1), ("[?", .notValue, 1, 1),
      ("{1", .notKey, 1, 1), (#"{"a" 1"#, .noColon, 5, 5), ("[tree", .unknownWord, 1, 3),
      ("[1 2", .noSeparator(inObject: false), 3, 3),
      (#"{"a":1 ]"#, .noSeparator(inObject: true), 7, 7),
      ("[1 , ]", .trailingComma(inObject: false), 3, 5),
      (#"{"a":1,}"#, .trailingComma(inObject: true), 6, 7), ("1 1", .trailingText, 2, 2),
      ("[-x", .noDigit(.whole), 1, 2), ("[1.x", .noDigit(.fraction), 1, 3),
      ("[1e+x", .noDigit(.exponent), 1, 4), ("[-01", .leadingZero, 1, 2),
      ("[\"a\tb\"", .controlCharacter, 3, 3), (#"["ab"#, .unclosedString, 1, 4),
      (#"["a\"#, .unfinishedEscape, 3, 4), (#"["\q"#, .unknownEscape, 2, 2),
      (#"["\u12x"#, .incompleteUnicodeEscape, 2, 2),
      (#"["\ud83d\u1x"#, .incompleteUnicodeEscape, 2, 8), (#"["\ud83d "#, .halfSurrogate, 2, 2),
      (#"["\udc00\udc00"#, .halfSurrogate, 2, 2), ("[/", .notValue, 1, 1),
    ] as [(String, JSONScanner.Problem.Reason, Int, Int)])
  func checkProblem(_ text: String, _ reason: JSONScanner.Problem.Reason, _ start: Int, _ at: Int) {
    let problem = scan(text).problem
    #expect(problem?.reason == reason)
    #expect(problem?.start == start && problem?.offset == at)
  }

  @Test("more brackets than the limit are a problem, and as many as the limit are closed in order")
  func depth() {
    let limit = JSONReader.depthLimit
    for count in [63, 64, 65, 128, 129, limit] {
      // Arrays and objects in an order that doesn't repeat after 64 of them.
      var numbers = SeededGenerator(seed: UInt64(count))
      let kinds = (0..<count).map { _ in numbers.chance(0.5) }
      let text =
        kinds.map { $0 ? #"{"a":"# : "[" }.joined() + "1"
        + kinds.reversed().map { $0 ? "}" : "]" }.joined()
      let found = scan(text)
      #expect(found.problem == nil, "\(count)")
      #expect(
        found.events.suffix(count) == kinds.reversed().map { $0 ? "endObject" : "endArray" }[...])
    }
    #expect(scan(String(repeating: "[", count: limit + 1)).problem?.reason == .tooDeep)
  }

  @Test("every beginning of a JSON text has its problem at the end, and no other")
  func beginnings() throws {
    let text =
      #"{"a":[1,-0.5e-3,{"b\u00e9\ud83d\ude00":"x\"y\\"}],"c":true,"d":null,"":{"e":[[]]}} "#
    let scalars = Array(text.unicodeScalars)
    for count in 0..<scalars.count - 1 {
      var view = String.UnicodeScalarView()
      view.append(contentsOf: scalars.prefix(count))
      let found = scan(String(view))
      #expect(found.problem?.isAtEnd == true, "\(String(view))")
    }
    #expect(scan(text).problem == nil)
  }

  @Test("the byte lexer finds the same brackets and strings as the scanner")
  func lexer() {
    let text = #" {"a\"]":[1,"}{\\",{"b":"\\\""}] , "c" : [[ ],{}]} "#
    var lexer = JSONByteLexer()
    var (string, found): ([UInt8], [String]) = ([], [])
    for byte in text.utf8 {
      switch lexer.feed(byte) {
      case .beginObject, .beginArray: found.append("begin")
      case .end: found.append("end")
      case .beginString: string = []
      case .inString: string.append(byte)
      case .endString: found.append(JSONEscapes.unescaped(string))
      case .comma, .colon, .space, .scalar: break
      }
    }
    let events = scan(text).events.compactMap { event -> String? in
      if event.hasPrefix("begin") { return "begin" }
      if event.hasPrefix("end") { return "end" }
      return event.hasPrefix("number")
        ? nil : String(event.drop { $0 != " " }.dropFirst())
    }
    #expect(found == events)
  }

  @Test(
    "an escape is complete after its letter, its digits, or both halves of a surrogate pair",
    arguments: [
      (#"\"#, false), (#"\n"#, true), (#"\u"#, false), (#"\u00e"#, false), (#"\u00e9"#, true),
      (#"\ud83d"#, false), (#"\uDBFF\u"#, false), (#"\ud83d\ude00"#, true), (#"\udc00"#, true),
    ])
  func checkComplete(_ escape: String, _ isComplete: Bool) {
    #expect(JSONEscapes.isComplete(Array(escape.utf8)) == isComplete)
  }
}
