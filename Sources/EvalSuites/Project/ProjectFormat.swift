import StructuredText

/// The definition of the project file, `assay.yaml`.
///
/// The reader checks project files against this definition, and the JSON Schema for editors is
/// generated from it.
package enum ProjectFormat {
  static let project = KeyTable(
    "a project file",
    [
      KeyRow(
        "models", .dictionary(.table(.projectModel)),
        "The models, each under its name for `--model`"),
      KeyRow(
        "model", .name(.identifier), "The model of the local backend, if `--model` is not given",
        fallback: "the bundled toy"),
      KeyRow(
        "backend", .name(.identifier), "The backend, if `--backend` is not given",
        fallback: "`local`"),
      KeyRow(
        "reports", .text, "The folder of reports, if `--reports` is not given",
        fallback: "`reports` in the current directory"),
      KeyRow(
        "jobs", .integer(minimum: 1, maximum: 1024),
        "The maximum number of test cases that run at a time, and the number of threads of a "
          + "local model, if `--jobs` is not given",
        fallback: "one for each core"),
      KeyRow(
        "memory", .integer(minimum: 1, maximum: 1 << 20),
        "The maximum memory for the attempts that a local model computes together, in MiB, if "
          + "`--memory` is not given",
        fallback: "2048"),
    ])

  static let model = KeyTable(
    "a model",
    [
      KeyRow(
        "file", .text,
        "The GGUF file, or its name in another program's cache, such as `ollama:llama3.2`"),
      KeyRow(
        "sha256", .text, "The SHA-256 of the file; Assay rejects a file with a different one",
        fallback: "any file is accepted"),
      KeyRow(
        "chatFormat", .choice(chatFormats), "The chat format of the model",
        fallback: "the format of the file's chat template"),
      KeyRow(
        "context", .integer(minimum: 16, maximum: 1 << 24),
        "The maximum number of tokens in a prompt and its answer",
        fallback: "the file's, at most 8192"),
      KeyRow(
        "cue", .text,
        "A line at the end of the prompt, if the prompt shows the schema; an empty text adds no "
          + "line",
        fallback: "`JSON:`"),
      KeyRow(
        "memory", .integer(minimum: 1, maximum: 1 << 20),
        "The maximum memory for the attempts that the model computes together, in MiB, if "
          + "`--memory` is not given",
        fallback: "the project's"),
    ] + ProjectServer.rows,
    rules: [
      .exactlyOne(["file", "server"]), .only(fileKeys, with: "file"),
      .only(ProjectServer.rows.map(\.name).filter { $0 != "server" }, with: "server"),
    ])

  /// The keys that apply only to local models.
  private static let fileKeys = ["sha256", "chatFormat", "context", "cue", "memory"]

  /// The chat formats of local models.
  package static let chatFormats = [
    "chatml", "chatml-no-think", "llama3", "gemma", "phi", "phi4", "mistral", "mistral-v7",
    "zephyr",
    "plain",
  ]

  /// The JSON Schema (draft 2020-12) of project files, for editors that complete and check them.
  package static var jsonSchemaText: String {
    SuiteFormat.jsonSchema(of: .project, title: "Assay project file").prettyText + "\n"
  }
}
