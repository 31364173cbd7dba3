import ConstrainedDecoding
import Foundation
import GuidedGeneration
import StructuredText

/// `assay schema`: checks a schema and shows what a model is told of it.
struct SchemaCommand: Command {
  let specification = CommandSpecification(
    name: "schema", summary: "Checks a schema file and shows what a model is told of it.",
    positionals: "outline|json FILE", positionalCount: 2...2,
    options: [],
    details: """
      `outline` prints the text that stands in the prompt, `json` the schema in Apple's dialect. Both
      compile the schema's grammar first, so that what can't be enforced is told.
      """)

  func run(_ arguments: ParsedArguments, in context: ProgramContext) async throws -> ExitStatus {
    let (verb, path) = (arguments.positionals[0], arguments.positionals[1])
    guard ["outline", "json"].contains(verb) else {
      throw UsageError("`assay schema \(verb)`: outline or json is allowed")
    }
    guard let text = try? String(contentsOf: URL(fileURLWithPath: path), encoding: .utf8) else {
      throw CommandFailure(.usage, "\(path): the file can't be read as UTF-8 text")
    }
    let schema: GenerationSchema
    do {
      schema = try GenerationSchema(json: JSONValue(parsing: text))
      _ = try Grammar(schema: schema, options: GrammarOptions())
    } catch let error as StructuredTextError {
      throw CommandFailure(.usage, "\(path):\(error)")
    } catch {
      throw CommandFailure(.usage, "\(path): \(error)")
    }
    context.console.output(
      (verb == "outline" ? schema.outline : schema.json.prettyText) + "\n")
    return .passed
  }
}
