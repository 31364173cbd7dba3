import EvalRecords
import StructuredText
import Testing

@testable import EvalSuites

/// Checks a rule and its negation on one value.
private func check(
  _ rule: some ValueRule, _ path: String, on value: JSONValue, _ verdict: Verdict, actual: String,
  negated: Verdict
) throws {
  let check = ValueCheck("rule", try JSONPlace(parsing: path), rule)
  let facts = AttemptFacts(value: value)
  let result = check.evaluate(facts)
  #expect(result.verdict == verdict, "\(rule)")
  #expect(result.actual == actual, "\(rule)")
  #expect(NotCheck(inner: check).evaluate(facts).verdict == negated, "not \(rule)")
  #expect(NotCheck(inner: NotCheck(inner: check)).evaluate(facts) == result)
}

@Suite("Checks")
struct CheckTests {
  @Test("`count` counts the elements of an array; a string fails both the check and its negation")
  func count() throws {
    let three = CountRule(bounds: CountBounds(minimum: 3, maximum: 8))
    try check(three, "$", on: [1, 2, 3], .pass, actual: "3 elements", negated: .fail)
    try check(three, "$", on: [1], .fail, actual: "1 element", negated: .pass)
    try check(three, "$", on: [], .fail, actual: "0 elements", negated: .pass)
    try check(three, "$", on: "abc", .fail, actual: #"string "abc""#, negated: .fail)
    try check(three, "$.a", on: [:], .fail, actual: "nothing at $.a", negated: .vacuous)
    #expect(three.expectation(negated: false) == "3...8 elements")
    #expect(
      CountRule(bounds: CountBounds(minimum: 1, maximum: 1)).expectation(negated: true)
        == "not exactly 1 element")
  }

  @Test("a failed `count` assertion records the number that it counted, and its bounds")
  func countFact() throws {
    let path = try JSONPlace(parsing: "$.cards[*].tags")
    let rule = CountRule(bounds: CountBounds(minimum: 2, maximum: 3))
    let assertion = Assertion(name: "tags", check: ValueCheck("count", path, rule))
    func fact(_ json: String) throws -> CountFact? {
      assertion.count(in: AttemptFacts(value: try JSONValue(parsing: json)))
    }
    #expect(
      try fact(#"{"cards": [{"tags": [1, 2]}, {"tags": []}, {"tags": [1]}]}"#)
        == CountFact(count: 0, minimum: 2, maximum: 3))
    #expect(try fact(#"{"cards": [{"tags": [1, 2]}]}"#) == nil)
    #expect(try fact(#"{"cards": [{"tags": "x"}]}"#) == nil)
  }

  @Test("for the elements of an empty array, `nonEmpty` is vacuous and doesn't pass")
  func vacuous() throws {
    let path = "$.cards[*].answer"
    let none: JSONValue = ["cards": []]
    try check(
      NonEmptyRule(), path, on: none, .vacuous, actual: "no values at $.cards[*].answer",
      negated: .vacuous)
    let some: JSONValue = ["cards": [["answer": "a"], ["answer": " \n"], ["answer": ""]]]
    try check(
      NonEmptyRule(), path, on: some, .fail,
      actual: "only white space at $.cards[1].answer and 1 more", negated: .fail)
    let all: JSONValue = ["cards": [["answer": "a"], ["answer": "b"]]]
    try check(
      NonEmptyRule(), path, on: all, .pass, actual: "as expected at all 2 places", negated: .fail)
  }

  @Test("an attempt passes if no assertion fails and at least one passes")
  func outcome() {
    func outcome(_ verdicts: Verdict...) -> Outcome {
      Outcome(
        of: verdicts.map {
          VerdictRecord(
            assertion: "", type: "", path: "$", verdict: $0, expected: "", actual: "")
        })
    }
    #expect(outcome(.pass, .vacuous) == .pass)
    #expect(outcome(.pass, .fail) == .fail)
    #expect(outcome(.vacuous, .vacuous) == .fail)
    #expect(outcome() == .fail)
  }

