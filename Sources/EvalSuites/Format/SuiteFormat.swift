import EvalRecords
import GuidedGeneration

/// The only definition of the suite format, version 1.
///
/// The loader checks against it; the reference and the JSON Schema for editors are generated from
/// it.
package enum SuiteFormat {
  /// The version of the format.
  package static let version = 1

  private static let bound = KeyKind.number(
    minimum: -Double.greatestFiniteMagnitude, maximum: .greatestFiniteMagnitude)
  private static let assertions = KeyKind.list(.table(.assertion), minimum: 0)
  private static let threshold = KeyKind.number(minimum: 0, maximum: 1)
  private static let tags = KeyKind.list(.name(.identifier), minimum: 0)

  static let suite = KeyTable(
    "a suite",
    [
      KeyRow("suite", .name(.lowercase), "The suite's id, unique in a run", isRequired: true),
      KeyRow("title", .text, "One line for reports", fallback: "the id"),
      KeyRow("guards", .text, "The regression that the suite is there to catch"),
      KeyRow("tags", tags, "Words to select by; a case may add its own"),
      KeyRow("generates", .table(.generates), "What is generated", isRequired: true),
      KeyRow("instructions", .text, "The system text; a prompt set brings its own"),
      KeyRow(
        "prompt", .text, "The template over the variables of a case",
        fallback: #"`"{{input}}"`"#),
      KeyRow(
        "repeats", .integer(minimum: 1, maximum: 10_000), "Attempts per case", fallback: "1"),
      KeyRow(
        "seed", .integer(minimum: 0, maximum: .max),
        "Repeat r of a case draws its random numbers from the seed, the case's id and r",
        fallback: "1"),
      KeyRow("options", .table(.options), "How tokens are chosen"),
      KeyRow("assertions", assertions, "Checks for every case"),
      KeyRow(
        "include", .list(.text, minimum: 1),
        "Files with more checks for every case, under the key `assertions`"),
      KeyRow(
        "variants", .list(.table(.variant), minimum: 1),
        "Named edits; the first one is the default", fallback: "one, `default`, without edits"),
      KeyRow(
        "threshold", threshold,
        "The least score of an attempt that passes: the weighted share of assertions that pass",
        fallback: "no assertion may fail"),
      KeyRow(
        "metrics", .dictionary(.table(.metric)),
        "Numbers that are measured in every attempt and don't decide whether it passes"),
      KeyRow(
        "environment", .list(.name(.identifier), minimum: 1),
        "Environment variables that the suite uses: prompts as `{{env.NAME}}`, commands as they are"
      ),
      KeyRow("gate", .table(.gate), "When a run exits with 1", fallback: "`passRate: 1`"),
      KeyRow(
        "store", .choice(TextKeeping.allCases.map(\.rawValue)),
        "What is stored and reported of inputs and outputs: `digests` keeps only their form and SHA-256",
        fallback: "`texts`"),
      KeyRow("lint", .table(.lint), "Which advice on guides is not wanted"),
      KeyRow("stub", .table(.stub), "What the stub answers in cases that have no `stub`"),
      KeyRow(
        "cases", .either(list: .list(.table(.suiteCase), minimum: 1), mapping: .table(.casesFile)),
        "The cases, or the file that has them", isRequired: true),
    ])

  static let include = KeyTable(
    "an included file", [KeyRow("assertions", assertions, "The checks", isRequired: true)])

  static let generates = KeyTable(
    "what is generated",
    [
      KeyRow("schema", .text, "A schema file: Apple's dialect, or plain JSON Schema"),
      KeyRow(
        "promptSet", .text,
        "A prompt-set file, from which the schema and the instructions are built at run time"),
      KeyRow("inline", .dictionary(.value), "The schema itself, as JSON Schema"),
      KeyRow("notation", .text, "The schema itself, in the short notation"),
      KeyRow("type", .text, "A Swift type that the program registers"),
      KeyRow(
        "dialect", .choice(SchemaDialect.allCases.map(\.rawValue)),
        "How `pattern` in the schema is meant: in `apple` it matches the whole string, in "
          + "`jsonSchema` some part of it",
        fallback:
          "`jsonSchema` if the document names its `$schema` and has no `x-order`, else `apple`"
      ),
    ], rules: [.exactlyOne(["schema", "promptSet", "inline", "notation", "type"])])

  static let options = KeyTable(
    "options",
    [
      KeyRow(
        "temperature", .number(minimum: 0, maximum: 100), "Divides the logits", fallback: "0.7"),
      KeyRow(
        "sampling", .choice(["random", "greedy"]), "`greedy` takes the likeliest token",
        fallback: "`random`"),
      KeyRow(
        "topK", .integer(minimum: 0, maximum: 1 << 30),
        "Keeps so many of the likeliest tokens; 0 keeps all", fallback: "0"),
      KeyRow(
        "topP", .number(minimum: 0, maximum: 1),
        "Keeps the likeliest tokens that have this mass together; 1 keeps all", fallback: "1"),
      KeyRow(
        "minP", .number(minimum: 0, maximum: 1),
        "Keeps tokens of this share of the likeliest one's probability; 0 keeps all",
        fallback: "0"),
      KeyRow(
        "maximumTokens", .integer(minimum: 1, maximum: 1 << 30), "The most tokens of an answer",
        fallback: "512"),
      KeyRow(
        "whitespace", .choice(GenerationSettings.Whitespace.allCases.map(\.rawValue)),
        "The white space of the answer; `any` leaves it to the model, within a bound",
        fallback: "`any`"),
      KeyRow(
        "tokenization", .choice(GenerationSettings.Tokenization.allCases.map(\.suiteWord)),
        "Which tokens may spell the answer: any, the tokenizer's own for text that the schema leaves "
          + "no choice about, or only such as the tokenizer writes behind one another",
        fallback: "`allSegmentations`"),
      KeyRow(
        "outline", .choice(GenerationSettings.Outline.allCases.map(\.rawValue)),
        "How the prompt shows the schema: as types, as JSON Schema, as an example, or not at all",
        fallback: "`typescript`"),
      KeyRow(
        "mask", .choice(GenerationSettings.Mask.allCases.map(\.rawValue)),
        "`off` lets the model answer freely; the answer is parsed and checked against the schema",
        fallback: "`on`"),
    ])

  static let variant = KeyTable(
    "a variant",
    [
      KeyRow("id", .name(.identifier), "The variant's id, unique in the suite", isRequired: true),
      KeyRow("title", .text, "One line for reports", fallback: "the id"),
      KeyRow("edits", .list(.table(.edit), minimum: 0), "What the variant changes"),
      KeyRow(
        "options", .table(.options), "Options of the variant's own",
        fallback: "the case's or the suite's"),
      KeyRow(
        "stub", .table(.stub), "What the stub answers in this variant, whatever the case",
        fallback: "the case's"),
    ])

  static let edit = KeyTable(
    "an edit",
    [
      KeyRow("guide", .table(.guideEdit), "Replaces the description of a property or type"),
      KeyRow("bound", .table(.boundEdit), "Sets the bounds of an array or a number"),
      KeyRow(
        "removeBranch", .table(.branchEdit), "Takes one choice out of a union or string enum"),
      KeyRow("instructions", .table(.textEdit), "Replaces the instructions"),
      KeyRow("prompt", .table(.textEdit), "Replaces the prompt template"),
    ], rules: [.exactlyOne(["guide", "bound", "removeBranch", "instructions", "prompt"])])

  private static let at = KeyRow(
    "at", .text, "The place: `Type.property`, `Type.case` or `Type`", isRequired: true)

  static let guideEdit = KeyTable(
    "an edit of a guide", [at, KeyRow("text", .text, "The new description", isRequired: true)])
  static let boundEdit = KeyTable(
    "an edit of bounds",
    [
      at, KeyRow("min", bound, "The least number of elements, or the least number"),
      KeyRow("max", bound, "The greatest"),
    ], rules: [.atLeastOne(["min", "max"]), .ordered("min", "max")])
  static let branchEdit = KeyTable(
    "the removal of a choice",
    [at, KeyRow("case", .text, "The choice that is taken out", isRequired: true)])
  static let textEdit = KeyTable(
    "an edit of a text", [KeyRow("text", .text, "The new text", isRequired: true)])

  private static let rate = KeyKind.number(minimum: 0, maximum: 1)

  static let gate = KeyTable(
    "a gate",
    [
      KeyRow(
        "passRate", rate,
        "The share of attempts that must pass, per backend, in the default variant",
        fallback: "1"),
      KeyRow(
        "guardrail", .list(.value, minimum: 0),
        "Assertions that may never fail, by name or by index from 0"),
      KeyRow(
        "reducer", .reducer,
        "How the repeats of a case make its score: `all`, `mean`, `at least 2`, `pass@2`, `pass^2`; "
          + "`passRate` is then asked of the mean score of the cases"),
      KeyRow(
        "metrics", .dictionary(.table(.metricBounds)), "Bounds of the means of metrics, by name"),
      KeyRow("backends", .dictionary(rate), "Another rate for a backend, by the backend's id"),
    ])

  static let caseGate = KeyTable(
    "a case's gate",
    [
      KeyRow("passRate", rate, "The least score of the case over its repeats", fallback: "1"),
      KeyRow(
        "reducer", .reducer, "How the repeats make the score", fallback: "the suite's, or `mean`"),
    ])

  static let metricBounds = KeyTable(
    "the bounds of a metric",
    [
      KeyRow("min", bound, "The least mean"), KeyRow("max", bound, "The greatest mean"),
    ], rules: [.atLeastOne(["min", "max"]), .ordered("min", "max")])

  static let metric = KeyTable(
    "a metric",
    [
      KeyRow("value", .path, "The number at a place; true is 1 and false is 0"),
      KeyRow(
        "count", .path,
        "The elements or members at a place, or the places that a path with `[*]` selects"),
      KeyRow("expression", .formula, "The value of a formula"),
      KeyRow(
        "of", .choice(Metric.AttemptNumber.allCases.map(\.rawValue)),
        "`latency` (milliseconds), tokens, `pressure` (nats, also as `formatPressure` and "
          + "`contentPressure`) or `score` of the attempt"),
      KeyRow(
        "derived", .formula,
        "A formula over the means of other metrics, `$.name`, made once for all attempts"),
      KeyRow("unit", .text, "The unit, for reports"),
    ], rules: [.exactlyOne(["value", "count", "expression", "of", "derived"])])

  static let lint = KeyTable(
    "the lint",
    [
      KeyRow(
        "silence", .list(.text, minimum: 0),
        "Rules that are not applied: `rule`, or `rule at Type.property`")
    ])

  private static let fault = KeyKind.choice(StubScript.Fault.allCases.map(\.rawValue))

  static let stub = KeyTable(
    "a stub",
    [
      KeyRow("content", .value, "The value that is answered always"),
      KeyRow(
        "sequence", .list(.table(.stubEntry), minimum: 1),
        "Repeat r is answered by entry r, from the start again after the last"),
      KeyRow(
        "weighted", .list(.table(.weightedStubEntry), minimum: 1),
        "Each repeat draws an entry by weight, under its seed"),
      KeyRow("fault", fault, "What goes wrong always"),
      KeyRow(
        "latency", .number(minimum: 0, maximum: 86_400_000),
        "How long an answer takes, in milliseconds", fallback: "0"),
    ], rules: [.exactlyOne(["content", "sequence", "weighted", "fault"])])

  private static let entryRows = [
    KeyRow("content", .value, "The value that is answered"),
    KeyRow("fault", fault, "What goes wrong instead"),
  ]
  static let stubEntry = KeyTable(
    "an answer of the stub", entryRows, rules: [.exactlyOne(["content", "fault"])])
  static let weightedStubEntry = KeyTable(
    "a weighted answer of the stub",
    [
      KeyRow(
        "weight", .number(minimum: 0, maximum: 1e12), "The weight beside the others",
        fallback: "1")
    ] + entryRows, rules: [.exactlyOne(["content", "fault"])])

  static let suiteCase = KeyTable(
    "a case",
    [
      KeyRow("id", .name(.identifier), "The case's id, unique in the suite", isRequired: true),
      KeyRow("title", .text, "One line for reports", fallback: "the id"),
      KeyRow(
        "aliases", .list(.name(.identifier), minimum: 1),
        "Earlier ids of the case, the oldest first: it keeps its seeds, and is compared with a "
          + "baseline "
          + "that has one of them"),
      KeyRow("tags", tags, "Words to select by, beside the suite's"),
      KeyRow("assertions", assertions, "Checks for this case, beside the suite's"),
      KeyRow("threshold", threshold, "Another threshold", fallback: "the suite's"),
      KeyRow(
        "repeats", .integer(minimum: 1, maximum: 10_000), "Other repeats", fallback: "the suite's"),
      KeyRow("options", .table(.options), "Other options", fallback: "the suite's"),
      KeyRow(
        "gate", .table(.caseGate),
        "A gate of its own; the case is then left out of the suite's rate"),
      KeyRow("stub", .table(.stub), "What the stub answers", fallback: "the suite's"),
    ], others: .value)

  static let casesFile = KeyTable(
    "a file of cases",
    [
      KeyRow(
        "file", .text,
        "JSON Lines (`.jsonl`), a JSON array (`.json`), YAML, or CSV with a header (`.csv`)",
        isRequired: true)
    ])

  static let promptSet = KeyTable(
    "a prompt set",
    [
      KeyRow("type", .text, "What kind of prompt set it is"),
      KeyRow("instructions", .text, "The instructions of the session", isRequired: true),
      KeyRow("name", .text, "The name of the generated type", isRequired: true),
      KeyRow("description", .text, "The description of the generated type"),
      KeyRow("summaryGuide", .text, "The guide of `summary`"),
      KeyRow("confidenceGuide", .text, "The guide of `confidence`"),
      KeyRow(
        "subComponents", .list(.table(.promptSetPart), minimum: 1),
        "One string property each, inside the object `subComponents`", isRequired: true),
    ])
  static let promptSetPart = KeyTable(
    "a sub-component",
    [
      KeyRow("title", .text, "The name of the property", isRequired: true),
      KeyRow("bodyGuide", .text, "The guide of the property"),
    ])

  static let assertion = KeyTable(
    "an assertion",
    [
      KeyRow(
        "name", .text, "The name in reports and for `gate.guardrail`", fallback: "type and path"),
      KeyRow(
        "weight", .number(minimum: 0, maximum: 1_000_000),
        "How much it counts for the score; 0 keeps the verdict and decides nothing",
        fallback: "1"),
    ]
      + AssertionKind.all.map { KeyRow($0.name, $0.keyKind, $0.summary) },
    rules: [.exactlyOne(AssertionKind.all.map(\.name))])
}
