import EvalRecords
import GuidedGeneration

/// The definition of version 1 of the suite format.
///
/// The loader checks suites against this definition. The reference and the JSON Schema for editors
/// are generated from it.
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
      KeyRow("guards", .text, "What the suite guards against, for example empty lists"),
      KeyRow(
        "tags", tags,
        "Labels by which `--tag` selects the suite's test cases; a test case can add more"),
      KeyRow("generates", .table(.generates), "The type of the answers", isRequired: true),
      KeyRow(
        "instructions", .text,
        "The system message; by default, the instructions of the prompt set, if there is one"),
      KeyRow(
        "prompt", .text,
        "The template of the prompt; `{{name}}` stands for a variable of the test case",
        fallback: #"`"{{input}}"`"#),
      KeyRow(
        "repeats", .integer(minimum: 1, maximum: 10_000), "Attempts per test case", fallback: "1"),
      KeyRow(
        "seed", .integer(minimum: 0, maximum: .max),
        "The seed of the random numbers; an attempt's random numbers also depend on the test "
          + "case's id and on the number of the repeat",
        fallback: "1"),
      KeyRow("options", .table(.options), "The options for sampling and the prompt"),
      KeyRow("assertions", assertions, "Assertions for every test case"),
      KeyRow(
        "include", .list(.text, minimum: 1),
        "Files that add assertions to every test case; such a file has the key `assertions`"),
      KeyRow(
        "variants", .list(.table(.variant), minimum: 1),
        "The variants, each a named list of edits; the first one is the default",
        fallback: "one variant, `default`, without edits"),
      KeyRow(
        "threshold", threshold,
        "The minimum score for an attempt to pass; the score is the weighted share of "
          + "assertions that pass",
        fallback: "no assertion may fail"),
      KeyRow(
        "metrics", .dictionary(.table(.metric)),
        "Numbers that Assay computes for every attempt; they don't decide whether it passes"),
      KeyRow(
        "environment", .list(.name(.identifier), minimum: 1),
        "The environment variables that the suite may use: `{{env.NAME}}` in prompts, `env.NAME` "
          + "in assertions, and `NAME` in the environment of programs"),
      KeyRow(
        "gate", .table(.gate),
        "The rule that decides whether the suite passes; if it doesn't, the exit status is 1",
        fallback: "`passRate: 1`"),
      KeyRow(
        "store", .choice(TextKeeping.allCases.map(\.rawValue)),
        "The form in which Assay stores and reports inputs and outputs: `texts` keeps the texts, "
          + "`digests` only their structure and SHA-256",
        fallback: "`texts`"),
      KeyRow("lint", .table(.lint), "Lint rules to silence"),
      KeyRow("stub", .table(.stub), "The stub's answers to test cases without their own `stub`"),
      KeyRow(
        "cases", .either(list: .list(.table(.suiteCase), minimum: 1), mapping: .table(.casesFile)),
        "The test cases, or the file that contains them", isRequired: true),
    ])

  static let include = KeyTable(
    "an included file", [KeyRow("assertions", assertions, "The assertions", isRequired: true)])

  static let generates = KeyTable(
    "the generated type",
    [
      KeyRow("schema", .text, "A schema file: Apple's dialect, or plain JSON Schema"),
      KeyRow(
        "promptSet", .text,
        "A prompt-set file, from which Assay builds the schema and the instructions at run time"),
      KeyRow("inline", .dictionary(.value), "The schema itself, as JSON Schema"),
      KeyRow("type", .text, "A Swift type, under the name that your program registers"),
      KeyRow(
        "dialect", .choice(SchemaDialect.allCases.map(\.rawValue)),
        "The dialect of the schema: in `apple`, a `pattern` must match the whole string; in "
          + "`jsonSchema`, it may match any part of the string",
        fallback:
          "`jsonSchema` if the document has a `$schema` and no `x-order`, otherwise `apple`"
      ),
    ], rules: [.exactlyOne(["schema", "promptSet", "inline", "type"])])

  static let options = KeyTable("options", GenerationSetting.allCases.map { KeyRow($0) })

  static let variant = KeyTable(
    "a variant",
    [
      KeyRow("id", .name(.identifier), "The variant's id, unique in the suite", isRequired: true),
      KeyRow("title", .text, "One line for reports", fallback: "the id"),
      KeyRow("edits", .list(.table(.edit), minimum: 0), "The changes that the variant makes"),
      KeyRow(
        "options", .table(.options), "Options for this variant",
        fallback: "the test case's or the suite's"),
      KeyRow(
        "stub", .table(.stub), "The stub's answers in this variant, to all test cases",
        fallback: "the test case's"),
    ])

  static let edit = KeyTable(
    "an edit",
    [
      KeyRow("guide", .table(.guideEdit), "Replaces the description of a property or type"),
      KeyRow("bound", .table(.boundEdit), "Sets the bounds of an array or a number"),
      KeyRow(
        "removeBranch", .table(.branchEdit), "Removes a choice from a union or string enum"),
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
      at, KeyRow("min", bound, "The minimum number of elements, or the minimum of a number"),
      KeyRow("max", bound, "The maximum"),
    ], rules: [.atLeastOne(["min", "max"]), .ordered("min", "max")])
  static let branchEdit = KeyTable(
    "the removal of a choice",
    [at, KeyRow("case", .text, "The choice to remove", isRequired: true)])
  static let textEdit = KeyTable(
    "an edit of a text", [KeyRow("text", .text, "The new text", isRequired: true)])

  private static let rate = KeyKind.number(minimum: 0, maximum: 1)

  static let gate = KeyTable(
    "a gate",
    [
      KeyRow(
        "model", .text,
        "The model that the gate and the baselines were written for: its name in the project file, "
          + "the name of its file without `.gguf`, or the id of a backend; on other models, the "
          + "suite is not judged",
        fallback: "any model"),
      KeyRow(
        "passRate", rate,
        "The share of attempts that must pass on each backend, in the default variant",
        fallback: "1"),
      KeyRow(
        "guardrail", .list(.value, minimum: 0),
        "Assertions that must never fail, each given by its name or by its index, counted from 0"),
      KeyRow(
        "reducer", .reducer,
        "The rule that turns the repeats of a test case into its score: `all`, `mean`, "
          + "`at least 2`, `pass@2`, `pass^2`; `passRate` then applies to the mean score of the "
          + "test cases"),
      KeyRow(
        "metrics", .dictionary(.table(.metricBounds)),
        "Bounds on the means of metrics, under the names of the metrics"),
      KeyRow(
        "backends", .dictionary(rate),
        "A different pass rate for some backends, each under the backend's id; `local` also "
          + "applies to each model that a run names with `--model`"),
    ])

  static let caseGate = KeyTable(
    "a test case's gate",
    [
      KeyRow(
        "passRate", rate, "The minimum score of the test case over its repeats", fallback: "1"),
      KeyRow(
        "reducer", .reducer, "The rule that turns the repeats into the score",
        fallback: "the suite's, or `mean`"),
    ])

  static let metricBounds = KeyTable(
    "the bounds of a metric",
    [
      KeyRow("min", bound, "The minimum mean"), KeyRow("max", bound, "The maximum mean"),
    ], rules: [.atLeastOne(["min", "max"]), .ordered("min", "max")])

  static let metric = KeyTable(
    "a metric",
    [
      KeyRow("value", .path, "The number at a path; true is 1 and false is 0"),
      KeyRow(
        "count", .path,
        "The number of elements or members at a path; if the path has `[*]`, the number of "
          + "selected values"
      ),
      KeyRow("expression", .formula, "The value of a formula"),
      KeyRow(
        "of", .choice(Metric.AttemptNumber.allCases.map(\.rawValue)),
        "A number of the attempt: `latency` (milliseconds), `outputTokens`, `promptTokens`, "
          + "`pressure` (nats), its parts `formatPressure` and `contentPressure`, or `score`"),
      KeyRow(
        "derived", .formula,
        "A formula over the means of other metrics, computed once for all attempts; `$.name` is "
          + "the mean of the metric `name`"),
      KeyRow("unit", .text, "The unit, for reports"),
    ], rules: [.exactlyOne(["value", "count", "expression", "of", "derived"])])

  static let lint = KeyTable(
    "the lint",
    [
      KeyRow(
        "silence", .list(.text, minimum: 0),
        "The rules to silence: `RULE`, or `RULE at Type.property`")
    ])

  private static let fault = KeyKind.choice(StubScript.Fault.allCases.map(\.rawValue))

  static let stub = KeyTable(
    "a stub",
    [
      KeyRow("content", .value, "The same value for every answer"),
      KeyRow(
        "sequence", .list(.table(.stubEntry), minimum: 1),
        "One answer for each repeat; after the last answer, the stub starts over"),
      KeyRow(
        "weighted", .list(.table(.weightedStubEntry), minimum: 1),
        "Weighted answers; each repeat draws one of them with its seed"),
      KeyRow("fault", fault, "The fault of every answer"),
      KeyRow(
        "latency", .number(minimum: 0, maximum: 86_400_000),
        "The duration of an answer, in milliseconds", fallback: "0"),
    ], rules: [.exactlyOne(["content", "sequence", "weighted", "fault"])])

  private static let entryRows = [
    KeyRow("content", .value, "The value of the answer"),
    KeyRow("fault", fault, "The fault that the stub simulates instead of giving a value"),
  ]
  static let stubEntry = KeyTable(
    "an answer of the stub", entryRows, rules: [.exactlyOne(["content", "fault"])])
  static let weightedStubEntry = KeyTable(
    "a weighted answer of the stub",
    [
      KeyRow(
        "weight", .number(minimum: 0, maximum: 1e12), "The weight, relative to the others",
        fallback: "1")
    ] + entryRows, rules: [.exactlyOne(["content", "fault"])])

  static let suiteCase = KeyTable(
    "a test case",
    [
      KeyRow("id", .name(.identifier), "The test case's id, unique in the suite", isRequired: true),
      KeyRow("title", .text, "One line for reports", fallback: "the id"),
      KeyRow(
        "aliases", .list(.name(.identifier), minimum: 1),
        "Earlier ids of the test case, the oldest first. Assay uses the seeds of the oldest id, "
          + "and finds the test case in baselines under any of these ids"),
      KeyRow("tags", tags, "Labels for selecting the test case, in addition to the suite's"),
      KeyRow("assertions", assertions, "Assertions for this test case, in addition to the suite's"),
      KeyRow("threshold", threshold, "The threshold of this test case", fallback: "the suite's"),
      KeyRow(
        "repeats", .integer(minimum: 1, maximum: 10_000), "The repeats of this test case",
        fallback: "the suite's"),
      KeyRow("options", .table(.options), "The options of this test case", fallback: "the suite's"),
      KeyRow(
        "gate", .table(.caseGate),
        "A separate gate for this test case. The test case then doesn't count toward the suite's "
          + "rate"),
      KeyRow("stub", .table(.stub), "The stub's answers", fallback: "the suite's"),
    ], others: .value)

  static let casesFile = KeyTable(
    "a file of test cases",
    [
      KeyRow(
        "file", .text,
        "JSON Lines (`.jsonl`), a JSON array (`.json`), YAML, or CSV with a header (`.csv`)",
        isRequired: true)
    ])

  static let promptSet = KeyTable(
    "a prompt set",
    [
      KeyRow("type", .text, "Ignored by Assay; your app may need it"),
      KeyRow("instructions", .text, "The instructions of the session", isRequired: true),
      KeyRow("name", .text, "The name of the generated type", isRequired: true),
      KeyRow("description", .text, "The description of the generated type"),
      KeyRow("summaryGuide", .text, "The guide of the property `summary`"),
      KeyRow("confidenceGuide", .text, "The guide of the property `confidence`"),
      KeyRow(
        "subComponents", .list(.table(.promptSetPart), minimum: 1),
        "The parts; each becomes a string property of the object `subComponents`",
        isRequired: true),
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
        "The weight in the score; with 0, the verdict is stored, but it counts only in a guardrail",
        fallback: "1"),
    ]
      + AssertionKind.all.map { KeyRow($0.name, $0.keyKind, $0.summary) },
    rules: [.exactlyOne(AssertionKind.all.map(\.name))],
    // The keywords of JSON Schema, and common names in other tools.
    meant: [
      "enum": "branch", "case": "branch", "choice": "branch", "const": "equals", "eq": "equals",
      "in": "oneOf", "pattern": "matches", "regex": "matches", "format": "dateISO8601",
      "minItems": "count", "maxItems": "count", "length": "count", "uniqueItems": "unique",
      "minLength": "characters", "maxLength": "characters", "minimum": "range",
      "maximum": "range", "required": "present", "exists": "present", "formula": "expression",
    ])
}
