import EvalRecords
import StructuredText
import Testing

@testable import EvalSuites

@Suite("Selecting test cases")
struct SelectionTests {
  private let suites: [Suite]

  init() {
    func text(_ id: String, variants: String, cases: String) -> String {
      """
      suite: \(id)
      tags: [all-\(id)]
      generates: { inline: { type: string } }
      assertions: [ { nonEmpty: { path: $ } } ]
      variants: \(variants)
      cases: \(cases)
      """
    }
    suites =
      SuiteLoader(
        files: .memory([
          "e/a/suite.yaml": text(
            "a", variants: "[ { id: plain }, { id: edited } ]",
            cases: "[ { id: one, tags: [short], input: x }, { id: two, input: x } ]"),
          "e/b/suite.yaml": text(
            "b", variants: "[ { id: plain } ]", cases: "[ { id: one, input: x } ]"),
        ])
      ).load(["e"]).suites
  }

  private func check(_ selection: Selection, _ expected: [String]) throws {
    let found = try selection.apply(to: suites).flatMap { suite in
      suite.cases.map { "\(suite.id)/\($0.id)" + suite.variants.map { ":\($0.id)" }.joined() }
    }
    #expect(found == expected)
  }

  @Test("by default, every test case runs in its suite's first variant")
  func defaults() throws {
    try check(Selection(), ["a/one:plain", "a/two:plain", "b/one:plain"])
    try check(
      Selection(variants: .all),
      ["a/one:plain:edited", "a/two:plain:edited", "b/one:plain"])
  }

  @Test("suites, test cases, tags and variants are selected by name")
  func names() throws {
    try check(Selection(suites: ["b"]), ["b/one:plain"])
    try check(Selection(cases: ["one"]), ["a/one:plain", "b/one:plain"])
    try check(Selection(cases: ["a/one"]), ["a/one:plain"])
    try check(Selection(tags: ["short"]), ["a/one:plain"])
    try check(Selection(tags: ["all-b", "short"]), ["a/one:plain", "b/one:plain"])
    try check(Selection(variants: .named(["edited"])), ["a/one:edited", "a/two:edited"])
    try check(Selection(suites: ["b"], tags: ["all-b"]), ["b/one:plain"])
    try check(Selection(suites: ["a"], cases: ["two"], tags: ["short"]), [])
  }

  @Test(
    "a pattern's beginning and end match different characters",
    arguments: [
      ("a*a", "a", false), ("a*a", "aa", true), ("ab*ba", "aba", false), ("ab*ba", "abba", true),
      ("a*b*a", "aba", true), ("a*b*b", "ab", false), ("a*b*b", "abb", true), ("*", "", true),
      ("a", "aa", false), ("a*", "a", true),
    ])
  func checkGlob(pattern: String, name: String, matches: Bool) {
    #expect(Glob(pattern).matches(name) == matches)
  }

  @Test("a shard's plan tells stubs and inputs apart, wherever the suite has them")
  func plans() throws {
    func plan(_ line: String, input: String = "x", ofCase: String = "") throws -> SuitePlan {
      let text = """
        suite: s
        generates: { inline: { type: string } }
        assertions: [ { nonEmpty: { path: $ } } ]
        \(line)
        cases: [ { id: one, input: \(input)\(ofCase) } ]
        """
      let loaded = SuiteLoader(files: .memory(["s/suite.yaml": text])).load(["s"])
      return try #require(loaded.suites.first, "\(loaded.problems)").plan(at: 0)
    }
    func variant(_ answer: String) -> String {
      "variants: [ { id: plain, stub: { content: \(answer) } } ]"
    }
    let plain = try plan(variant("a"))
    #expect(try plan(variant("a")) == plain)
    #expect(try plan(variant("b")).stubAnswers != plain.stubAnswers)
    #expect(try plan(variant("a"), input: "y").stubAnswers == plain.stubAnswers)
    #expect(try plan(variant("a"), input: "y").inputs != plain.inputs)
    let own = try plan(variant("a"), ofCase: ", stub: { content: c }")
    #expect(own.stubAnswers != plain.stubAnswers && own.inputs == plain.inputs)
  }

  @Test("the error for an unknown name suggests the nearest name")
  func unknownNames() {
    func check(_ selection: Selection, _ message: String) {
      let error = #expect(throws: SelectionError.self) { try selection.apply(to: suites) }
      #expect(error?.description == message)
    }
    check(
      Selection(cases: ["ome"]),
      "there is no test case `ome`; did you mean `one`? The test cases are `one`, `two`")
    check(Selection(suites: ["zz"]), "there is no suite `zz`; the suites are `a`, `b`")
    check(
      Selection(variants: .named(["b:edited"])),
      "there is no variant `b:edited`; did you mean `a:edited`? The variants are `a:plain`, "
        + "`a:edited`, `b:plain`")
    check(
      Selection(tags: ["shrot"]),
      "there is no tag `shrot`; did you mean `short`? The tags are `all-a`, `short`, `all-b`")
  }

  @Test(
    "every test case belongs to exactly one shard, whatever other test cases there are")
  func shards() throws {
    let ids = (0..<200).map { "case-\($0)" }
    for count in [1, 2, 3, 7] {
      let shards = (1...count).compactMap { Shard(index: $0, count: count) }
      #expect(shards.count == count)
      let sizes = shards.map { shard in ids.count { shard.contains(suite: "s", caseID: $0) } }
      #expect(sizes.reduce(0, +) == 200)
      // Each shard has more than a third of its fair share.
      #expect(sizes.allSatisfy { $0 > 200 / count / 3 })
    }
    #expect(Shard(parsing: "2/3") == Shard(index: 2, count: 3))
    for text in ["0/3", "4/3", "1", "a/b", "1/2/3", "/", "-1/2"] {
      #expect(Shard(parsing: text) == nil)
    }
  }

  @Test("hashes never change, and seeds differ by suite, test case and repeat")
  func stability() {
    // FNV-1a of "a" is af63dc4c8601ec8c. The hash is SplitMix64's first output for that state.
    #expect(StableHash.hash("a") == Self.splitMix(0xaf63_dc4c_8601_ec8c))
    #expect(StableHash.seed(suiteSeed: 1, caseID: "tides", repeatIndex: 0) < 1 << 53)
    var seeds: Set<UInt64> = []
    for repeatIndex in 0..<100 {
      for caseID in ["tides", "honey"] {
        seeds.insert(
          StableHash.seed(suiteSeed: 1, caseID: caseID, repeatIndex: repeatIndex))
      }
    }
    #expect(seeds.count == 200)
    #expect(
      StableHash.seed(suiteSeed: 1, caseID: "tides", repeatIndex: 0)
        != StableHash.seed(suiteSeed: 2, caseID: "tides", repeatIndex: 0))
  }

  private static func splitMix(_ state: UInt64) -> UInt64 {
    var bits = state &+ 0x9e37_79b9_7f4a_7c15
    bits = (bits ^ (bits >> 30)) &* 0xbf58_476d_1ce4_e5b9
    bits = (bits ^ (bits >> 27)) &* 0x94d0_49bb_1331_11eb
    return bits ^ (bits >> 31)
  }
}