  @Test("a branch is the `type` of an enum with payloads, or the value of a string enum")
  func branch() throws {
    let rule = BranchRule(names: ["slip", "craving"])
    try check(rule, "$", on: ["type": "slip"], .pass, actual: "`slip`", negated: .fail)
    try check(rule, "$", on: "unclear", .fail, actual: "`unclear`", negated: .pass)
    try check(rule, "$", on: ["kind": 1], .fail, actual: #"object {"kind": 1}"#, negated: .fail)
    #expect(rule.expectation(negated: false) == "`slip` or `craving`")
  }

  @Test("numbers are compared by value, and a string never equals a number")
  func equality() throws {
    let three = EqualsRule(expected: 3)
    try check(three, "$", on: 3.0, .pass, actual: "3", negated: .fail)
    try check(three, "$", on: "3", .fail, actual: #""3""#, negated: .pass)
    try check(
      EqualsRule(expected: ["a": 1, "b": [2]]), "$", on: ["b": [2.0], "a": 1], .pass,
      actual: #"{"b": [2], "a": 1}"#, negated: .fail)
    try check(OneOfRule(values: [1, "x"]), "$", on: "x", .pass, actual: #""x""#, negated: .fail)
    try check(
      SubsetRule(values: [1, 2]), "$", on: [1, 5], .fail, actual: "5 among the elements",
      negated: .pass)
  }

  @Test("a text that only looks like the expected one is told apart by its code points")
  func lookalikes() throws {
    let space = ", with U+00A0 instead of U+0020"
    let letter = ", with `\u{43E}` (U+043E) instead of `o` (U+006F)"
    try check(
      EqualsRule(expected: "5 €"), "$", on: "5\u{A0}€", .fail, actual: "\"5\u{A0}€\"" + space,
      negated: .pass)
    try check(
      OneOfRule(values: [1, "no"]), "$", on: "n\u{43E}", .fail, actual: "\"n\u{43E}\"" + letter,
      negated: .pass)
    try check(
      BranchRule(names: ["no"]), "$", on: "n\u{43E}", .fail, actual: "`n\u{43E}`" + letter,
      negated: .pass)
    let text: JSONValue = "It is 5\u{A0}€."
    try check(
      RelationRule(relation: .contains, needles: ["5 €"]), "$", on: text, .fail,
      actual: "\"It is 5\u{A0}€.\"" + space, negated: .pass)
    try check(
      RelationRule(relation: .containsAny, needles: ["x", "5 €"], ignoresCase: true), "$", on: text,
      .fail, actual: "\"It is 5\u{A0}€.\"" + space, negated: .pass)
    try check(
      RelationRule(relation: .contains, needles: ["5 $"]), "$", on: text, .fail,
      actual: "\"It is 5\u{A0}€.\"", negated: .pass)
    try check(
      EqualsRule(expected: "e\u{301}"), "$", on: "\u{E9}", .pass, actual: "\"\u{E9}\"",
      negated: .fail)
  }

  @Test("a range includes both bounds, and a string fails both the check and its negation")
  func range() throws {
    let rule = RangeRule(bounds: NumberBounds(minimum: JSONNumber(0), maximum: JSONNumber(20)))
    try check(rule, "$", on: 0, .pass, actual: "0", negated: .fail)
    try check(rule, "$", on: 20, .pass, actual: "20", negated: .fail)
    try check(rule, "$", on: 20.5, .fail, actual: "20.5", negated: .pass)
    try check(rule, "$", on: -1, .fail, actual: "-1", negated: .pass)
    try check(rule, "$", on: "7", .fail, actual: #"string "7""#, negated: .fail)
    try check(rule, "$", on: nil, .fail, actual: "null null", negated: .vacuous)
    try check(
      CloseToRule(target: JSONNumber(1.5), tolerance: JSONNumber(0.1)), "$", on: 1.61, .fail,
      actual: "1.61", negated: .pass)
    try check(
      CloseToRule(target: JSONNumber(1.5), tolerance: JSONNumber(0.1)), "$", on: 1.6, .pass,
      actual: "1.6", negated: .fail)
  }

  @Test("big integers are compared exactly")
  func bigIntegers() throws {
    let rule = RangeRule(bounds: NumberBounds(maximum: JSONNumber(9_007_199_254_740_992)))
    let value = JSONValue.number(JSONNumber(9_007_199_254_740_993))
    try check(rule, "$", on: value, .fail, actual: "9007199254740993", negated: .pass)
  }

  @Test("texts are compared by Unicode's canonical equivalence")
  func texts() throws {
    func rule(
      _ relation: TextRelation, _ needles: [String], _ ignoring: Bool = false
    ) -> RelationRule {
      RelationRule(relation: relation, needles: needles, ignoresCase: ignoring)
    }
    let cafe: JSONValue = "Cafe\u{301} au lait"
    let shown = ValueWords.short(cafe)
    try check(rule(.contains, ["café"]), "$", on: cafe, .fail, actual: shown, negated: .pass)
    try check(
      rule(.contains, ["café"], true), "$", on: cafe, .pass, actual: shown, negated: .fail)
    try check(rule(.startsWith, ["Café"]), "$", on: cafe, .pass, actual: shown, negated: .fail)
    try check(rule(.endsWith, ["lait"]), "$", on: cafe, .pass, actual: shown, negated: .fail)
    try check(
      rule(.containsAll, ["au", "the"]), "$", on: cafe, .fail, actual: shown, negated: .pass)
    try check(
      rule(.containsAny, ["au", "the"]), "$", on: cafe, .pass, actual: shown, negated: .fail)
    try check(
      rule(.contains, ["STRASSE"], true), "$", on: "Straße", .pass, actual: #""Straße""#,
      negated: .fail)
    #expect(
      rule(.contains, ["TBD"]).expectation(negated: true) == #"does not contain "TBD""#)
  }

  @Test(
    "texts are searched scalar by scalar, so a part of a character is found",
    arguments: [
      (TextRelation.contains, "Title\r\nsecond", "\n", true), (.contains, "a\r\nb", "\r", true),
      (.contains, "I \u{2764}\u{FE0F} it", "\u{2764}", true),
      (.contains, "ok \u{1F44D}\u{1F3FD}", "\u{1F44D}", true),
      (.contains, "Step 1\u{FE0F}\u{20E3}", "1", true),
      (.contains, "pass\u{200D}word", "pass", true),
      (.contains, "\u{E19}\u{E49}\u{E33}", "\u{E19}", true),
      (.contains, "say \"\u{301} x", "\"", true), (.contains, "q\u{301}", "q", true),
      (.contains, "caf\u{E9}", "e", false), (.contains, "cafe\u{301}", "e", false),
      (.contains, "cafe\u{301}", "\u{301}", false), (.contains, "caf\u{E9}s", "cafe\u{301}", true),
      (.contains, "", "", true), (.contains, "aab", "ab", true), (.contains, "aba", "bb", false),
      (.startsWith, "\r\nx", "\r", true), (.startsWith, "e\u{301}t", "e", false),
      (.startsWith, "ab", "abc", false), (.endsWith, "x\r\n", "\n", true),
      (.endsWith, "b", "ab", false), (.endsWith, "te\u{301}", "\u{E9}", true),
    ])
  func checkScalars(relation: TextRelation, text: String, part: String, isFound: Bool) {
    let judgement = RelationRule(relation: relation, needles: [part]).judge(text: text)
    #expect(judgement.verdict(negated: false) == (isFound ? .pass : .fail))
    let call = relation == .contains ? "contains" : relation.rawValue
    let formula = try? Expression(parsing: "\(call)($.t, $.p)")
    let facts = AttemptFacts(
      value: ["t": .string(text), "p": .string(part)], stopReason: .complete)
    let context = Expression.Context(facts: facts, element: facts.value)
    #expect((try? formula?.value(in: context)) == .bool(isFound))
  }

  @Test("lengths are counted in words, sentences and characters")
  func lengths() throws {
    try check(
      LengthRule(unit: .words, bounds: CountBounds(minimum: 2, maximum: 6)), "$",
      on: "Budget review", .pass,
      actual: #"2 words: "Budget review""#, negated: .fail)
    try check(
      LengthRule(unit: .sentences, bounds: CountBounds(minimum: 1, maximum: 1)), "$",
      on: "A. So. On.", .fail,
      actual: #"2 sentences: "A. So. On.""#, negated: .pass)
    try check(
      LengthRule(unit: .characters, bounds: CountBounds(maximum: 2)), "$", on: "abc", .fail,
      actual: #"3 characters: "abc""#, negated: .pass)
  }

  @Test("an empty date passes only if the rule allows it")
  func dates() throws {
    try check(
      DateRule(form: .date, mayBeEmpty: true), "$", on: "", .pass, actual: "an empty string",
      negated: .fail)
    try check(
      DateRule(form: .date, mayBeEmpty: false), "$", on: "", .fail, actual: "an empty string",
      negated: .pass)
    try check(
      DateRule(form: .date, mayBeEmpty: true), "$", on: "soon", .fail, actual: #""soon""#,
      negated: .pass)
  }

  @Test("a place that exists counts as present, even if its value is null")
  func presence() throws {
    let path = try JSONPlace(parsing: "$.a")
    func verdicts(_ value: JSONValue) -> [Verdict] {
      let facts = AttemptFacts(value: value)
      let present = PresenceCheck(path: path, isWanted: true)
      let checks: [any Check] = [
        present, PresenceCheck(path: path, isWanted: false), NotCheck(inner: present),
        ValueCheck("isNull", path, IsNullRule()),
      ]
      return checks.map { $0.evaluate(facts).verdict }
    }
    #expect(verdicts(["a": 1]) == [.pass, .fail, .fail, .fail])
    #expect(verdicts(["a": nil]) == [.pass, .fail, .fail, .pass])
    #expect(verdicts([:]) == [.fail, .pass, .pass, .fail])
  }

  @Test("`unique` compares the values at a path, or the elements of an array")
  func unique() throws {
    let twice: JSONValue = ["cards": [["q": "What?"], ["q": "who"], ["q": "what"]]]
    let path = try JSONPlace(parsing: "$.cards[*].q")
    let facts = AttemptFacts(value: twice)
    #expect(UniqueCheck(path: path, isNormalized: false).evaluate(facts).verdict == .pass)
    let normalized = UniqueCheck(path: path, isNormalized: true).evaluate(facts)
    #expect(normalized.verdict == .fail)
    #expect(normalized.actual == #""what" at $.cards[0].q and at $.cards[2].q"#)
    let elements = UniqueCheck(path: .root, isNormalized: false)
    #expect(elements.evaluate(AttemptFacts(value: [1, 2, 1.0])).verdict == .fail)
    #expect(elements.evaluate(AttemptFacts(value: [])).verdict == .vacuous)
    #expect(NotCheck(inner: elements).evaluate(AttemptFacts(value: [])).verdict == .vacuous)
    #expect(elements.evaluate(AttemptFacts(value: "x")).verdict == .fail)
  }

  @Test("`sorted` compares numbers or strings, but not a mixture")
  func order() {
    func verdict(_ value: JSONValue, descending: Bool = false) -> Verdict {
      SortedCheck(path: .root, isDescending: descending).evaluate(AttemptFacts(value: value))
        .verdict
    }
    #expect(verdict([1, 2, 2, 10]) == .pass)
    #expect(verdict([1, 10, 2]) == .fail)
    #expect(verdict([3, 2, 1], descending: true) == .pass)
    #expect(verdict(["2026-01-02", "2026-01-10"]) == .pass)
    #expect(verdict([1, "2"]) == .fail)
    #expect(verdict([]) == .vacuous)
  }

  @Test("`each`, `any` and `none` check every element, with paths that start at the element")
  func quantifiers() throws {
    let cards = try JSONPlace(parsing: "$.cards[*]")
    let answer = try JSONPlace(parsing: "@.a", isRelative: true)
    let inner = ValueCheck(
      "words", answer, LengthRule(unit: .words, bounds: CountBounds(maximum: 1)))
    func verdict(_ quantifier: Quantifier, _ answers: [JSONValue]) -> Verdict {
      let value: JSONValue = ["cards": .array(answers.map { ["a": $0] })]
      return QuantifiedCheck(quantifier: quantifier, path: cards, nested: [inner])
        .evaluate(AttemptFacts(value: value)).verdict
    }
    #expect(verdict(.each, ["x", "y"]) == .pass)
    #expect(verdict(.each, ["x", "y z"]) == .fail)
    #expect(verdict(.any, ["x", "y z"]) == .pass)
    #expect(verdict(.any, ["x z", "y z"]) == .fail)
    #expect(verdict(.none, ["x z", "y z"]) == .pass)
    #expect(verdict(.none, ["x z", "y"]) == .fail)
    #expect(verdict(.each, []) == .vacuous)
    #expect(verdict(.none, []) == .vacuous)
    #expect(verdict(.any, []) == .fail)
    let value: JSONValue = ["cards": [["a": "x"], ["a": "y z"]]]
    let result = QuantifiedCheck(quantifier: .each, path: cards, nested: [inner])
      .evaluate(AttemptFacts(value: value))
    #expect(result.expected == "each of $.cards[*]: @.a at most 1 word")
    #expect(result.actual == #"1 of 2; 2 words: "y z" at $.cards[1]"#)
  }

  @Test("`all` passes if each of its checks passes, and `anyOf` if at least one does")
  func combinations() throws {
    let one = ValueCheck("equals", .root, EqualsRule(expected: 1))
    let two = ValueCheck("equals", .root, EqualsRule(expected: 2))
    func verdict(_ check: some Check, _ value: JSONValue) -> Verdict {
      check.evaluate(AttemptFacts(value: value)).verdict
    }
    let anyOf = CombinedCheck(combination: .anyOf, nested: [one, two])
    let all = CombinedCheck(combination: .all, nested: [one, two])
    #expect(verdict(anyOf, 2) == .pass)
    #expect(verdict(anyOf, 3) == .fail)
    #expect(verdict(all, 2) == .fail)
    #expect(verdict(NotCheck(inner: all), 2) == .pass)
  }

  @Test("a rule can check an attempt's stop reason, duration, tokens, pressure or decisions")
  func attemptRules() throws {
    let decision = DecisionRecord(
      kind: .array, path: "$.cards", index: 0,
      options: [
        OptionProbability(.element, raw: 0.9, masked: 0.9, sampled: 0.93),
        OptionProbability(.end, raw: 0.1, masked: 0.1, sampled: 0.07),
      ], chosen: .element, step: 3, unresolved: 0)
    var unresolved = decision
    (unresolved.path, unresolved.unresolved) = ("$.tags", 0.82)
    let facts = AttemptFacts(
      value: [:], stopReason: .complete, duration: 0.25, outputTokens: 12,
      constraintPressure: 1.5, decisions: [decision, unresolved])
    let cards = try JSONPlace(parsing: "$.cards")
    let tags = try JSONPlace(parsing: "$.tags")
    func bounded(
      _ path: JSONPlace, _ option: String, _ minimum: Double?, _ maximum: Double?
    ) -> DecisionRule {
      DecisionRule(
        path: path, option: option, meanings: DecisionRule.meanings(of: option, branches: nil),
        minimum: minimum, maximum: maximum)
    }
    let rules: [(any AttemptRule, Verdict, String)] = [
      (StopReasonRule(reasons: [.complete]), .pass, "`complete`"),
      (StopReasonRule(reasons: [.refusal]), .fail, "`complete`"),
      (LatencyRule(maximum: 250), .pass, "250 ms"), (LatencyRule(maximum: 249), .fail, "250 ms"),
      (TokensRule(bounds: CountBounds(maximum: 11)), .fail, "12 tokens"),
      (PressureRule(maximum: 1), .fail, "1.5 nats"),
      (bounded(cards, "end", nil, 0.05), .fail, "7 % at $.cards, element 0"),
      (bounded(cards, "element", 0.9, nil), .pass, "93 % at $.cards, element 0"),
      (bounded(cards, "middle", 0, 1), .vacuous, "no decision"),
      (bounded(tags, "end", 0, 1), .vacuous, "no resolved decision"),
    ]
    for (rule, verdict, actual) in rules {
      let result = AttemptCheck("rule", rule).evaluate(facts)
      #expect(result.verdict == verdict, "\(rule)")
      #expect(result.actual == actual, "\(rule)")
    }
  }

  @Test("where nobody measured a number, an assertion on it and its negation are vacuous")
  func unknownNumbers() throws {
    let facts = AttemptFacts(value: ["n": 1])
    func formula(_ text: String) throws -> any Check {
      FormulaCheck(expression: try Expression(parsing: text))
    }
    let duration = "an unknown duration"
    let tokens = "an unknown number of tokens"
    let rows: [(any Check, String)] = [
      (AttemptCheck("latency", LatencyRule(maximum: 500)), duration),
      (AttemptCheck("tokens", TokensRule(bounds: CountBounds(maximum: 5))), tokens),
      (AttemptCheck("pressure", PressureRule(maximum: 2)), "an unknown pressure"),
      (try formula("outputTokens() < 5"), tokens), (try formula("milliseconds() < 5"), duration),
      (try formula("$.n == 1 and outputTokens() / 2 < 5"), tokens),
    ]
    for (check, actual) in rows {
      let result = check.evaluate(facts)
      #expect(result.verdict == .vacuous && result.actual == actual, "\(check)")
      #expect(NotCheck(inner: check).evaluate(facts).verdict == .vacuous, "\(check)")
    }
    // A formula that needs no unknown number is judged, and so is a known 0.
    #expect(try formula("$.n == 1 or outputTokens() < 5").evaluate(facts).verdict == .pass)
    var known = facts
    (known.duration, known.constraintPressure) = (0, 0)
    #expect(rows[0].0.evaluate(known).verdict == .pass)
    #expect(rows[2].0.evaluate(known).verdict == .pass)
  }

  @Test(
    "a placeholder is recognized, and an ordinary text is not mistaken for one",
    arguments: [
      ("unknown", true), ("N/A", true), ("TBD.", true), ("", true), ("[Your name]", true),
      ("Lorem ipsum dolor", true), ("None of the guests came.", false), ("Nora", false),
      ("-", true), ("soon", false),
    ])
  func placeholders(text: String, isPlaceholder: Bool) {
    #expect(Placeholder.isPlaceholder(text, also: []) == isPlaceholder)
    #expect(Placeholder.isPlaceholder("Soon!", also: ["soon"]))
  }

  @Test("only the first 79 characters of a huge text are shown")
  func shortWords() {
    let long = JSONValue.string(String(repeating: "x", count: 100_000))
    #expect(ValueWords.short(long) == "\"" + String(repeating: "x", count: 79) + "…")
  }

  @Test(
    "two texts that differ only in control characters are shown differently",
    arguments: [
      ("a\u{1}", #""a\u{0001}""#), ("a\u{1b}[0m", #""a\u{001B}[0m""#), ("a\r\nb", #""a\r\nb""#),
      ("a\nb\r", #""a\nb\r""#), ("a\u{fffd}", "\"a\u{fffd}\""), ("a\tb", #""a\tb""#),
    ])
  func shownControls(text: String, words: String) {
    #expect(ValueWords.quoted(text) == words)
  }

  @Test(
    "in an array that was cut off, a minimum can hold but not fail, and a maximum can only fail",
    arguments: [
      (2, nil, 1, Verdict.unknown), (2, nil, 2, .pass), (nil, 4, 4, .unknown), (nil, 4, 5, .fail),
      (2, 4, 1, .unknown), (2, 4, 3, .unknown), (2, 4, 5, .fail), (0, 0, 0, .unknown),
    ] as [(Int?, Int?, Int, Verdict)])
  func countBeforeCut(minimum: Int?, maximum: Int?, count: Int, verdict: Verdict) {
    let rule = CountRule(bounds: CountBounds(minimum: minimum, maximum: maximum))
    let part = AnswerPart(.array(Array(repeating: .null, count: count)), cut: [])
    switch rule.judge(part) {
    case .holds: #expect(verdict == .pass)
    case .fails: #expect(verdict == .fail)
    case .unknown: #expect(verdict == .unknown)
    default: Issue.record("the rule applies to arrays")
    }
  }

  @Test("a `decision` assertion tells an enum case from an array's end and from an absent property")
  func meaningsOfOptions() {
    func meanings(_ name: String, _ branches: [String]?) -> [DecisionOption] {
      DecisionRule.meanings(of: name, branches: branches)
    }
    #expect(meanings("end", ["start", "end"]) == [.branch("end")])
    #expect(meanings("absent", ["absent"]) == [.branch("absent")])
    #expect(meanings("absent", ["calm"]) == [.absent])
    #expect(meanings("end", []) == [.end])
    #expect(meanings("calm", ["calm"]) == [.branch("calm")])
    #expect(meanings("end", nil) == [.branch("end"), .end])
  }
}
