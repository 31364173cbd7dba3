import ConstrainedDecoding
import EvalSessions
import EvalSuites
import GuidedGeneration
import StructuredText
import SystemBasics

/// `assay schema`: checks a schema, and shows its outline, its grammar, the legal tokens, or the
/// form in which a server receives it.
struct SchemaCommand: Command {
  private static let verbs = [
    "outline", "json", "explain", "mask", "sent", "gbnf", "suite", "project",
  ]

  let specification = CommandSpecification(
    name: "schema",
    summary:
      "Checks a schema file, and shows its outline, grammar, or the tokens that it allows next.",
    positionals: "outline|json|explain|mask|sent|gbnf FILE | suite | project",
    positionalCount: 1...2,
    verbs: Self.verbs,
    options: [
      Options.format, Self.prefix, Self.model, Self.whitespace, Self.limit, Self.strictKeywords,
      Self.dialect, Self.formats, Self.extraKeys, Self.interface,
    ],
    details: """
      The command prints:
        outline  the schema as the prompt shows it to the model
        json     the schema in Apple's dialect
        explain  the grammar, the places where the model has a choice, and the
                 effect of each keyword
        mask     the tokens of a model's vocabulary that are legal after --prefix
        sent     the schema as a server's interface (--for) receives it, and
                 the parts that the interface doesn't enforce
        gbnf     the grammar in GBNF, as llama-server reads it, with the white
                 space that --whitespace allows
        suite, project
                 the JSON Schema of suite files or of assay.yaml, with which an
                 editor completes and checks them
      In a program of your own, FILE can also be the name of a type of the program.

      With FILE, the command always compiles the schema's grammar first, so it fails if Assay can't
      enforce the schema.
      """,
    examples: [
      .init(
        "schema suite > evals/suite.schema.json",
        "Writes the JSON Schema of suite files for editors."),
      .init(
        "schema mask schema.json --prefix '{\"title\":'",
        "Lists the tokens that may follow the beginning of a value."),
    ])

  /// The beginning of a value, for `mask`.
  static let prefix = OptionKey<String?>.text(
    "prefix", "TEXT", default: "nothing", .command, "mask: the beginning of a value")
  /// The model whose vocabulary is used, for `mask`.
  static let model = OptionKey<String?>.text(
    "model", letter: "m", "FILE", default: "the bundled toy", .command, "mask: a GGUF file")
  /// The maximum number of tokens to list, for `mask`.
  static let limit = OptionKey<Int?>.integer(
    "limit", "N", in: 0...Int.max, default: "50", .command,
    "mask: the maximum number of tokens to list")
  /// The interface of a model server, for `sent`.
  static let interface = OptionKey<String?>.text(
    "for", "NAME", allowed: SentSchemaView.interfaces, .command,
    "sent: the interface of a model server, as --backend names it")
  private static let strictKeywords = OptionKey<Bool>.flag(
    "strict-keywords", .command, "refuse unknown keywords instead of ignoring them")
  private static let formats = OptionKey<Bool>.flag(
    "formats", .command, "enforce `format`, which otherwise doesn't restrict values")
  private static let extraKeys = OptionKey<Bool>.flag(
    "extra-keys", .command, "allow undeclared keys wherever the schema accepts them")
  /// The dialect of the schema.
  ///
  /// `detected` lets the schema's keywords decide.
  private enum Dialect: String, CaseIterable {
    case detected, apple, jsonSchema
  }
  private static let dialect = OptionKey<Dialect>.choice(
    "dialect", "NAME", default: .detected, .command,
    "the dialect of the schema; apple: a `pattern` must match the whole string; jsonSchema: it may "
      + "match any part of the string")
  private static let whitespace = OptionKey<WhitespaceMode>.choice(
    "whitespace", "MODE", default: .any, .command,
    "mask, gbnf: the white space that is allowed outside strings; any: up to a limit; flexible: "
      + "without a limit")

