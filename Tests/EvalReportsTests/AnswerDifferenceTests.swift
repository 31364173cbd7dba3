import EvalRecords
import Testing

@testable import EvalFindings
@testable import EvalReports

@Suite("Difference between two answers")
struct AnswerDifferenceTests {
  /// One row as text: removed words in `[-…-]`, added words in `{+…+}`, an absent side as `∅`.
  private func text(_ row: AnswerDifference.Row) -> String {
    let words = row.parts.map { part in
      switch part {
      case .same(let text): text
      case .removed(let text): "[-\(text)-]"
      case .added(let text): "{+\(text)+}"
      }
    }
    let side =
      switch row.missing {
      case .baseline: " ∅ before"
      case .candidate: " ∅ after"
      case nil: ""
      }
    return "\(row.place): \(words.joined())\(side)"
  }

  @Test(
    "values are compared by their places, and a value that one side lacks is named",
    arguments: [
      (#"{"a":"x y"}"#, #"{"a":"x z"}"#, ["$.a: x[- y-]{+ z+}"]),
      (#"{"a":[1]}"#, #"{"a":[1,2]}"#, ["$.a[0]: 1", "$.a[1]: {+2+} ∅ before"]),
      (
        #"{"a":[1,2]}"#, #"{"a":[]}"#,
        ["$.a: [-2 elements-]{+[]+}", "$.a[0]: [-1-] ∅ after", "$.a[1]: [-2-] ∅ after"]
      ),
      (
        #"{"a":"x"}"#, #"{"a":{"b":1}}"#, ["$.a.b: {+1+} ∅ before", "$.a: [-x-]{+1 member+}"]
      ),
      (#"{"ab":[1]}"#, #"{"a":[]}"#, ["$.a: {+[]+} ∅ before", "$.ab[0]: [-1-] ∅ after"]),
      (#"{"a":"1"}"#, #"{"a":1}"#, [#"$.a: [-"1"-]{+1+}"#]),
      (#"{"a":null}"#, #"{"a":"null"}"#, [#"$.a: [-null-]{+"null"+}"#]),
      ("not JSON at all", "not JSON", ["$: not JSON[- at all-]"]),
      (#"{"a b":1}"#, #"{"a b":1}"#, ["$['a b']: 1"]),
      ("", "", []),
    ])
  func check(baseline: String, candidate: String, expected: [String]) {
    let difference = AnswerDifference(from: baseline, to: candidate)
    #expect(difference.rows.map(text) == expected)
  }

  @Test("a change at the end of a long text keeps the words around it")
  func longText() throws {
    let words = (1...400).map { "word\($0)" }.joined(separator: " ")
    let difference = AnswerDifference(
      from: "{\"a\":\"\(words) old\"}", to: "{\"a\":\"\(words) new\"}")
    let row = try #require(difference.rows.first)
    let shown = text(row)
    #expect(shown.hasSuffix("word400[- old-]{+ new+}"))
    #expect(shown.count < 120)
  }

  @Test("a change after hundreds of equal values is listed, and the equal values are counted")
  func manyValues() {
    let same = (1...300).map { "\"v\($0)\"" }.joined(separator: ",")
    let difference = AnswerDifference(from: "[\(same),\"old\"]", to: "[\(same),\"new\"]")
    #expect(difference.rows.last.map(text) == "$[300]: [-old-]{+new+}")
    #expect(difference.leftOutSame + difference.rows.count == 301)
    #expect(difference.leftOutChanged == 0)
  }

  @Test("of hundreds of changed values, the first are listed and the others are counted")
  func manyChanges() {
    func list(_ word: String) -> String {
      "[" + (1...300).map { "\"\(word)\($0)\"" }.joined(separator: ",") + "]"
    }
    let difference = AnswerDifference(from: list("a"), to: list("b"))
    #expect(difference.rows.count == AnswerDifference.maximumRows)
    #expect(difference.leftOutChanged == 300 - AnswerDifference.maximumRows)
  }
}
