import ConstrainedDecoding
import EvalSessions
import Foundation
import GuidedGeneration
import StructuredText

/// `assay schema`: checks a schema, and shows what a model is told of it and what it may write.
struct SchemaCommand: Command {
  private static let verbs = ["outline", "json", "explain", "mask"]

  let specification = CommandSpecification(
    name: "schema", summary: "Checks a schema file and shows what a model is told and allowed.",
    positionals: "outline|json|explain|mask FILE", positionalCount: 2...2,
    options: [
      .option(
        "format", "FORMAT", allowed: ["text", "json"], "explain, mask: text (default) or json"),
      .option("prefix", "TEXT", "mask: the beginning of a value (default: nothing)"),
      .option("model", letter: "m", "FILE", "mask: a GGUF file (default: the bundled toy)"),
      .option(
        "whitespace", "MODE", allowed: WhitespaceMode.allCases.map(\.rawValue),
        "mask: the white space between the parts (default: compact)"),
      .option("limit", "N", "mask: the most tokens to list (default: 50)"),
    ],
    details: """
      `outline` prints the text that stands in the prompt, `json` the schema in Apple's dialect,
      `explain` the grammar, the points at which the model decides with their JSON paths, and what
      becomes of each keyword, `mask` the tokens of a model's vocabulary that are legal after
      --prefix. All compile the schema's grammar first, so that what can't be enforced is told.
      """)

  func run(_ arguments: ParsedArguments, in context: ProgramContext) async throws -> ExitStatus {
    let (verb, path) = (arguments.positionals[0], arguments.positionals[1])
    guard Self.verbs.contains(verb) else {
      throw UsageError(
        "`assay schema \(verb)`: \(Self.verbs.joined(separator: ", ")) are allowed")
    }
    if verb != "mask" {
      try arguments.refuse(["prefix", "model", "limit"], "is of `assay schema mask`")
      if verb != "explain" {
        try arguments.refuse(["format"], "is of `assay schema explain` and `mask`")
      }
    }
    guard let text = try? String(contentsOf: URL(fileURLWithPath: path), encoding: .utf8) else {
      throw SessionFailure(.usage, "\(path): the file can't be read as UTF-8 text")
    }
    let options = GrammarOptions(
      whitespace: arguments.value("whitespace").flatMap(WhitespaceMode.init) ?? .compact)
    let document: JSONValue
    do {
      document = try JSONValue(parsing: text)
    } catch {
      throw SessionFailure(.usage, "\(path):\(error)")
    }
    let schema: GenerationSchema
    do {
      schema = try GenerationSchema(json: document)
      _ = try Grammar(schema: schema, options: options)
    } catch {
      if verb == "explain" {
        let keywords = SchemaExplanation(document: document, grammar: nil)
        context.console.output(keywords.text(isJSON: arguments.value("format") == "json"))
      }
      throw SessionFailure(.usage, "\(path): \(error)")
    }
    switch verb {
    case "outline": context.console.output(schema.outline + "\n")
    case "json": context.console.output(schema.json.prettyText + "\n")
    case "explain":
      let explanation = SchemaExplanation(
        document: document, grammar: GrammarExplanation(schema: schema))
      context.console.output(explanation.text(isJSON: arguments.value("format") == "json"))
    default:
      let listing = try MaskListing(schema, path: path, options, arguments, context)
      context.console.output(listing.text(isJSON: arguments.value("format") == "json"))
    }
    return .passed
  }
}
