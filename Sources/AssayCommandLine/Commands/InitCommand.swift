import EvalRecords
import EvalSessions
import EvalSuites
import GuidedGeneration
import StructuredText
import SystemBasics

/// `assay init`: writes a first suite for a schema.
struct InitCommand: Command {
  let specification = CommandSpecification(
    name: "init", summary: "Writes a first suite for a schema.", positionals: "SCHEMA",
    positionalCount: 1...1, options: [Self.out, Self.name],
    details: """
      SCHEMA is a schema file in Apple's dialect or plain JSON Schema. The suite has a test case
      for every case of an enum, every bound of a count and every optional property. It also has
      fixed answers that satisfy its assertions, so `assay run FOLDER --backend stub` passes
      immediately. You still have to write the inputs. The suite reads SCHEMA where it is, so there
      is only one copy to edit. The command overwrites no file.
      """,
    examples: [
      .init(
        "init CardSet.schema.json", "Writes evals/card-set/suite.yaml, which reads the schema."),
      .init("init schema.json --out evals/cards --name cards", "Chooses the folder and the id."),
    ])

  private static let out = OptionKey<String?>.text(
    "out", letter: "o", "FOLDER", default: "evals/NAME", .command, "the folder of the suite")
  private static let name = OptionKey<String?>.text(
    "name", "ID", default: "the name of the folder or the type", .command, "the id of the suite")

  func run(_ arguments: ParsedArguments, in context: ProgramContext) async throws -> ExitStatus {
    let path = arguments.positionals[0]
    let text = try TextFile.text(of: path, limit: 64 << 20)
    let schema: GenerationSchema
    do {
      schema = try GenerationSchema(json: JSONValue(parsing: text))
    } catch let error as StructuredTextError {
      throw SessionFailure(.usage, "\(path):\(error)")
    } catch {
      throw SessionFailure(.usage, "\(path): \(error)")
    }
    let (id, folder) = try Self.place(arguments, schema, path)
    let schemaFile = Self.path(to: path, from: folder)
    let starter = StarterSuite(id: id, schema: schema, schemaFile: schemaFile)
    guard starter.caseCount > 0 else {
      throw SessionFailure(
        .usage,
        "\(path): no answer that the schema allows is easy to find; write the suite by hand")
    }
    let editorSchema =
      FileManager.default.fileExists(
        atPath: OutputFolder.folder(of: folder) + "/suite.schema.json")
      ? "../suite.schema.json" : nil
    let program = context.evaluation.programName
    try Self.write(starter.text(editorSchema: editorSchema, program: program), to: folder)
    context.console.output(
      "\(folder)/suite.yaml: \(starter.caseCount.counted("test case"))"
        + (starter.isCut ? " (more are possible)" : "") + " for the schema in \(path)\n"
        + "next: \(program) run \(folder) --backend stub\n"
        + "then: write the inputs in \(folder)/suite.yaml, and run \(program) lint \(folder)\n")
    return .passed
  }

  /// Returns the suite's id and folder.
  private static func place(
    _ arguments: ParsedArguments, _ schema: GenerationSchema, _ path: String
  ) throws -> (id: String, folder: String) {
    var folder = try arguments[Self.out]
    while let text = folder, text.count > 1, text.hasSuffix("/") {
      folder = String(text.dropLast())
    }
    let names = [
      try arguments[Self.name], folder.map { URL(fileURLWithPath: $0).lastPathComponent },
      schema.name, URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent,
    ]
    let id = names.compactMap(\.self).map(StarterSuite.slug).first { !$0.isEmpty } ?? "suite"
    if let name = try arguments[Self.name], name != id {
      throw UsageError(
        "--name \(name): use lower-case letters, digits and hyphens, as in `\(id)`")
    }
    return (id, folder ?? "evals/\(id)")
  }

  /// Returns the path of a file relative to a folder, or the whole path if it is absolute and leads
  /// out of the working directory.
  private static func path(to path: String, from folder: String) -> String {
    let root = URL(fileURLWithPath: ".", isDirectory: true).standardizedFileURL.path + "/"
    if path.hasPrefix("/"), !folder.hasPrefix("/"), !path.hasPrefix(root) { return path }
    let file = URL(fileURLWithPath: path).standardizedFileURL.pathComponents
    let folder = URL(fileURLWithPath: folder, isDirectory: true).standardizedFileURL.pathComponents
    let common = zip(file, folder).prefix { $0 == $1 }.count
    let up = Array(repeating: "..", count: folder.count - common)
    return (up + file.dropFirst(common)).joined(separator: "/")
  }

  /// Writes the suite, unless the folder already has one.
  private static func write(_ text: String, to folder: String) throws {
    for name in SuiteLoader.fileNames
    where FileManager.default.fileExists(atPath: "\(folder)/\(name)") {
      throw SessionFailure(
        .usage,
        "\(folder)/\(name) already exists and is not overwritten; choose another folder with --out")
    }
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true)
      try Data(text.utf8).write(
        to: URL(fileURLWithPath: "\(folder)/suite.yaml"), options: .withoutOverwriting)
    } catch {
      let reason = SystemReason.words(for: error)
      throw SessionFailure(.cannotRun, "\(folder): the suite can't be written: \(reason)")
    }
  }
}