  func run(_ arguments: ParsedArguments, in context: ProgramContext) async throws -> ExitStatus {
    let verb = arguments.positionals[0]
    guard Self.verbs.contains(verb) else {
      throw UsageError(
        "there is no `assay schema \(verb)`; use one of \(Self.verbs.joined(separator: ", "))")
    }
    let formats = ["suite": SuiteFormat.jsonSchemaText, "project": ProjectFormat.jsonSchemaText]
    if let format = formats[verb] {
      guard arguments.positionals.count == 1 else {
        throw UsageError("`assay schema \(verb)` takes no file; it prints a schema for editors")
      }
      context.console.output(format)
      return .passed
    }
    guard let path = arguments.positionals.dropFirst().first else {
      throw UsageError("`assay schema \(verb)` needs a schema file")
    }
    if verb != "mask" {
      try arguments.refuse(
        [Self.prefix, Self.model, Self.limit], "only applies to `assay schema mask`")
      if verb != "gbnf" {
        try arguments.refuse(
          [Self.whitespace], "only applies to `assay schema mask` and `assay schema gbnf`")
      }
      if verb != "explain", verb != "sent" {
        try arguments.refuse(
          [Options.format],
          "only applies to `assay schema explain`, `assay schema mask` and `assay schema sent`")
      }
    }
    let interface = try arguments[Self.interface]
    if verb != "sent" {
      try arguments.refuse([Self.interface], "only applies to `assay schema sent`")
    } else if interface == nil {
      throw UsageError(
        "`assay schema sent` needs --for NAME; NAME is one of "
          + "\(SentSchemaView.interfaces.joined(separator: ", "))")
    }
    let isJSON = try arguments[Options.format] == .json
    let options = GrammarOptions(
      whitespace: try arguments[Self.whitespace])
    let registered = context.evaluation.registered
    let document =
      try registered.schema(named: path)?.json
      ?? Self.document(at: path, types: registered.schemaNames)
    let schema: GenerationSchema
    do {
      var reading = SchemaReadOptions(
        dialect: SchemaDialect(rawValue: try arguments[Self.dialect].rawValue))
      reading.refusesUnknownKeywords = try arguments[Self.strictKeywords]
      reading.enforcesFormats = try arguments[Self.formats]
      reading.offersExtraKeys = try arguments[Self.extraKeys]
      schema = try GenerationSchema(json: document, options: reading)
      _ = try Grammar(schema: schema, options: options)
    } catch {
      if verb == "explain" {
        let keywords = SchemaExplanation(document: document, grammar: nil)
        context.console.output(keywords.text(isJSON: isJSON))
      }
      throw SessionFailure(.usage, "\(path): \(error)")
    }
    switch verb {
    case "gbnf": context.console.output(try Self.grammar(of: schema, options, path: path))
    case "outline": context.console.output(schema.outline + "\n")
    case "json": context.console.output(schema.json.prettyText + "\n")
    case "sent":
      if let view = interface.flatMap({ SentSchemaView(schema, for: $0) }) {
        context.console.output(Self.text(of: view, isJSON: isJSON))
      }
    case "explain":
      let explanation = SchemaExplanation(
        document: document, grammar: GrammarExplanation(schema: schema))
      context.console.output(explanation.text(isJSON: isJSON))
    default:
      let listing = try MaskListing(schema, path: path, options, arguments, context)
      context.console.output(listing.text(isJSON: isJSON))
    }
    return .passed
  }

  /// Reads a schema file.
  ///
  /// - Parameters:
  ///   - path: The file's path, or a word that may be a misspelled type.
  ///   - types: The types that the command takes in place of a file.
  private static func document(
    at path: String, types: [String]
  ) throws(SessionFailure) -> JSONValue {
    let text: String
    do throws(SessionFailure) {
      text = try TextFile.text(of: path)
    } catch {
      guard !types.isEmpty, !path.contains(where: { $0 == "." || $0 == "/" }) else { throw error }
      let hint = NearestName.hint(for: path, among: types, what: "the program's types")
      throw SessionFailure(
        .usage, "\(path): there is no such file, and no type with this name; \(hint)")
    }
    do {
      return try JSONValue(parsing: text)
    } catch {
      throw SessionFailure(.usage, "\(path):\(error)")
    }
  }

  /// Returns a schema's grammar in GBNF.
  private static func grammar(
    of schema: GenerationSchema, _ options: GrammarOptions, path: String
  ) throws -> String {
    var options = options
    options.whitespaceBound = .withoutDepth
    do {
      return try GrammarNotation.text(of: Grammar(schema: schema, options: options))
    } catch {
      throw SessionFailure(.usage, "\(path): \(error)")
    }
  }

  /// Returns the schema as a server receives it, and the parts that the server doesn't enforce.
  private static func text(of view: SentSchemaView, isJSON: Bool) -> String {
    if isJSON {
      let value: JSONValue = [
        "schema": view.json, "refused": .bool(view.isRefused),
        "losses": .array(view.losses.map { .string($0) }),
      ]
      return value.prettyText + "\n"
    }
    let losses =
      view.losses.isEmpty
      ? "Nothing is lost: the server gets the whole schema.\n"
      : view.losses.map { "\($0)\n" }.joined()
    return view.json.prettyText + "\n\n" + losses
  }
}
