import EvalFindings
import EvalRecords
import EvalReports
import StructuredText

/// Generates a run from a seed, with five suites that resemble the suites in `evals`.
struct SyntheticRun {
  var id = 214
  var label = "nightly"
  var casesPerSuite = 60
  var repeats = 20
  var seed: UInt64 = 20_261_120
  /// The share of attempts in which the array of cards is empty.
  var emptyShare = 0.068
  /// The share of unclear notes that are classified as a craving.
  var confusedShare = 0.18
  /// Whether the guide of the cards says what to do with short inputs.
  var hasFullGuide = false
  var keepsTraces = true
  var status = RunRecord.Status.complete
  var backends = [SyntheticRun.toy]
  var variants = ["default"]
  /// The name of the array of cards in the schema and in the answers.
  var cards = "cards"
  /// A text at the end of the ids of test cases and of the names of assertions.
  var mark = ""

  /// The place of the array of cards.
  var cardsPlace: String { "$" + JSONPlace.Step.name(cards).text }

  static let toy = BackendRecord(
    id: "local", model: "assay-toy", modelDigest: String(repeating: "9f3c2e1d", count: 8),
    parameterCount: 712_704, isToy: true, engine: "assay 0.1.0, avx2", isDeterministic: true)
  static let stub = BackendRecord(
    id: "stub", model: "stub", engine: "assay 0.1.0", isDeterministic: true)

  var record: RunRecord {
    RunRecord(
      id: id, label: label, startedAt: "2026-11-20T02:00:00Z", finishedAt: "2026-11-20T02:11:04Z",
      status: status, toolVersion: "0.1.0", commit: "4b1d07a", backends: backends,
      suites: suites)
  }

  var gates: [GateResultRecord] {
    var tallies: [[String]: (attempts: Int, passed: Int, errors: Int)] = [:]
    for attempt in attempts where attempt.outcome != .skipped {
      let key = [attempt.key.suite, attempt.key.variant, attempt.key.backend]
      var tally = tallies[key] ?? (0, 0, 0)
      tally.attempts += 1
      if attempt.outcome == .pass { tally.passed += 1 }
      if attempt.outcome == .error { tally.errors += 1 }
      tallies[key] = tally
    }
    return suites.flatMap { suite in
      backends.compactMap { backend in
        let variant = suite.variants[0].id
        guard let tally = tallies[[suite.id, variant, backend.id]] else { return nil }
        return GateResultRecord(
          suite: suite.id, variant: variant, backend: backend.id, attempts: tally.attempts,
          passed: tally.passed, errors: tally.errors, neededRate: suite.gate.passRate,
          isPassed: Double(tally.passed) >= suite.gate.passRate * Double(tally.attempts))
      }
    }
  }

  var document: ReportDocument {
    ReportDocument(run: record, attempts: attempts, gates: gates)
  }

  // MARK: Suites

  static let guide =
    "Between 3 and 8 cards. Skip near-duplicates. Never return fewer than 3; if the passage is "
    + "short, ask about related topics that the text implies."
  static let shortGuide = "Between 3 and 8 cards. Skip near-duplicates."

  static func cardSchema(_ guide: String, named cards: String = "cards") -> String {
    """
    {"$defs":{"DraftCard":{"properties":{"question":{"type":"string"},\
    "answer":{"type":"string"}},"title":"DraftCard","type":"object"}},\
    "properties":{\(JSONWriter.quoted(cards)):{"description":\(JSONWriter.quoted(guide)),\
    "items":{"$ref":"#/$defs/DraftCard"},"type":"array"}},"required":[\(JSONWriter.quoted(cards))],\
    "title":"DraftCardSet","type":"object"}
    """
  }

  static let branches = ["craving", "slip", "progress", "unclear"]

  static var insightSchema: String {
    let definitions = branches.map { branch in
      let name = "Discriminated" + branch.prefix(1).uppercased() + branch.dropFirst()
      return "\(JSONWriter.quoted(name)):{\"description\":\"Choose this for \(branch).\","
        + "\"properties\":{\"type\":{\"const\":\"\(branch)\"},\"text\":{\"type\":\"string\"}},"
        + "\"title\":\(JSONWriter.quoted(name)),\"type\":\"object\"}"
    }
    let choices = branches.map {
      "{\"$ref\":\"#/$defs/Discriminated\($0.prefix(1).uppercased() + $0.dropFirst())\"}"
    }
    return "{\"$defs\":{\(definitions.joined(separator: ","))},\"anyOf\":"
      + "[\(choices.joined(separator: ","))],\"title\":\"SessionInsight\"}"
  }

  var suites: [SuiteRecord] {
    let leaf =
      #"{"properties":{"title":{"description":"Two to six words.","type":"string"},"minutes":"#
      + #"{"maximum":480,"minimum":5,"type":"integer"}},"title":"Leaf","type":"object"}"#
    return [
      suite(
        "flashcards", "Flashcards from a passage",
        Self.cardSchema(hasFullGuide ? Self.guide : Self.shortGuide, named: cards), "DraftCardSet",
        0.9),
      suite("session-insight", "What a note is about", Self.insightSchema, "SessionInsight", 0.9),
      suite("extracted-meeting", "A meeting from a message", leaf, "ExtractedMeeting", 0.9),
      suite("cocktail", "A recipe from a prompt set", leaf, "Drink", 0.9),
      suite("menu", "A soup of three", leaf, "Menu", 0.9),
    ]
  }

  private func suite(
    _ id: String, _ title: String, _ schema: String, _ schemaName: String, _ gate: Double
  ) -> SuiteRecord {
    let classes = ["two sentences", "about a page", "full lecture"]
    let isCards = id == "flashcards"
    var details = SuiteDetails()
    details.arrayMaximums = isCards ? [cardsPlace: 8] : nil
    return SuiteRecord(
      id: id, title: title, guards: "The regression that \(id) is about.",
      file: "evals/\(id)/suite.yaml", schemaName: schemaName,
      variants: variants.map { variant in
        VariantRecord(
          id: variant, title: "The \(variant) guide",
          schema: isCards && variant == "naive"
            ? Self.cardSchema("The cards.", named: cards) : schema,
          instructions: "You turn a passage into study cards.", promptTemplate: "{{input}}",
          edits: [])
      },
      cases: (0..<casesPerSuite).map { number in
        CaseRecord(
          id: "\(id.prefix(4))-\(number / 10)\(number % 10)\(mark)",
          title: "Input number \(number)",
          tags: isCards ? [classes[number % 3]] : [], variables: .object(["input": "x"]),
          expectedBranches: id == "session-insight"
            ? [ExpectedBranch(path: "$", branch: Self.branches[number % 4])] : [],
          assertions: [])
      },
      repeats: repeats, seed: seed, options: GenerationSettings(),
      gate: GateRecord(passRate: gate), arrayMinimums: isCards ? [cardsPlace: 3] : [:],
      details: details)
  }
}
