import StructuredText

/// The definition of the project file, `assay.yaml`.
///
/// The reader checks against it, and the JSON Schema for editors is generated from it.
package enum ProjectFormat {
  static let project = KeyTable(
    "a project file",
    [
      KeyRow("models", .dictionary(.table(.projectModel)), "Models by name, for `--model NAME`"),
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
        "The maximum number of concurrent cases, and the threads of a local model, if `--jobs` is not "
          + "given",
        fallback: "one for each core"),
      KeyRow(
        "memory", .integer(minimum: 1, maximum: 1 << 20),
        "The maximum memory for the attempts that a local model computes together, in MiB, if "
          + "`--memory` is "
          + "not given",
        fallback: "1024"),
    ])

  static let model = KeyTable(
    "a model",
    [
      KeyRow("file", .text, "The GGUF file"),
      KeyRow(
        "sha256", .text, "The SHA-256 of the file; a file with another one is rejected",
        fallback: "any file is accepted"),
      KeyRow(
        "chatFormat", .text, "The chat format of the model",
        fallback: "the format that its file names"
      ),
    ] + ProjectServer.rows, rules: [.exactlyOne(["file", "server"])])

  /// The JSON Schema (draft 2020-12) of project files, for editors that complete and check them.
  package static var jsonSchemaText: String {
    SuiteFormat.jsonSchema(of: .project, title: "Assay project file").prettyText + "\n"
  }
}
